// What the figures mean, in every place where they are shown.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "radosload/units.h"

#include <gmock/gmock.h>

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

class FiguresCli : public testing::Test {
 protected:
  Finished call(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_folder.path().string()}});
  }
  Finished sim(const std::string& sim, std::vector<std::string> words, int status = 0) {
    words.insert(words.begin(), {"run", "--target", "sim", "--sim", sim, "--no-progress"});
    Finished done = call(std::move(words));
    EXPECT_EQ(done.status, status) << done.err;
    return done;
  }
  // The one run that is saved, once more.
  std::string shown_as(const std::string& format) {
    return call({"report", "last", "--format", format}).out;
  }
  std::string path(const char* name) const { return (m_folder.path() / name).string(); }

  TemporaryFolder m_folder;
};

// The lines below the table of rados bench, and its rows.
std::vector<std::string> lines_with(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (testing::Matches(ContainsRegex(pattern))(line)) found.push_back(line);
    begin = end + 1;
  }
  return found;
}

TEST_F(FiguresCli, AfterAWarmUp_EachSecondCountsWhatFinishedInIt) {
  // 72 a second, each answered 1.5 s after it was sent.
  const Finished done =
      sim("latency=const:1500ms", {"--pattern", "radosbench-rand", "--rate", "72", "--qd", "200",
                                   "--time", "4", "--warmup", "5", "--format", "json"});
  const json record = json::parse(done.out);
  for (std::size_t second = 0; second < 4; ++second) {
    EXPECT_EQ(record["timeline"][second]["ops"], 72) << second;
    EXPECT_EQ(record["timeline"][second]["osds"]["osd.0"]["ops"], 72) << second;
  }
  EXPECT_EQ(record["totals"]["all"]["iops"], 72.0);
  EXPECT_EQ(record["totals"]["all"]["mib_per_s"], 72 * 4.0);
  EXPECT_EQ(record["osds"]["osd.0"]["read"]["iops"], 72.0);
  EXPECT_EQ(record["totals"]["all"]["ops"], 288);
}

// On threads: in virtual time nothing happens between the phases.
TEST_F(FiguresCli, RowsFollowEachOtherWithoutAGap) {
  const Finished done = call({"run", "--target", "null", "--pattern", "randread4k", "--warmup", "1",
                              "--time", "2", "--format", "json", "--no-progress"});
  const json rows = json::parse(done.out)["timeline"];
  double next = 0;
  for (const json& row : rows) {
    EXPECT_NEAR(row["t_s"].get<double>(), next, 1e-8);
    next = row["t_s"].get<double>() + row["length_s"].get<double>();
  }
  EXPECT_FALSE(rows.empty());
}

// While everything fails, a closed loop pauses. What waits in a pause was not sent yet, and is not
// sent any more when the phase is over.
TEST_F(FiguresCli, PausesOfAClosedLoopCountNothingAsSent) {
  const Finished done =
      sim("latency=const:5ms,error=EIO:1",
          {"--pattern", "randread4k,qd=4", "--time", "2", "--warmup", "0", "--format", "json"}, 1);
  const json record = json::parse(done.out);
  EXPECT_EQ(record["timeline"][0]["in_flight"], 0);
  EXPECT_EQ(record["timeline"][0]["flow"]["submitted"], 48);
  EXPECT_EQ(record["totals"]["all"]["errors"]["EIO"], 84);
  EXPECT_DOUBLE_EQ(record["last_answer_s"].get<double>(), 2.0) << "none was sent after 2 s";
}

TEST_F(FiguresCli, RadosBenchDividesByTheTimeUntilTheLastAnswer) {
  sim("latency=const:3s", {"--pattern", "radosbench-rand", "--time", "10", "--warmup", "0"});
  const json all = json::parse(shown_as("json"))["totals"]["all"];
  EXPECT_DOUBLE_EQ(all["iops"].get<double>(), 4.8) << "48 finished in 10 s";
  EXPECT_DOUBLE_EQ(all["mib_per_s"].get<double>(), 19.2);
  const std::string bench = shown_as("rados-bench");
  EXPECT_THAT(bench, ContainsRegex("Total time run: +12\n"));
  EXPECT_THAT(bench, ContainsRegex("Total reads made: +64\n"));
  EXPECT_THAT(bench, ContainsRegex("Bandwidth .MB/sec.: +21.3333\n"));
  EXPECT_THAT(shown_as("fio-json"), HasSubstr("\"iops\" : 4.800000"));
  EXPECT_THAT(shown_as("text"), ContainsRegex("read +64 +4.80 +19.2 "));
}

// The same run in every other place that shows a rate: what finished in the measured phase, by its
// length.
TEST_F(FiguresCli, ThroughputIsTheSameInComparisonsTablesAndPages) {
  sim("latency=const:3s", {"--pattern", "radosbench-rand", "--time", "10", "--warmup", "0"});
  const std::string compared = call({"compare", "last", "last"}).out;
  EXPECT_THAT(compared, ContainsRegex("IOPS +4.80 +4.80 "));
  EXPECT_THAT(compared, ContainsRegex("MiB/s +19.2 +19.2 "));
  const std::string prometheus = shown_as("prometheus");
  EXPECT_THAT(prometheus,
              ContainsRegex("radosload_operations_per_second[{][^}]*op=\"read\"[}] 4.8\n"));
  EXPECT_THAT(prometheus, ContainsRegex("radosload_bytes_per_second[{][^}]*[}] 20132659.2\n"));
  EXPECT_THAT(prometheus, ContainsRegex("radosload_operations[{][^}]*[}] 64\n"));
  // A row for each of ten seconds: 16 finish in the third, the sixth and the ninth.
  const std::string csv = shown_as("csv");
  EXPECT_EQ(lines_with(csv, "^[0-9]+-[0-9a-f-]+,[0-9],1,").size(), 10U) << csv;
  EXPECT_EQ(lines_with(csv, "^[0-9]+-[0-9a-f-]+,[258],1,16,16,64,").size(), 3U) << csv;
  EXPECT_EQ(call({"report", "last", "-o", path("run.html")}).status, 0);
  EXPECT_THAT(read_file(path("run.html")),
              HasSubstr("<th scope=\"row\">read</th><td>64</td><td>4.80</td><td>19.2</td>"));
}

TEST_F(FiguresCli, TheTraceOfARunGivesTheFiguresOfItsRecord) {
  sim("latency=uniform:500ms:1500ms,osds=3", {"--pattern", "radosbench-rand", "--time", "10",
                                              "--warmup", "5", "--trace", path("run.npy")});
  const std::string traced = call({"trace", path("run.npy"), "--as", "rados-bench"}).out;
  const std::string recorded = shown_as("rados-bench");
  const std::string of_runs = "^Total|^Read size|^Bandwidth|IOPS|atency|^ +[0-9]+ ";
  EXPECT_EQ(lines_with(traced, of_runs), lines_with(recorded, of_runs));
  EXPECT_GT(lines_with(traced, of_runs).size(), 15U);
  // The summary has columns of its own; IOPS and MiB/s are the same in both.
  const json all = json::parse(shown_as("json"))["totals"]["all"];
  EXPECT_THAT(
      call({"trace", path("run.npy")}).out,
      ContainsRegex(fmt::format("read +{} +0 +{:.1f} +{:.1f} ", all["ops"].get<int>(),
                                all["iops"].get<double>(), all["mib_per_s"].get<double>())));
}

// Operations that were never sent, cancelled, timed out or never answered are in both, with the
// time that they had waited.
TEST_F(FiguresCli, LostOperations_TraceAndRecordHaveTheSamePercentiles) {
  struct Case {
    const char* name;
    const char* sim;
    std::vector<std::string> words;
    int status;
    const char* sign;  // that the case is what it is meant to be
  };
  const std::vector<Case> cases = {{"falls behind",
                                    "latency=const:100ms",
                                    {"--rate", "1000", "--qd", "1", "--warmup", "0"},
                                    0,
                                    "/unissued"},
                                   {"stall",
                                    "latency=const:1ms,stall=3s:1s",
                                    {"--rate", "1000", "--qd", "64", "--warmup", "1"},
                                    0,
                                    ""},
                                   {"cancelled",
                                    "latency=const:1ms,stall=3s:1h",
                                    {"--rate", "100", "--qd", "64", "--warmup", "1"},
                                    1,
                                    "/measured/cancelled"},
                                   {"never answered",
                                    "latency=exp:1ms,osds=3,never=0.001",
                                    {"--qd", "16", "--warmup", "0"},
                                    1,
                                    "/unfinished"},
                                   {"never answered, open loop",
                                    "latency=exp:1ms,never=0.01",
                                    {"--rate", "500", "--qd", "8", "--warmup", "0"},
                                    1,
                                    "/unfinished"},
                                   {"timed out",
                                    "latency=exp:5ms,error=ETIMEDOUT:0.02",
                                    {"--qd", "8", "--warmup", "1"},
                                    1,
                                    "/measured/failed"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string file = path("run.npy");
    std::vector<std::string> words = {"--pattern", "randrw4k", "--time",  "5",
                                      "--drain",   "2",        "--trace", file};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const Finished done = sim(one.sim, words, one.status);
    const json record = json::parse(shown_as("json"));
    const json traced = json::parse(call({"trace", file, "--json"}).out);
    EXPECT_EQ(traced["complete"], true);
    for (const char* const key : {"measured", "carried", "unissued", "unfinished"}) {
      EXPECT_EQ(traced["counts"][key], record["counts"][key]) << key;
    }
    if (*one.sign != '\0') {
      EXPECT_GT(traced["counts"][json::json_pointer(one.sign)].get<int>(), 0);
      EXPECT_GT(traced["totals"]["all"]["lost"].get<int>(), 0);
    }
    EXPECT_EQ(traced["totals"], record["totals"]);
    // A trace in which nothing was late does not tell an open loop from a closed one.
    const json& late = record["late_us"];
    if (late.is_null() || late["max"] > 0) {
      EXPECT_EQ(traced["late_us"], late);
    }
    // The text has the same bounds as the report's.
    const auto bounds = [](const std::string& text) { return lines_with(text, "  lost  "); };
    EXPECT_EQ(bounds(call({"trace", file}).out), bounds(done.out));
    std::filesystem::remove(file);
  }
}

TEST_F(FiguresCli, Trace_ShowsHowLateOperationsWereSent) {
  sim("latency=const:1ms", {"--threads", "1", "--pattern", "randread4k", "--rate", "500", "--time",
                            "3", "--warmup", "0", "--trace", path("run.npy")});
  const json late = json::parse(shown_as("json"))["late_us"];
  const auto text = [&late](const char* name) {
    return human_text(Time(std::llround(late[name].get<double>() * 1000)));
  };
  EXPECT_THAT(call({"trace", path("run.npy")}).out,
              HasSubstr(fmt::format("median {} after operations were due, p99 {}, max {}",
                                    text("p50"), text("p99"), text("max"))));
}

// Half of all operations are due in a stall of 3 s or while its backlog is sent.
TEST_F(FiguresCli, LateSending_IsReportedIfItDistortsResponseTimes) {
  const std::vector<std::string> words = {"--pattern", "randread4k", "--rate", "500",      "--qd",
                                          "1",         "--time",     "10",     "--warmup", "0"};
  const Finished done = sim("latency=const:1ms,stall=1s:3s", words);
  const json record = json::parse(shown_as("json"));
  const double late = record["late_us"]["p50"].get<double>();
  const double median = record["totals"]["all"]["response_us"]["p50"].get<double>();
  const auto text = [&record](const char* name) {
    return human_text(Time(std::llround(record["late_us"][name].get<double>() * 1000)));
  };
  ASSERT_GT(late, 100'000);
  ASSERT_GT(late, 0.05 * median);
  EXPECT_THAT(done.out, HasSubstr(fmt::format("sent late median {} after they were due, p99 {}: "
                                              "{:.0f} % of the median response time",
                                              text("p50"), text("p99"), 100 * late / median)));
  EXPECT_THAT(sim("latency=const:1ms", words).out, Not(HasSubstr("sent late")));
}

TEST_F(FiguresCli, LostOperations_CountInThePercentiles) {
  const Finished done = sim("latency=const:1ms,stall=8s:1h",
                            {"--pattern", "randread4k", "--rate", "1000", "--time", "10",
                             "--warmup", "0", "--drain", "5"},
                            1);
  const json all = json::parse(shown_as("json"))["totals"]["all"];
  EXPECT_EQ(all["lost"], 2001);
  EXPECT_EQ(all["response_us"]["p50"], 1000.0);
  for (const char* const name : {"p90", "p99", "p99.9", "max"}) {
    EXPECT_TRUE(all["response_us"].contains(name));
    EXPECT_EQ(all["response_us"][name], nullptr) << name;
  }
  EXPECT_THAT(done.out,
              ContainsRegex("1.00 +1.00 +> [0-9],[0-9]+ +> 6,[0-9]+ +> [67],[0-9]+ +> 7,0"));
  EXPECT_THAT(done.out, HasSubstr("2,001 operations cancelled; percentiles count"));
}

// A third of the operations was never sent. How long those would have taken nobody knows, so from
// the rank on that some of them may have, there is no figure but a bound.
TEST_F(FiguresCli, OperationsNotSent_LeavePercentilesAboveThemOpenInEveryOutput) {
  const Finished done =
      sim("latency=const:10ms,osds=1,servers=2", {"--pattern", "randread4k,qd=4", "--rate", "300",
                                                  "--time", "20", "--warmup", "0", "--seed", "1"});
  const json all = json::parse(shown_as("json"))["totals"]["all"];
  ASSERT_GT(all["lost"], 1900);
  const json& response = all["response_us"];
  double before = 0;
  for (const char* const name : {"p50", "p90", "p99", "p99.9", "max"}) {
    EXPECT_EQ(response[name], nullptr) << name;
    EXPECT_GE(response["at_least"][name], before) << name;
    before = response["at_least"][name];
  }
  EXPECT_NEAR(response["at_least"]["p50"].get<double>(), 3.34e6, 0.05e6);
  EXPECT_THAT(done.out, ContainsRegex("> 3[.]3[0-9] +> 6[.]0[0-9] +> 6[.]6[0-9] "));
  EXPECT_THAT(call({"compare", "last", "last"}).out, ContainsRegex("p50 us +> 3,3[0-9,]+ +> 3,3"));
  EXPECT_THAT(shown_as("prometheus"), Not(ContainsRegex("response_seconds[{][^}]*quantile")));
}

TEST_F(FiguresCli, OperationsNotSent_AreTheSameNumberInEveryOutput) {
  const Finished done = sim("latency=const:100ms", {"--pattern", "randread4k", "--rate", "1000",
                                                    "--qd", "1", "--time", "5", "--warmup", "5"});
  const json record = json::parse(shown_as("json"));
  EXPECT_EQ(record["counts"]["unissued"], 5000);
  EXPECT_EQ(record["totals"]["all"]["iops"], 10.0) << "of what the warm-up left behind";
  EXPECT_THAT(done.out, HasSubstr("5,000 operations due but never sent"));
  EXPECT_THAT(done.out, HasSubstr("5000 operations were due"));
  EXPECT_THAT(shown_as("fio-json"), HasSubstr("\"drop_ios\" : 5000"));
  const Finished compared = call({"compare", "last", "last"});
  EXPECT_THAT(compared.out, ContainsRegex("not sent +5,000 +5,000 "));
}

TEST_F(FiguresCli, OperationsBeyondTheLimit_AreNotCountedAsNotSent) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--rate", "500", "--ops", "500"},
        std::vector<std::string>{"--rate", "100", "--ops", "200", "--clients", "4", "--time",
                                 "1"}}) {
    std::vector<std::string> all = {"--pattern", "randread4k", "--warmup", "0", "--format", "json"};
    all.insert(all.end(), words.begin(), words.end());
    const json record = json::parse(sim("latency=const:1ms,threads=2", all).out);
    EXPECT_EQ(record["counts"]["unissued"], 0);
    EXPECT_EQ(record["warnings"], json::array());
  }
}

// Each operation waits for the one before, and so longer and longer.
TEST_F(FiguresCli, OpTimeout_EndsSimulatedOperationsAsARealClientDoes) {
  const std::vector<std::string> words = {
      "--pattern", "randread4k,qd=8", "--op-timeout", "100ms", "--time", "2", "--warmup", "0"};
  const Finished done = sim("latency=const:50ms,servers=1", words, 1);
  EXPECT_THAT(done.out, ContainsRegex("errors +read: [0-9]+ ETIMEDOUT"));
  const json record = json::parse(shown_as("json"));
  EXPECT_EQ(record["totals"]["read"]["service_us"]["max"], nullptr);
  EXPECT_EQ(record["totals"]["read"]["service_us"]["at_least"]["max"], 100'000);
}

TEST_F(FiguresCli, Librados_HasTheSameVersionInARecordAsInVersion) {
  sim("latency=const:1ms", {"--pattern", "randread4k", "--ops", "10", "--warmup", "0"});
  const json client = json::parse(shown_as("json"))["environment"]["client"];
  EXPECT_THAT(call({"--version"}).out,
              HasSubstr("librados " + client["librados"].get<std::string>() + ")"));
}

}  // namespace
}  // namespace radosload::test
