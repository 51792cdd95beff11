// The energy of a run in journal and record.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/journal.h"
#include "record/record_codec.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

using testing::folded;
using testing::footer_for;
using testing::interval_of;

rc::Gen<std::optional<double>> maybe_numbers() {
  return rc::gen::element(std::optional<double>(), std::optional(0.0), std::optional(-1.5),
                          std::optional(80.25), std::optional(1.0 / 3));
}

rc::Gen<std::optional<Estimated>> estimates() {
  return rc::gen::exec([]() -> std::optional<Estimated> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return Estimated{.value = *rc::gen::element(0.5, -0.25, 1e-9, 1.0 / 3),
                     .low = *maybe_numbers(),
                     .high = *maybe_numbers()};
  });
}

rc::Gen<std::optional<Energy>> energies() {
  return rc::gen::exec([]() -> std::optional<Energy> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    Energy energy{.idle_length = std::chrono::seconds(*rc::gen::inRange(0, 60)),
                  .idle_w = *maybe_numbers(),
                  .known = std::chrono::milliseconds(*rc::gen::inRange(0, 60'000)),
                  .joules = *rc::gen::element(0.0, 1000.0, 1.0 / 3),
                  .ops = *rc::gen::inRange<std::uint64_t>(0, 1U << 30U),
                  .joules_per_op = *estimates(),
                  .net_joules_per_op = *estimates()};
    const int sources = *rc::gen::inRange(0, 3);
    for (int i = 0; i < sources; ++i) {
      energy.sources.push_back(
          {.name = *rc::gen::element<std::string>("RAPL package-0", "--power-cmd"),
           .idle_w = *maybe_numbers(),
           .mean_w = *maybe_numbers(),
           .missing = *rc::gen::element<std::string>("", "3.0 of 10.0 s, from 7.0 s on")});
    }
    return energy;
  });
}

RC_GTEST_PROP(EnergyOfARun, InJournalAndRecord_ReadsBack, ()) {
  RunFooter footer = footer_for({interval_of({})});
  footer.energy = *energies();
  const auto line = decode_line(encode_line(footer), "x");
  RC_ASSERT(line.has_value());
  RC_ASSERT(std::get<RunFooter>(*line) == footer);
  RunRecord record = folded({interval_of({})});
  record.energy = footer.energy;
  const auto again = from_json(to_json(record), "x");
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == record);
}

TEST(EnergyOfARun, OfAnOlderRecord_IsNone) {
  auto json = nlohmann::ordered_json::parse(to_json(folded({interval_of({})})));
  ASSERT_EQ(json.erase("energy"), 1U);
  const auto record = from_json(json.dump(), "x");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_FALSE(record->energy);
}

TEST(EnergyOfARun, WithOtherValues_IsRefused) {
  RunRecord record = folded({interval_of({})});
  record.energy = Energy{.sources = {{.name = "a"}}};
  const auto good = nlohmann::ordered_json::parse(to_json(record));
  ASSERT_TRUE(from_json(good.dump(), "x"));
  const std::vector<std::pair<const char*, nlohmann::ordered_json>> wrong = {
      {"known_s", -1},   {"known_s", "1"},       {"idle_s", 1e300},
      {"idle_w", "low"}, {"joules", nullptr},    {"ops", -3},
      {"sources", 3},    {"joules_per_op", 0.5}, {"net_joules_per_op", "x"}};
  for (const auto& [key, value] : wrong) {
    auto json = good;
    json["energy"][key] = value;
    EXPECT_FALSE(from_json(json.dump(), "x")) << key << " " << value;
  }
}

TEST(OperationsPerJoule, AreTheReciprocalWithTheEndsSwapped) {
  const Energy energy{.joules_per_op = Estimated{.value = 0.5, .low = 0.25, .high = 1},
                      .net_joules_per_op = Estimated{.value = 0.25, .low = 0.125, .high = 0.5}};
  EXPECT_EQ(ops_per_joule(energy), (Estimated{.value = 2, .low = 1, .high = 4}));
  EXPECT_EQ(net_ops_per_joule(energy), (Estimated{.value = 4, .low = 2, .high = 8}));
  EXPECT_FALSE(ops_per_joule({}));
  EXPECT_FALSE(net_ops_per_joule({}));
}

TEST(OperationsPerJoule, OfALoadThatMayTakeNothing_AreNoFigure) {
  for (const Estimated& net : {Estimated{.value = 0.5, .low = -0.1, .high = 1},
                               Estimated{.value = 1e-17, .low = 0, .high = 1e-16},
                               Estimated{.value = 0.5}, Estimated{.value = -0.5}}) {
    EXPECT_FALSE(net_ops_per_joule(Energy{.net_joules_per_op = net})) << net.value;
  }
  // How long it takes to tell does not matter where nothing is subtracted.
  EXPECT_TRUE(ops_per_joule(Energy{.joules_per_op = Estimated{.value = 0.5}}));
  EXPECT_FALSE(ops_per_joule(Energy{.joules_per_op = Estimated{.value = 0}}));
}

TEST(MeanWatts, AreOfTheKnownTime) {
  EXPECT_EQ(mean_watts(Energy{.known = std::chrono::seconds(4), .joules = 400}), 100);
  EXPECT_EQ(mean_watts(Energy{}), std::nullopt);
}

}  // namespace
}  // namespace radosload::record
