// --trace and `radosload trace` as a person uses them. What NumPy makes of the file:
// tests/interop/test_trace.py.

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class TraceCli : public testing::Test {
 protected:
  Finished run(std::vector<std::string> words) { return radosload(std::move(words), env()); }
  // Three seconds of a computed cluster, traced.
  Finished traced(const std::string& sim, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {
        "--target", "sim", "--sim",   sim,     "--seed", "7",           "--pattern",    "randrw4k",
        "--time",   "3",   "--trace", trace(), "--save", record_path(), "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words));
  }
  Finished read(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"trace", trace()});
    return run(std::move(more));
  }
  // With the shell's help: limits, pipes.
  Finished shell(const std::string& line) {
    return test::run({.words = {"bash", "-c", line}, .env = env()});
  }
  std::map<std::string, std::string> env() const {
    return {{"XDG_STATE_HOME", m_folder.path().string()}};
  }
  std::string trace() const { return (m_folder.path() / "run.npy").string(); }
  std::string record_path() const { return (m_folder.path() / "run.json").string(); }
  json record() const { return json::parse(read_file(record_path())); }
  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  // Of the measured phase, and of the warm-up after it.
  static std::uint64_t ended(const json& record) {
    const json& flow = record["counts"]["measured"];
    return flow["completed"].get<std::uint64_t>() + flow["failed"].get<std::uint64_t>() +
           flow["cancelled"].get<std::uint64_t>() +
           record["counts"]["carried"]["submitted"].get<std::uint64_t>();
  }

  TemporaryFolder m_folder;
};

TEST_F(TraceCli, Trace_HasEveryOperationAndTheReportNamesIt) {
  const Finished done = traced("latency=exp:1ms,osds=3,error=EIO:0.1");
  EXPECT_EQ(done.status, flawed) << "operations failed";
  const std::uint64_t operations = ended(record());
  EXPECT_THAT(done.out, ContainsRegex("trace +" + trace()));
  EXPECT_THAT(done.out, Not(HasSubstr("incomplete")));
  EXPECT_EQ(std::filesystem::file_size(trace()), 512 + 48 * operations);
  EXPECT_EQ(record()["events"].back()["kind"], "trace");
}

TEST_F(TraceCli, TheSummaryShowsKindsOsdsErrorsAndTheSlowest) {
  traced("latency=exp:1ms,osds=3,slow=2:50,error=EIO:0.1");
  const Finished shown = read({"--slowest", "4", "--object-size", "4M"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  for (const char* const said : {"whole", "read", "write", "all", "osd.0", "osd.1", "osd.2", "EIO",
                                 "The 4 slowest", "object"}) {
    EXPECT_THAT(shown.out, HasSubstr(said));
  }
}

TEST_F(TraceCli, CsvHasALineForEachOperation) {
  traced("latency=exp:1ms,osds=3");
  const Finished shown = read({"--as", "csv"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(lines(shown.out), ended(record()) + 1);
  EXPECT_THAT(shown.out, testing::StartsWith("intended_ns,submit_ns,complete_ns,op,"));
}

// Two runs stand for the members of a session.
TEST_F(TraceCli, SeveralTraces_AreReadAsOneByTime) {
  traced("latency=exp:1ms,osds=3");
  const std::string first = m_folder.path() / "first.npy";
  std::filesystem::rename(trace(), first);
  const std::uint64_t of_first = ended(record());
  std::filesystem::remove(record_path());
  traced("latency=exp:5ms,osds=3");
  const std::uint64_t of_second = ended(record());

  const json all =
      json::parse(radosload({"trace", first, trace(), "--format", "json", "--slowest", "3"}).out);
  EXPECT_EQ(all["files"], json({first, trace()}));
  EXPECT_EQ(all["rows"], of_first + of_second);
  const json alone = json::parse(radosload({"trace", first, "--format", "json"}).out);
  const json other = json::parse(read({"--format", "json"}).out);
  EXPECT_EQ(all["totals"]["all"]["ops"].get<std::uint64_t>(),
            alone["totals"]["all"]["ops"].get<std::uint64_t>() +
                other["totals"]["all"]["ops"].get<std::uint64_t>());
  EXPECT_EQ(all["totals"]["all"]["response_us"]["max"],
            other["totals"]["all"]["response_us"]["max"]);
  EXPECT_EQ(all["slowest"][0]["file"], trace()) << "the slower of the two";
  EXPECT_EQ(all["slowest"][0]["row"], other["slowest"][0]["row"]);

  const Finished csv = radosload({"trace", first, trace(), "--as", "csv"});
  EXPECT_EQ(lines(csv.out), of_first + of_second + 1);
  EXPECT_THAT(csv.out, testing::ContainsRegex("^intended_ns,.*,error,trace\n"));
  std::istringstream rows(csv.out);
  std::string row;
  std::getline(rows, row);
  std::uint64_t switches = 0;
  bool before = false;
  while (std::getline(rows, row)) {
    const bool is_first = row.ends_with("," + first);
    ASSERT_TRUE(is_first || row.ends_with("," + trace())) << row;
    switches += is_first != before ? 1 : 0;
    before = is_first;
  }
  EXPECT_GT(switches, 100U) << "rows are taken by time, not file by file";
  EXPECT_EQ(radosload({"trace", first, trace(), "--as", "fio-log", "--output", "x"}).status, 2);
}

TEST_F(TraceCli, ClosedPipe_EndsWithoutAnError) {
  traced("latency=const:1ms");  // far more lines than a pipe holds
  const Finished shown = shell("set -o pipefail; '" + radosload_path() + "' trace '" + trace() +
                               "' --as csv | head -n 3");
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(lines(shown.out), 3U);
  EXPECT_EQ(shown.err, "");
}

TEST_F(TraceCli, FullStdout_IsReported) {
  traced("latency=exp:1ms");
  const Finished shown =
      shell("'" + radosload_path() + "' trace '" + trace() + "' --as csv >/dev/full");
  EXPECT_EQ(shown.status, flawed);
  EXPECT_THAT(shown.err, HasSubstr("ENOSPC"));
}

TEST_F(TraceCli, TheTableOfRadosBenchHasTheCountsOfTheRecord) {
  traced("latency=exp:1ms", {"--read", "0"});
  const Finished shown = read({"--as", "rados-bench"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("  sec Cur ops   started  finished  avg MB/s"));
  EXPECT_THAT(shown.out,
              ContainsRegex("Total writes made: +" +
                            std::to_string(record()["totals"]["all"]["ops"].get<int>()) + "\n"));
}

TEST_F(TraceCli, FioLogs_UseTheGivenPrefixAndAreNotOverwritten) {
  traced("latency=exp:1ms");
  EXPECT_EQ(read({"--as", "fio-log"}).status, usage) << "where to?";
  const std::string prefix = (m_folder.path() / "logs").string();
  const Finished written = read({"--as", "fio-log", "--output", prefix});
  EXPECT_EQ(written.status, 0) << written.err;
  for (const char* const kind : {"lat", "slat", "clat", "bw", "iops"}) {
    EXPECT_GT(lines(read_file(prefix + "_" + kind + ".1.log")), 2U) << kind;
  }
  EXPECT_THAT(written.err, ContainsRegex("the mean latency of each millisecond and direction: "
                                         "[0-9,]+ rows for [0-9,]+ operations"));
  const std::string before = read_file(prefix + "_clat.1.log");
  const Finished again = read({"--as", "fio-log", "--output", prefix});
  EXPECT_EQ(again.status, refused);
  EXPECT_THAT(again.err, HasSubstr("never overwritten"));
  EXPECT_EQ(read_file(prefix + "_clat.1.log"), before);
}

TEST_F(TraceCli, NothingMeasured_NoFileIsOverwrittenOrLeft) {
  m_folder.with("run.npy", "mine");
  const Finished done = traced("latency=exp:1ms");
  EXPECT_EQ(done.status, refused);
  EXPECT_EQ(done.out, "") << "nothing was measured";
  EXPECT_THAT(done.err, HasSubstr("overwritten"));
  EXPECT_EQ(read_file(trace()), "mine");
}

TEST_F(TraceCli, UnwritablePath_IsRefusedBeforeTheRun) {
  const Finished done = run({"--target", "sim", "--pattern", "randrw4k", "--time", "3", "--trace",
                             (m_folder.path() / "no" / "such.npy").string()});
  EXPECT_EQ(done.status, refused);
  EXPECT_EQ(done.out, "");
  EXPECT_THAT(done.err, HasSubstr("no/such.npy"));
}

TEST_F(TraceCli, DryRun_WritesNoTrace) {
  EXPECT_EQ(traced("latency=exp:1ms", {"--dry-run"}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(trace()));
}

TEST_F(TraceCli, RunThatCannotStart_LeavesNoTrace) {
  EXPECT_EQ(traced("speed=1").status, usage);
  EXPECT_FALSE(std::filesystem::exists(trace()));
}

TEST_F(TraceCli, Series_RefusesATrace) {
  const Finished done = traced("latency=exp:1ms", {"--qd", "1:4"});
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("single run"));
  EXPECT_FALSE(std::filesystem::exists(trace()));
}

// Files may not grow beyond 64 KiB: what a full disk looks like to whoever writes.
TEST_F(TraceCli, AFullDiskEndsTheTraceAndNotTheRun) {
  const Finished done = shell("ulimit -f 64; trap '' XFSZ; exec '" + radosload_path() +
                              "' --target null --pattern randread4k --ops 30000 --warmup 0 "
                              "--no-progress --save none --format json --trace '" +
                              trace() + "'");
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("EFBIG"));
  const json record = json::parse(done.out);
  EXPECT_EQ(record["totals"]["all"]["ops"], 30000) << "the run has gone on";
  const std::uint64_t rows = (65536 - 512) / 48;
  EXPECT_THAT(record["warnings"].dump(),
              HasSubstr(std::to_string(30000 - rows) + " of 30000 operations are not in"));
  EXPECT_THAT(record["events"].dump(), HasSubstr("cannot write the trace"));
  const Finished shown = read();
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("incomplete"));
  EXPECT_THAT(shown.out, HasSubstr("1,354 operations"));
}

TEST_F(TraceCli, CtrlCKeepsEveryRow) {
  Process process({.words = {radosload_path(), "--target", "sim", "--threads", "1", "--sim",
                             "latency=const:2ms", "--pattern", "randread4k,qd=4", "--time", "60",
                             "--warmup", "0", "--save", record_path(), "--trace", trace()},
                   .env = env()});
  ASSERT_TRUE(process.wait_for_output("    2 "));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, interrupted);
  EXPECT_EQ(std::filesystem::file_size(trace()), 512 + 48 * ended(record()));
  EXPECT_THAT(read().out, HasSubstr("whole"));
}

TEST_F(TraceCli, AKilledRunLeavesAReadableTrace) {
  Process process({.words = {radosload_path(), "--target", "sim", "--threads", "1", "--sim",
                             "latency=const:2ms", "--pattern", "randread4k,qd=4", "--time", "60",
                             "--warmup", "0", "--save", "none", "--trace", trace()},
                   .env = env()});
  ASSERT_TRUE(process.wait_for_output("    3 "));
  process.signal(SIGKILL);
  process.wait();
  const Finished shown = read();
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("incomplete"));
  // All but what came in the last moment, of three seconds and a few hundred operations each.
  EXPECT_THAT(shown.out, ContainsRegex("span +[2-9][. ]"));
}

// Its last row says that it came back after forty days.
TEST_F(TraceCli, TraceOverWeeks_HasASummaryButNoFormatsWithALinePerSecond) {
  ASSERT_EQ(traced("latency=const:100ms", {"--qd", "2"}).status, 0);
  std::string bytes = read_file(trace());
  const std::int64_t forty_days = std::int64_t{40} * 86'400 * 1'000'000'000;
  constexpr std::size_t row_size = 48;
  constexpr std::size_t complete_at = 16;
  bytes.replace(bytes.size() - row_size + complete_at, sizeof forty_days,
                std::string(reinterpret_cast<const char*>(&forty_days), sizeof forty_days));
  m_folder.with("run.npy", bytes);
  for (const char* const format : {"rados-bench", "fio-log"}) {
    std::vector<std::string> words = {"--as", format};
    if (std::string(format) == "fio-log") words.insert(words.end(), {"--output", trace() + "-log"});
    const Finished done = read(words);
    EXPECT_EQ(done.status, flawed) << format << done.err;
    EXPECT_EQ(done.out, "") << format;
    EXPECT_THAT(done.err, HasSubstr("2 d 0 h")) << format;
  }
  EXPECT_EQ(read().status, 0);
  EXPECT_EQ(read({"--as", "csv"}).status, 0);
}

TEST_F(TraceCli, FileThatIsNotATrace_ErrorNamesIt) {
  m_folder.with("run.npy", "PK, and no array");
  const Finished shown = read();
  EXPECT_EQ(shown.status, usage);
  EXPECT_THAT(shown.err, HasSubstr("run.npy"));
  EXPECT_THAT(shown.err, HasSubstr("not a .npy file"));
  EXPECT_EQ(read({"--as", "xml"}).status, usage);
  EXPECT_EQ(read({"--output", "x"}).status, usage);
  EXPECT_EQ(run({"trace"}).status, usage);
}

}  // namespace
}  // namespace radosload::test
