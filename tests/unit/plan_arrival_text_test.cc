#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/arrival_text.h"

namespace radosload::plan {
namespace {

TEST(Rate, IsReadInAllItsForms) {
  const auto constant = [](double rate) { return Arrival{Arrival::Law::constant, rate}; };
  EXPECT_EQ(parse_arrival("5000"), constant(5000));
  EXPECT_EQ(parse_arrival("5000/s"), constant(5000));
  EXPECT_EQ(parse_arrival("0.5/s,constant"), constant(0.5));
  EXPECT_EQ(parse_arrival("200,poisson"), (Arrival{Arrival::Law::poisson, 200}));
  EXPECT_EQ(parse_arrival("200/s,poisson"), (Arrival{Arrival::Law::poisson, 200}));
}

TEST(Rate, InvalidRate_ErrorHasTheReason) {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"", "'' is not a number"},
      {"fast", "'fast' is not a number"},
      {"10k", "'10k' is not a number"},
      {"1e3", "'1e3' is not a number"},
      {"5/m", "'5/m' is not a number"},
      {"0", "a rate is from 0.001"},
      {"-5", "a rate is from 0.001"},
      {"nan", "a rate is from 0.001"},
      {"2000000000", "to 1000000000 operations per second"},
      {"5,normal", "'normal' is not poisson or constant"},
      {"5,", "'' is not poisson or constant"},
      {"5/s,poisson,constant", "'poisson,constant' is not"},
  };
  for (const auto& [text, reason] : table) {
    const auto parsed = parse_arrival(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().exit, Exit::usage);
    EXPECT_NE(parsed.error().message().find(reason), std::string::npos) << parsed.error().message();
    EXPECT_NE(parsed.error().message().find("5000/s,poisson"), std::string::npos);
  }
}

RC_GTEST_PROP(Rate, OptionTextReadsBack, ()) {
  const Arrival arrival{*rc::gen::element(Arrival::Law::constant, Arrival::Law::poisson),
                        static_cast<double>(*rc::gen::inRange(1000, 1000000000)) / 1e6};
  RC_ASSERT(parse_arrival(option_text(arrival)) == arrival);
}

}  // namespace
}  // namespace radosload::plan
