#include <set>

#include <gtest/gtest.h>

#include "radosload/outcome.h"

#include "report/compat/fio_json.h"
#include "report/compat/fio_terms.h"
#include "support/files.h"
#include "support/golden.h"
#include "unit/report_support.h"

#include <nlohmann/json.hpp>

namespace radosload::report {
namespace {

using nlohmann::json;
using record::Cell;
using record::Interval;
using record::RunRecord;
using std::chrono::milliseconds;
using test::expect_golden;
using test::fixture;
using testing::only;
using testing::run_of;
using testing::Scenario;

json fio_of(const RunRecord& record) {
  return json::parse(fio_json(record));
}

json job_of(const RunRecord& record) {
  return fio_of(record)["jobs"][0];
}

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// Nearest rank, from nothing but the bins: what any reader of them computes.
std::uint64_t rank_in(const json& bins, std::uint64_t ppm) {
  std::map<std::uint64_t, std::uint64_t> sorted;
  std::uint64_t total = 0;
  for (const auto& [value, count] : bins.items()) {
    sorted[std::stoull(value)] = count.get<std::uint64_t>();
    total += count.get<std::uint64_t>();
  }
  const std::uint64_t rank = (ppm * total + 999'999) / 1'000'000;
  std::uint64_t seen = 0;
  for (const auto& [value, count] : sorted) {
    seen += count;
    if (seen >= rank) return value;
  }
  return 0;
}

// A record of operations that took these times, all from one second.
RunRecord record_with(OpKind kind, const std::vector<Time>& latencies,
                      const Scenario& scenario = only(OpKind::write)) {
  std::vector<Slot> finished;
  for (const Time latency : latencies) {
    Slot slot;
    slot.phase = Phase::measure;
    slot.op.kind = kind;
    slot.completed = latency;
    slot.outcome.bytes = 4096;
    finished.push_back(slot);
  }
  record::RunHeader header = record::testing::a_header();
  header.plan = plan::testing::plan_of(scenario.plan);
  const std::vector<Interval> intervals = {record::testing::interval_of(finished)};
  record::Folder folder(header);
  folder.add(intervals[0]);
  folder.add(record::testing::footer_for(intervals));
  return folder.record();
}

void add_pairs(RunRecord& record, const std::vector<Time>& latencies) {
  Cell& pairs = record::cell_for(record.kinds, no_osd, OpKind::sync);
  for (const Time latency : latencies) {
    const auto ns = static_cast<std::uint64_t>(latency.count());
    pairs.latency.add(ns, ns);
    ++pairs.finished.ops;
  }
}

TEST(FioJson, Golden) {
  Scenario scenario;
  scenario.seconds = 3;
  scenario.ops_per_second = 12;
  scenario.failing_every = 9;
  expect_golden("fio.json", fio_json(run_of(scenario)));
}

// Whatever stands in a report of fio stands in ours, and is of the same type; but for what we do
// not know, or what belongs to features of fio that nobody asked for.
TEST(FioJson, KeysAndTypesAreThoseOfFio) {
  const std::set<std::string> left_out = {"ctx",
                                          "majf",
                                          "minf",
                                          "iodepth_submit",
                                          "iodepth_complete",
                                          "latency_depth",
                                          "latency_target",
                                          "latency_percentile",
                                          "latency_window"};
  const json ours = fio_of(run_of({}));
  for (const char* version : {"16.2.15", "18.2.7"}) {
    const json theirs = json::parse(fixture(version, "fio-rbd.json"));
    for (const char* key : {"fio version", "timestamp", "timestamp_ms", "time", "jobs"}) {
      ASSERT_TRUE(theirs.contains(key) && ours.contains(key)) << key;
      EXPECT_STREQ(ours[key].type_name(), theirs[key].type_name()) << key;
    }
    for (const auto& [key, value] : theirs["jobs"][0].items()) {
      if (left_out.contains(key)) continue;
      ASSERT_TRUE(ours["jobs"][0].contains(key)) << key;
      EXPECT_STREQ(ours["jobs"][0][key].type_name(), value.type_name()) << key;
    }
    for (const char* table : {"iodepth_level", "latency_ns", "latency_us", "latency_ms"}) {
      EXPECT_EQ(keys_of(ours["jobs"][0][table]), keys_of(theirs["jobs"][0][table])) << table;
    }
  }
}

TEST(FioJson, DirectionsAndLatenciesHaveTheKeysOfFio) {
  const json ours = job_of(run_of({}));
  const json theirs = json::parse(fixture("18.2.7", "fio-rbd.json"))["jobs"][0];
  for (const char* direction : {"read", "write", "trim"}) {
    EXPECT_EQ(keys_of(ours[direction]), keys_of(theirs[direction])) << direction;
    for (const auto& [key, value] : theirs[direction].items()) {
      const json& mine = ours[direction][key];
      EXPECT_EQ(mine.is_number_float(), value.is_number_float()) << direction << " " << key;
    }
    EXPECT_EQ(keys_of(ours[direction]["clat_ns"]), keys_of(theirs[direction]["clat_ns"]));
  }
  EXPECT_EQ(keys_of(ours["read"]["clat_ns"]["percentile"]),
            keys_of(theirs["read"]["clat_ns"]["percentile"]));
  EXPECT_EQ(keys_of(ours["sync"]), keys_of(theirs["sync"]));
}

TEST(FioJson, FiguresAreThoseOfTheRecord) {
  const RunRecord record = run_of({});
  const json read = job_of(record)["read"];
  const Cell cell = fio_total(record, FioDirection::read);
  ASSERT_EQ(cell.ops(), 7500U);
  EXPECT_EQ(read["total_ios"], 7500);
  EXPECT_EQ(read["io_bytes"], 7500 * 4096);
  EXPECT_EQ(read["io_kbytes"], 7500 * 4);
  EXPECT_EQ(read["runtime"], 25000);
  EXPECT_NEAR(read["iops"].get<double>(), 300, 1e-6);
  EXPECT_EQ(read["bw_bytes"], 300 * 4096);
  EXPECT_EQ(read["bw"], 1200);
  EXPECT_EQ(read["clat_ns"]["N"], 7500);
  EXPECT_EQ(read["clat_ns"]["min"], cell.latency.service().min());
  EXPECT_EQ(read["clat_ns"]["max"], cell.latency.service().max());
  EXPECT_NEAR(read["clat_ns"]["mean"].get<double>(), cell.latency.service().mean(), 1e-3);
  EXPECT_EQ(read["clat_ns"]["percentile"]["50.000000"],
            cell.latency.service().value_at(record::p50));
  EXPECT_EQ(read["clat_ns"]["percentile"]["99.900000"],
            cell.latency.service().value_at(record::p999));
  EXPECT_EQ(read["clat_ns"], read["lat_ns"]) << "a closed loop: due when sent";
  EXPECT_EQ(read["slat_ns"]["N"], 0);
}

TEST(FioJson, Bins_GiveTheSamePercentiles) {
  const json clat = job_of(run_of({}))["write"]["clat_ns"];
  std::uint64_t counted = 0;
  for (const auto& [value, count] : clat["bins"].items()) counted += count.get<std::uint64_t>();
  EXPECT_EQ(counted, clat["N"]);
  for (const auto& [percent, value] : clat["percentile"].items()) {
    const auto ppm = static_cast<std::uint64_t>(std::llround(std::stod(percent) * 10'000));
    EXPECT_EQ(rank_in(clat["bins"], ppm), value) << percent;
  }
}

TEST(FioJson, TheDeviationIsThatOfASample) {
  const json clat =
      job_of(record_with(OpKind::write, {milliseconds(1), milliseconds(3)}))["write"]["clat_ns"];
  EXPECT_NEAR(clat["stddev"].get<double>(), 1e6 * std::sqrt(2), 2e3);
}

// fio_jsonplus_clat2csv would go on for ever.
TEST(FioJson, NoBinLiesBeyondTheLastOfFio) {
  const std::vector<Time> latencies = {milliseconds(1), std::chrono::seconds(30),
                                       std::chrono::minutes(11)};
  const json clat = job_of(record_with(OpKind::write, latencies))["write"]["clat_ns"];
  EXPECT_EQ(clat["bins"].size(), 2U);
  EXPECT_EQ(clat["bins"]["17112760320"], 2);
  EXPECT_EQ(clat["max"], 660'000'000'000U) << "the figures themselves are not cut";
  EXPECT_EQ(clat["percentile"]["99.000000"], 660'000'000'000U);
}

TEST(FioJson, OpenLoop_LatIncludesTheWaitAndClatDoesNot) {
  Scenario scenario = only(OpKind::read);
  scenario.delay = milliseconds(10);  // of every fifth
  const json read = job_of(run_of(scenario))["read"];
  const double wait = read["lat_ns"]["mean"].get<double>() - read["clat_ns"]["mean"].get<double>();
  EXPECT_NEAR(wait, 2e6, 1);
  EXPECT_LT(read["clat_ns"]["percentile"]["90.000000"], 4'000'000);
  EXPECT_GT(read["lat_ns"]["percentile"]["90.000000"], 10'000'000);
}

// Seconds of 2, 4 and 6 writes of 4 KiB.
TEST(FioJson, BandwidthAndIopsAreSpreadOverTheSeconds) {
  std::vector<Interval> intervals;
  record::Folder folder(record::testing::a_header());
  for (int second = 0; second < 3; ++second) {
    std::vector<Slot> finished(static_cast<std::size_t>(2 * second + 2));
    for (Slot& slot : finished) {
      slot.op.kind = OpKind::write;
      slot.phase = Phase::measure;
      slot.completed = milliseconds(100);
      slot.outcome.bytes = 4096;
    }
    intervals.push_back(record::testing::interval_of(finished, std::chrono::seconds(second)));
    folder.add(intervals.back());
  }
  folder.add(record::testing::footer_for(intervals));
  const json job = job_of(folder.record());
  const json& write = job["write"];
  EXPECT_EQ(write["iops_min"], 2);
  EXPECT_EQ(write["iops_max"], 6);
  EXPECT_DOUBLE_EQ(write["iops_mean"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(write["iops_stddev"].get<double>(), 2);
  EXPECT_EQ(write["iops_samples"], 3);
  EXPECT_EQ(write["bw_min"], 8);
  EXPECT_EQ(write["bw_max"], 24);
  EXPECT_DOUBLE_EQ(write["bw_mean"].get<double>(), 16);
  EXPECT_DOUBLE_EQ(write["bw_dev"].get<double>(), 8);
  EXPECT_EQ(write["bw_samples"], 3);
  EXPECT_DOUBLE_EQ(write["bw_agg"].get<double>(), 100);
  EXPECT_EQ(job["read"]["bw_samples"], 0);
}

TEST(FioJson, SyncIsThePairOfWriteAndFlush) {
  RunRecord record = record_with(OpKind::write, {milliseconds(1), milliseconds(1)});
  record::cell_for(record.kinds, no_osd, OpKind::flush).latency.add(5'000'000, 5'000'000);
  add_pairs(record, {milliseconds(6), milliseconds(8)});
  const json job = job_of(record);
  EXPECT_EQ(job["sync"]["total_ios"], 2);
  EXPECT_EQ(job["sync"]["lat_ns"]["percentile"]["99.000000"], 8'000'000);
  EXPECT_EQ(job["write"]["total_ios"], 2) << "neither flushes nor pairs are writes";
  EXPECT_EQ(job["write"]["clat_ns"]["max"], 1'000'000);
}

TEST(FioJson, TargetWithoutFlush_DurableWriteCountsAsSync) {
  Scenario scenario = only(OpKind::write);
  scenario.plan = R"({"pattern":"etcd-wal"})";
  const json job = job_of(record_with(OpKind::write, {milliseconds(3)}, scenario));
  EXPECT_EQ(job["sync"]["total_ios"], 1);
  EXPECT_EQ(job["sync"]["lat_ns"]["percentile"]["99.000000"], 3'000'000);
  EXPECT_EQ(job["job options"]["fdatasync"], "1");
  const json other = job_of(record_with(OpKind::write, {milliseconds(3)}));
  EXPECT_EQ(other["sync"]["total_ios"], 0) << "nobody asked for writes to be flushed";
}

TEST(FioJson, ImagesOfARun_AreInItsOptions) {
  RunRecord record = record_with(OpKind::read, {milliseconds(1)});
  EXPECT_FALSE(job_of(record)["job options"].contains("rbdname"));
  record.header.environment = record::testing::environment_of(R"({"images":[{"name":"vm1"}]})");
  EXPECT_EQ(job_of(record)["job options"]["rbdname"], "vm1");
  record.header.environment =
      record::testing::environment_of(R"({"images":[{"name":"vm1"},{"name":"vm2"}]})");
  EXPECT_EQ(job_of(record)["job options"]["rbdname"], "vm1,vm2");
}

// What fio has no name for stands where it comes nearest, and nothing but flushes gets lost.
TEST(FioJson, EveryKindOfOperation_IsInTheOutput) {
  for (std::size_t i = 0; i < op_kind_count; ++i) {
    const auto kind = static_cast<OpKind>(i);
    const json job = job_of(record_with(kind, {milliseconds(1)}));
    std::vector<std::string> places;
    for (const char* place : {"read", "write", "trim", "sync"}) {
      if (job[place]["total_ios"] == 1) places.emplace_back(place);
    }
    const bool metadata = kind == OpKind::stat || kind == OpKind::list;
    const std::string expected = kind == OpKind::read || kind == OpKind::omap_get || metadata
                                     ? "read"
                                 : kind == OpKind::discard || kind == OpKind::remove ? "trim"
                                 : kind == OpKind::flush || kind == OpKind::sync     ? "sync"
                                                                                     : "write";
    EXPECT_EQ(places, std::vector<std::string>{expected}) << op_kind_name(kind);
  }
}

TEST(FioJson, FailuresAreCountedAndTheFirstIsNamed) {
  Scenario scenario;
  scenario.failing_every = 4;
  RunRecord record = run_of(scenario);
  const json job = job_of(record);
  EXPECT_EQ(job["error"], ENOENT);
  EXPECT_EQ(job["first_error"], ENOENT);
  EXPECT_EQ(job["total_err"], 2500);
  EXPECT_EQ(job["read"]["total_ios"].get<int>() + job["write"]["total_ios"].get<int>(), 7500);
  EXPECT_EQ(job_of(run_of({}))["error"], 0);
  record.timeline[0].all.errors = {{.rc = -EIO, .count = 1}};
  EXPECT_EQ(job_of(record)["first_error"], EIO) << "however many others came later";
}

TEST(FioJson, WrongData_IsAnErrorOfItsOwn) {
  RunRecord record = run_of(only(OpKind::read));
  Cell& cell = record::cell_for(record.kinds, no_osd, OpKind::read);
  record::add_error(cell.errors, rc_short_read, 3);
  for (record::Histogram* const lost : {&cell.lost.service, &cell.lost.response}) {
    for (const std::uint64_t waited : {1'000'000U, 2'000'000U}) lost->add(waited);
  }
  const json job = job_of(record);
  EXPECT_EQ(job["error"], EILSEQ);
  EXPECT_EQ(job["read"]["short_ios"], 3);
  EXPECT_EQ(job["read"]["drop_ios"], 2);
}

TEST(FioJson, TablesOfLatenciesHaveEveryOperationOnce) {
  using std::chrono::microseconds;
  using std::chrono::seconds;
  const json job =
      job_of(record_with(OpKind::write, {Time(1), Time(750), microseconds(1), microseconds(19),
                                         microseconds(20), microseconds(999), milliseconds(1),
                                         milliseconds(1999), seconds(2), seconds(9)}));
  double all = 0;
  for (const char* table : {"latency_ns", "latency_us", "latency_ms"}) {
    for (const auto& [label, share] : job[table].items()) all += share.get<double>();
  }
  EXPECT_NEAR(all, 100, 1e-4);
  EXPECT_DOUBLE_EQ(job["latency_ns"]["2"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_ns"]["1000"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_us"]["2"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_us"]["20"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_us"]["50"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_us"]["1000"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_ms"]["2"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_ms"]["2000"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(job["latency_ms"][">=2000"].get<double>(), 20);
}

TEST(FioJson, DepthsAreWeighedByWhatWasSubmitted) {
  RunRecord record = run_of({});
  ASSERT_EQ(record.timeline.size(), 25U);
  for (record::TimelineRow& row : record.timeline) row.in_flight = 64;
  record.timeline[0].in_flight = 63;
  record.timeline[1].in_flight = 0;
  const json levels = job_of(record)["iodepth_level"];
  EXPECT_DOUBLE_EQ(levels["1"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(levels["32"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(levels[">=64"].get<double>(), 92);
}

TEST(FioJson, TheClientsCostIsAShareOfItsTime) {
  RunRecord record = run_of({});
  record.client = {.user_s = 5, .system_s = 2.5, .peak_rss_mib = 10};
  EXPECT_DOUBLE_EQ(job_of(record)["usr_cpu"].get<double>(), 20);
  EXPECT_DOUBLE_EQ(job_of(record)["sys_cpu"].get<double>(), 10);
}

TEST(FioJson, OptionsAreTextsInBothPlacesWhereReadersLook) {
  const json fio = fio_of(run_of({}));
  const json& options = fio["jobs"][0]["job options"];
  EXPECT_EQ(options, fio["global options"]);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"name", "randrw4k"}, {"ioengine", "rados"}, {"rw", "randrw"},     {"bs", "4k"},
      {"iodepth", "64"},    {"numjobs", "1"},      {"size", "1G"},       {"runtime", "25"},
      {"pool", "hdd"},      {"rwmixread", "75"},   {"rwmixwrite", "25"}, {"ramp_time", "5"}};
  for (const auto& [key, value] : expected) EXPECT_EQ(options[key], value) << key;
  for (const auto& [key, value] : options.items()) EXPECT_TRUE(value.is_string()) << key;
}

TEST(FioJson, PatternsAreCalledAsFioWould) {
  const auto rw = [](const char* plan) { return fio_rw(plan::testing::plan_of(plan)); };
  EXPECT_EQ(rw(R"({"pattern":"randrw4k"})"), "randrw");
  EXPECT_EQ(rw(R"({"pattern":"seq","read":50})"), "rw");
  EXPECT_EQ(rw(R"({"pattern":"seq","read":0})"), "write");
  EXPECT_EQ(rw(R"({"pattern":"stat","access":"rand"})"), "randread");
  EXPECT_EQ(rw(R"({"pattern":"delete"})"), "trim");
}

TEST(FioJson, TheTimeIsThatOfTheBeginning) {
  const json fio = fio_of(run_of({}));
  EXPECT_EQ(fio["timestamp"], 1795233612);
  EXPECT_EQ(fio["timestamp_ms"], 1795233612000);
  EXPECT_EQ(fio["time"], "Sat Nov 21 04:00:12 2026");
}

TEST(FioJson, NothingMeasured_IsAValidReport) {
  const json job = job_of(RunRecord{});
  EXPECT_EQ(job["read"]["total_ios"], 0);
  EXPECT_FALSE(job["read"]["clat_ns"].contains("percentile")) << "as with fio";
}

TEST(FioJson, HostileNames_AreEscaped) {
  RunRecord record = run_of({});
  record.header.plan.pattern.name = "a\"b\\c\n\x01";
  EXPECT_EQ(job_of(record)["jobname"], "a\"b\\c\n\x01");
}

}  // namespace
}  // namespace radosload::report
