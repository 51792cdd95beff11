// Writes that a cluster acknowledges and does not carry out as it says, through the whole program:
// what the report, the messages and the record tell of them.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class VerifyCli : public testing::Test {
 protected:
  Finished sim(const std::string& sim, std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"--target", "sim", "--sim", sim, "--no-progress", "--warmup", "0"});
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }

  TemporaryFolder m_state;
};

TEST_F(VerifyCli, EachKindOfDamageIsCountedAndNamedWithItsPlaceAndWhatWasFound) {
  struct Damage {
    const char* sim;
    const char* name;
    const char* meaning;
  };
  constexpr const char* older =
      "it returned generation [0-9]+, but a newer write was acknowledged before; expected [0-9]+";
  for (const Damage& damage :
       {Damage{"lose", "LOST_WRITE", older}, Damage{"reorder", "LOST_WRITE", older},
        Damage{"tear", "TORN", "it returned parts of generations [0-9]+ and [0-9]+"},
        Damage{"misdirect", "MISDIRECTED",
               "it returned generation [1-9][0-9]* of object [0-9]+ at offset [0-9]+"}}) {
    const Finished done =
        sim(fmt::format("latency=exp:1ms,{}=0.005", damage.sim),
            {"--pattern", "randrw4k,size=1M,object-size=64k", "--time", "2", "--seed", "3"});
    EXPECT_EQ(done.status, flawed) << damage.sim << ": reads failed";
    EXPECT_THAT(done.out, ContainsRegex(fmt::format("errors +read: .*[0-9]+ {}", damage.name)))
        << damage.sim;
    EXPECT_THAT(done.err,
                ContainsRegex(fmt::format("{}: read of 4096 bytes from object [0-9]+ at offset "
                                          "[0-9]+, wrong from byte [0-9]+: {}",
                                          damage.name, damage.meaning)))
        << damage.sim;
  }
}

// Two bytes for each of 2^28 blocks would be 512 MiB: every other block is followed.
TEST_F(VerifyCli, TooManyBlocks_ASampleIsVerifiedAndTheRecordHasItsSize) {
  const Finished done = sim(
      "latency=const:1ms,lose=0",
      {"--pattern", "randrw4k,bs=512,qd=64", "--size", "128G", "--time", "1", "--format", "json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  const json& verification = record["verification"];
  EXPECT_EQ(verification["blocks"], 1ULL << 28U);
  EXPECT_EQ(verification["followed"], 1ULL << 27U);
  // Of its writes about half went to blocks that are followed.
  const auto writes = record["totals"]["write"]["ops"].get<double>();
  const auto followed = verification["writes_acknowledged"].get<double>();
  EXPECT_GT(followed, 0);
  EXPECT_NEAR(followed / writes, 0.5, 0.05);
}

TEST_F(VerifyCli, BlocksThatHoldNoGenerations_AreReportedAsNotFollowed) {
  const Finished done =
      sim("latency=const:1ms,lose=0.01",
          {"--pattern", "randrw4k,bs=5000,size=1M,object-size=64k", "--time", "1"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, ContainsRegex("warning +no block was followed, so lost and outdated "
                                      "writes are not found: bs=5000 is not"));
  const Finished other = sim("latency=const:1ms,lose=0",
                             {"--pattern", "randrw4k,size=1M,object-size=64k", "--time", "1"});
  EXPECT_THAT(other.out, Not(HasSubstr("no block was followed")));
}

TEST_F(VerifyCli, EveryByteOfSoundBlocks_IsAsExpected) {
  const Finished done =
      sim("latency=exp:1ms,lose=0",
          {"--pattern", "randrw4k,size=1M,object-size=64k,verify=full", "--time", "2"});
  EXPECT_EQ(done.status, 0) << done.out;
}

}  // namespace
}  // namespace radosload::test
