// What `radosload study` prints while it measures, and of many metrics.

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

namespace radosload::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class StudyLinesCli : public ::testing::Test {
 protected:
  // Of two simulated targets with six metrics.
  Finished study(const std::string& primary, const std::string& slow = "latency=exp:2ms",
                 const std::string& extent = "--ops 500",
                 const std::string& pattern = "randread4k,qd=4",
                 const std::string& warmup = "0") const {
    const auto file = m_state.path() / "sims.yaml";
    std::ofstream(file) << "arms:\n  fast: --sim latency=exp:1ms\n  slow: --sim " << slow << "\n"
                        << "patterns: ['" << pattern << "']\nrounds: 2\nprimary: " << primary
                        << "\n"
                        << "options: --target sim " << extent << " --warmup " << warmup << "\n";
    return radosload({"study", file.string()}, {{"XDG_STATE_HOME", m_state.path().string()}});
  }

  TemporaryFolder m_state;
};

TEST_F(StudyLinesCli, WithoutATerminal_EachCellIsALine) {
  const Finished done = study("IOPS");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("cell 4 of 4: round 2"));
  EXPECT_THAT(done.err, Not(HasSubstr("Cur ops")));
  EXPECT_THAT(done.err, Not(HasSubstr("started")));
}

TEST_F(StudyLinesCli, ManyMetrics_HaveNotesOnThePrimaryOneOnly) {
  const Finished done = study("IOPS");
  EXPECT_THAT(done.out, HasSubstr("note     randread4k,qd=4 IOPS"));
  EXPECT_THAT(done.out, Not(HasSubstr("note     randread4k,qd=4 mean_us")));
  EXPECT_THAT(done.out, HasSubstr("there are notes on 4 other metrics: --format markdown"));
}

TEST_F(StudyLinesCli, PercentileOfTooFewOperations_LineSaysThatItNeedsMore) {
  const Finished done = study("p99_us", "latency=exp:2ms", "--ops 100");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("the primary metric 'p99_us' has no figures"));
  EXPECT_THAT(done.out, HasSubstr("p99 takes 368"));
}

TEST_F(StudyLinesCli, CellInWhichNoOperationEnded_IsNamed) {
  const Finished done = study("IOPS", "latency=const:10s", "--time 2s");
  EXPECT_THAT(done.err, HasSubstr("has no IOPS, because no operation ended in its time"));
}

TEST_F(StudyLinesCli, CellWhoseObjectsLastForTheWarmUpOnly_NeedsMoreOfThem) {
  const Finished done = study("IOPS", "latency=const:1ms", "--time 2s", "create,objects=20", "1s");
  EXPECT_THAT(done.err, HasSubstr("has no IOPS, because its objects were used up in the warm-up"));
  EXPECT_THAT(done.err, Not(HasSubstr("measure longer")));
}

}  // namespace
}  // namespace radosload::test
