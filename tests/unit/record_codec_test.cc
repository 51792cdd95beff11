#include "record/record_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json_reading.h"
#include "record/journal.h"
#include "record/series.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

using nlohmann::json;
using testing::folded;
using testing::runs;
using testing::small_record;

RC_GTEST_PROP(RecordCodec, EveryRecord_ReadsBack, ()) {
  const RunRecord record = folded(*runs());
  const auto again = from_json(to_json(record), "x");
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == record);
  RC_ASSERT(to_json(*again) == to_json(record));
}

RC_GTEST_PROP(RecordCodec, DamagedTextIsAnErrorThatNamesItsSource, ()) {
  std::string text = to_json(folded(*runs()));
  text.resize(*rc::gen::inRange<std::size_t>(0, text.size() - 2));
  const auto record = from_json(text, "some/file.json");
  RC_ASSERT(!record.has_value());
  RC_ASSERT(record.error().subject == "some/file.json");
}

// Of a document with fifty thousand levels, the library's own descent ended the program.
TEST(RecordCodec, NestedTooDeeply_IsRefusedByEveryReaderWithTheLimit) {
  const std::string deep = std::string(50'000, '[') + std::string(50'000, ']');
  json record = json::parse(to_json(folded({})));
  record["environment"] = "DEEP";
  const auto deepened = [&deep](std::string text) {
    return text.replace(text.find("\"DEEP\""), 6, deep);
  };
  const auto limited = [](const auto& read) {
    return !read && read.error().message().find("100 levels") != std::string::npos;
  };
  EXPECT_TRUE(limited(from_json(deepened(record.dump()), "x")));
  EXPECT_TRUE(limited(read_json(deep)));
  EXPECT_TRUE(limited(decode_line(deepened(R"({"header":"DEEP"})"), "x")));
  EXPECT_TRUE(limited(series_from_json(deepened(R"({"steps":"DEEP"})"), "x")));
}

TEST(RecordCodec, KeysThatScriptsRelyOn) {
  const json record = json::parse(to_json(small_record()));
  EXPECT_EQ(record["schema"], "radosload.run/1");
  EXPECT_EQ(record["status"], "complete");
  EXPECT_EQ(record["grade"], json::parse(R"({"value":"unwatched","reasons":[]})"));
  EXPECT_EQ(record["plan"]["pattern"], "randrw4k");
  EXPECT_EQ(record["environment"]["fsid"], "0c4f");
  EXPECT_EQ(record["measured_s"], 1.0);
  EXPECT_EQ(record["client_cpu_s"], json::parse(R"({"user":1.25,"sys":0.5})"));
  EXPECT_EQ(record["peak_rss_mib"], 61.75);
  const json event = {{"t_s", 1.5}, {"kind", "stuck"}, {"text", "osd.3: 2 ops"}};
  EXPECT_EQ(record["events"], json::array({event}));
}

TEST(RecordCodec, Lateness_IsWrittenForOpenLoopsOnly) {
  EXPECT_TRUE(json::parse(to_json(small_record()))["late_us"].is_null());
  std::vector<Slot> finished(400);
  for (std::size_t i = 0; i < finished.size(); ++i) {
    finished[i].phase = Phase::measure;
    finished[i].submitted = std::chrono::microseconds(i < 200 ? 5 : 40);
    finished[i].completed = std::chrono::milliseconds(1);
  }
  finished.back().submitted = std::chrono::microseconds(70);
  const json late = json::parse(to_json(folded({testing::interval_of(finished)})))["late_us"];
  EXPECT_NEAR(late["p50"].get<double>(), 5, 0.01);
  EXPECT_NEAR(late["p99"].get<double>(), 40, 0.05);
  EXPECT_EQ(late["max"], 70.0);
}

TEST(RecordCodec, RecordWithoutLateness_IsRead) {
  json old = json::parse(to_json(small_record()));
  old.erase("late_us");
  const auto record = from_json(old.dump(), "x");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_TRUE(record->lateness.empty());
}

TEST(RecordCodec, TotalsHoldFiguresPerKindAndForAll) {
  const json record = json::parse(to_json(small_record()));
  const json& read = record["totals"]["read"];
  EXPECT_EQ(read["ops"], 100);
  EXPECT_EQ(read["bytes"], 100U << 20U);
  EXPECT_EQ(read["errors"], json::parse(R"({"ENOENT":1})"));
  EXPECT_EQ(read["iops"], 100.0);
  EXPECT_EQ(read["mib_per_s"], 100.0);
  const json& service = read["service_us"];
  EXPECT_EQ(service["mean"], 100.0);
  EXPECT_EQ(service["min"], 100.0);
  EXPECT_EQ(service["max"], 100.0);
  EXPECT_EQ(service["p50"], 100.0);
  EXPECT_EQ(service["p95"], 100.0);
  for (const char* key : {"stddev", "p90"}) EXPECT_TRUE(service[key].is_number()) << key;
  for (const char* key : {"p99", "p99.9", "p99.99"}) {
    EXPECT_TRUE(service.contains(key) && service[key].is_null()) << key;
  }
  EXPECT_EQ(read["response_us"], service);
  EXPECT_EQ(record["totals"]["all"], read);
  EXPECT_EQ(record["osds"]["osd.3"]["read"], read);
}

TEST(RecordCodec, TimelineAndHistograms) {
  const json record = json::parse(to_json(small_record()));
  ASSERT_EQ(record["timeline"].size(), 1U);
  const json& row = record["timeline"][0];
  EXPECT_EQ(row["t_s"], 0.0);
  EXPECT_EQ(row["ops"], 100);
  EXPECT_EQ(row["bytes"], 100U << 20U);
  EXPECT_EQ(row["errors"], json::parse(R"({"ENOENT":1})"));
  EXPECT_EQ(row["p50_us"], 100.0);
  EXPECT_TRUE(row["p99_us"].is_null());
  EXPECT_EQ(row["max_us"], 100.0);
  EXPECT_EQ(row["osds"]["osd.3"]["ops"], 100);
  const auto starts = [](const json& text) {
    return text.get<std::string>().starts_with("HISTFAAA");
  };
  EXPECT_TRUE(starts(record["histograms"]["all"]["read"]["service"]));
  EXPECT_TRUE(starts(record["histograms"]["osd.3"]["read"]["service"]));
}

TEST(RecordCodec, SecondWithoutAnswers_HasNoTimes) {
  RunRecord given = small_record();
  TimelineRow stalled;
  stalled.start = std::chrono::seconds(1);
  stalled.length = std::chrono::seconds(1);
  stalled.in_flight = 4;
  given.timeline.push_back(stalled);
  const std::string text = to_json(given);
  const json row = json::parse(text)["timeline"][1];
  EXPECT_EQ(row["ops"], 0);
  for (const char* const name : {"mean_us", "mean_service_us", "p50_us", "p99_us", "max_us"}) {
    EXPECT_EQ(row[name], nullptr) << name;
  }
  for (const auto& [name, value] : row["service_us"].items()) EXPECT_EQ(value, nullptr) << name;
  EXPECT_EQ(from_json(text, "x")->timeline[1], stalled);
}

TEST(RecordCodec, RecordWithoutSeparateThroughput_IsRead) {
  json old = json::parse(to_json(small_record()));
  ASSERT_EQ(old.erase("last_answer_s"), 1U);
  ASSERT_EQ(old["counts"].erase("carried"), 1U);
  ASSERT_EQ(old["totals"]["read"].erase("finished"), 1U);
  ASSERT_EQ(old["totals"]["read"].erase("drained"), 1U);
  ASSERT_EQ(old["timeline"][0].erase("timed_ops"), 1U);
  const auto record = from_json(old.dump(), "x");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->last_answer, record->measured);
  EXPECT_EQ(record->kinds[0].finished, (Amount{.ops = 100, .bytes = 100U << 20U}));
  EXPECT_EQ(conservation_violation(*record), std::nullopt);
}

TEST(RecordCodec, ContradictionsAreRefused) {
  const json good = json::parse(to_json(small_record()));
  const auto refused = [&](const char* path, const json& value) {
    json bad = good;
    bad[json::json_pointer(path)] = value;
    return !from_json(bad.dump(), "x").has_value();
  };
  EXPECT_TRUE(refused("/schema", "radosload.run/2"));
  EXPECT_TRUE(refused("/status", "fine"));
  EXPECT_TRUE(refused("/ended_by", "boredom"));
  EXPECT_TRUE(refused("/grade/value", "good"));
  EXPECT_TRUE(refused("/totals/read/ops", 99));
  EXPECT_TRUE(refused("/totals/read/bytes", -1));
  EXPECT_TRUE(refused("/totals/read/bytes", 1.5));
  EXPECT_TRUE(refused("/totals/read/errors", json::parse(R"({"ENOSUCH":1})")));
  EXPECT_TRUE(refused("/histograms/all/read/service_ns/max", 1));
  EXPECT_TRUE(refused("/measured_s", 1e30));
  EXPECT_TRUE(refused("/timeline/0/flow/submitted", "many"));
  EXPECT_FALSE(refused("/something_new", 1));
  EXPECT_FALSE(refused("/osds/osd.3/something_new", json::object()));
  EXPECT_TRUE(refused("/osds/osd.3/counters", json::object()));
}

TEST(RecordCodec, ReasonOfTheEnd_ReadsBack) {
  RunRecord record = small_record();
  for (const auto& [end, word] : {std::pair{EndedBy::nothing, ""},
                                  {EndedBy::time, "time"},
                                  {EndedBy::ops, "ops"},
                                  {EndedBy::bytes, "bytes"},
                                  {EndedBy::exhausted, "exhausted"},
                                  {EndedBy::stalled, "stalled"},
                                  {EndedBy::errors, "errors"},
                                  {EndedBy::health, "health"},
                                  {EndedBy::session, "session"},
                                  {EndedBy::sigint, "SIGINT"},
                                  {EndedBy::sigterm, "SIGTERM"},
                                  {EndedBy::sighup, "SIGHUP"}}) {
    record.ended_by = end;
    const std::string text = to_json(record);
    EXPECT_EQ(json::parse(text)["ended_by"], word);
    const auto again = from_json(text, "x");
    EXPECT_EQ(again.value().ended_by, end) << word;
    EXPECT_EQ(is_planned(end), end >= EndedBy::time && end < EndedBy::stalled) << word;
    EXPECT_EQ(is_signal(end), std::string_view(word).starts_with("SIG")) << word;
  }
}

TEST(RecordCodec, Verification_ReadsBack) {
  RunRecord record = small_record();
  record.verification = Verification{
      .blocks = 100, .followed = 90, .given_up = 2, .acknowledged = 50, .read_back = 20};
  const auto again = from_json(to_json(record), "x");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, record);
  const json written = json::parse(to_json(record))["verification"];
  EXPECT_EQ(written["blocks"], 100);
  EXPECT_EQ(written["followed"], 90);
  EXPECT_EQ(written["given_up"], 2);
  EXPECT_EQ(written["writes_acknowledged"], 50);
  EXPECT_EQ(written["writes_read_back"], 20);
}

Routing some_routing() {
  return {.samples = 12,
          .remapped = 1,
          .osds = {{.osd = 3,
                    .sent = 1000,
                    .answered = 990,
                    .sampled = 12,
                    .there = 11,
                    .served = ServedCounters{.op = 1100, .op_r = 1100, .op_r_out_bytes = 4096}},
                   {.osd = 5, .sent = 7, .answered = 7, .sampled = 0, .there = 0, .served = {}}},
          .strays = {{.meant = 3, .sent = 5, .count = 1}, {.meant = no_osd, .sent = 1, .count = 2}},
          .unsampled = {},
          .uncounted = "osd.5 would not say"};
}

TEST(RecordCodec, Routing_ReadsBack) {
  RunRecord record = small_record();
  record.routing = some_routing();
  const auto again = from_json(to_json(record), "x");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, record);
  const json written = json::parse(to_json(record))["routing"];
  EXPECT_EQ(written["osds"]["osd.3"]["sent"], 1000);
  EXPECT_EQ(written["osds"]["osd.3"]["sampled"], 12);
  EXPECT_EQ(written["osds"]["osd.3"]["there"], 11);
  EXPECT_EQ(written["osds"]["osd.3"]["counters"]["op"], 1100);
  EXPECT_EQ(written["osds"]["osd.3"]["share_ours"], 0.9);
  EXPECT_TRUE(written["osds"]["osd.5"]["counters"].is_null());
  EXPECT_EQ(written["strays"][0], json::parse(R"({"meant": 3, "sent": 5, "ops": 1})"));
  EXPECT_TRUE(written["strays"][1]["meant"].is_null());
}

TEST(RecordCodec, RecordWithoutRouting_IsRead) {
  json old = json::parse(to_json(small_record()));
  ASSERT_EQ(old.erase("routing"), 1U);
  const auto record = from_json(old.dump(), "x");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_FALSE(record->routing);
}

std::vector<OsdWindow> some_counters() {
  OsdWindow counted{.osd = 3, .kind = "db+wal", .from = Time(1'234'567), .ours = 90};
  counted.to = std::chrono::seconds(25);
  counted.growth.times["op_latency"] = {.count = 100, .seconds = 0.123456789};
  counted.growth.times["compact_lasted"] = {.count = 0, .seconds = 0};
  counted.growth.counts["op"] = 100;
  counted.growth.levels["db_used_bytes"] = 1U << 30U;
  return {counted, {.osd = 5, .missing = "osd.5 was restarted"}};
}

TEST(RecordCodec, CountersOfOsds_ReadBack) {
  RunRecord record = small_record();
  record.counters = some_counters();
  const auto again = from_json(to_json(record), "x");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, record);
  const json osds = json::parse(to_json(record))["osds"];
  const json& counters = osds["osd.3"]["counters"];
  EXPECT_EQ(osds["osd.3"]["share_ours"], 0.9);
  EXPECT_EQ(counters["kind"], "db+wal");
  EXPECT_EQ(counters["ours"], 90);
  EXPECT_EQ(counters["to_s"], 25.0);
  EXPECT_EQ(counters["counts"]["op"], 100);
  EXPECT_EQ(counters["times"]["op_latency"]["count"], 100);
  EXPECT_NEAR(counters["times"]["op_latency"]["mean_us"].get<double>(), 1234.56789, 1e-6);
  EXPECT_TRUE(counters["times"]["compact_lasted"]["mean_us"].is_null());
  EXPECT_TRUE(osds["osd.5"]["counters"]["kind"].is_null());
  EXPECT_EQ(osds["osd.5"]["counters"]["missing"], "osd.5 was restarted");
  EXPECT_TRUE(osds["osd.5"]["share_ours"].is_null());
}

TEST(RecordCodec, EveryErrorNameReadsBack) {
  std::vector<Slot> finished;
  for (const int rc :
       {-EAGAIN, -ETIMEDOUT, -4000, -9999, rc_hole, rc_short_read, rc_stale, rc_corrupt}) {
    Slot slot;
    slot.phase = Phase::measure;
    slot.outcome.rc = rc;
    finished.push_back(slot);
  }
  const RunRecord record = folded({testing::interval_of(finished)});
  const auto again = from_json(to_json(record), "x");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, record);
}

TEST(RecordCodec, UnreadablePlan_IsReported) {
  json record = json::parse(to_json(small_record()));
  for (const auto& [key, value, said] : std::vector<std::tuple<const char*, json, const char*>>{
           {"tape", "t1", "its plan: it has the option 'tape'"},
           {"qd", "many", "its plan: qd is 'many'"}}) {
    json strange = record;
    strange["plan"][key] = value;
    const auto read = from_json(strange.dump(), "/tmp/x.json");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message().find(said), std::string::npos) << read.error().message();
    EXPECT_NE(read.error().message().find("/tmp/x.json"), std::string::npos);
  }
  record["plan"].erase("qd");
  EXPECT_TRUE(from_json(record.dump(), "x")) << "what an older version did not write";
}

Environment everywhere() {
  Environment place;
  place.fsid = "0c4f";
  place.ceph_versions = {{"16.2.15 pacific", 4}, {"18.2.7 reef", 1}};
  place.health = "HEALTH_WARN";
  place.osdmap_epoch = 71;
  place.pool = {.id = 3, .name = "ssd", .size = 3, .min_size = 2, .pg_num = 32, .crush_rule = 1};
  place.data_pool = {
      .id = 4, .name = "ec", .erasure = true, .size = 3, .min_size = 2, .k = 2, .m = 1};
  place.client = {.host = "node1",
                  .kernel = "6.1.0",
                  .cpus = 8,
                  .usable_cpus = 4,
                  .scheduling = "batch",
                  .pid = 4711,
                  .librados = "3.0.0",
                  .settings = {{"ms_type", "async"}},
                  .instances = {4211, 4214},
                  .log = "/tmp/radosload.log"};
  place.osds = {{.id = 0, .pgs = 5, .acting = {"0,1,2", "0,2,1"}},
                {.id = 2, .pgs = 1, .acting = {}}};
  place.images = {{.name = "vm1",
                   .id = "1f",
                   .size = gib(1),
                   .object_size = mib(4),
                   .stripe_unit = mib(4),
                   .stripe_count = 2,
                   .features = {"layering"},
                   .parent = "ssd/base@snap",
                   .made_by = "20261124-120000-abcd",
                   .luks = 2,
                   .settings = {{"rbd_cache", "false"}},
                   .overridden = {"rbd_cache"}}};
  place.sim = "threads=2";
  return place;
}

TEST(EnvironmentCodec, WrittenAndReadIsTheSame) {
  const auto read = environment_from_json(to_json(everywhere()));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, everywhere());
  EXPECT_EQ(environment_from_json(to_json(Environment{})), Environment{});
}

// Each key in turn, so that none is written and not read, or the other way round.
TEST(EnvironmentCodec, MissingKey_LeavesItsFieldEmptyAndTheRestAsItIs) {
  const json whole = json::parse(to_json(everywhere()));
  for (const auto& [key, value] : whole.items()) {
    json less = whole;
    less.erase(key);
    const auto read = environment_from_json(less.dump());
    ASSERT_TRUE(read) << key << ": " << read.error().message();
    EXPECT_NE(*read, everywhere()) << key;
    const json again = json::parse(to_json(*read));
    for (const auto& [other, stays] : less.items()) EXPECT_EQ(again.at(other), stays) << other;
  }
}

TEST(EnvironmentCodec, ValuesOfOtherTypesAreRefused) {
  for (const char* const wrong :
       {"[]", R"({"fsid": 1})", R"({"pool": []})", R"({"pool": {"size": "3"}})",
        R"({"pool": {"size": 1.5}})", R"({"osds": [1]})", R"({"images": [{"features": "all"}]})",
        R"({"client": {"instances": [-1, "x"]}})", R"({"ceph_versions": ["18.2.7"]})", "{"}) {
    EXPECT_FALSE(environment_from_json(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace radosload::record
