// The slowest operations and the use of the client, in records and journals.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "record/journal.h"
#include "record/record_codec.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

using std::chrono::seconds;
using testing::folded;
using testing::footer_for;
using testing::interval_of;
using ::testing::IsEmpty;

rc::Gen<std::optional<Waited>> waits() {
  return rc::gen::exec([]() -> std::optional<Waited> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    const auto time = [] {
      return Time(*rc::gen::inRange<std::int64_t>(-1'000'000, 9'000'000'000));
    };
    return Waited{
        .where = *rc::gen::element(Wait::to_osd, Wait::blocked, Wait::replica, Wait::from_osd),
        .longest = time(),
        .replicas = *rc::gen::element(std::vector<std::int32_t>{}, std::vector{1, 2}),
        .reason = *rc::gen::element<std::string>("", "waiting for missing object"),
        .before = time(),
        .on_osd = time(),
        .after = time(),
        .ended = *rc::gen::arbitrary<bool>()};
  });
}

rc::Gen<SlowOp> slow_ops() {
  return rc::gen::exec([] {
    SlowOp op{.kind = *rc::gen::element(OpKind::read, OpKind::write, OpKind::omap_set),
              .object = *rc::gen::element<std::string>("", "radosload.x.17"),
              .osd = *rc::gen::element(no_osd, 3),
              .offset = *rc::gen::inRange<std::uint64_t>(0, 1U << 30U),
              .bytes = *rc::gen::arbitrary<std::uint32_t>(),
              .at = Time(*rc::gen::inRange<std::int64_t>(0, 60'000'000'000)),
              .wall = std::chrono::microseconds(
                  *rc::gen::inRange<std::int64_t>(0, 2'000'000'000'000'000)),
              .service = Time(*rc::gen::inRange<std::int64_t>(0, 9'000'000'000)),
              .response = Time(*rc::gen::inRange<std::int64_t>(0, 9'000'000'000)),
              .answered = *rc::gen::arbitrary<bool>(),
              .waited = *waits()};
    if (*rc::gen::arbitrary<bool>()) {
      op.pool = 3;
      op.pg = *rc::gen::inRange(0U, 4096U);
    }
    if (op.answered) op.rc = *rc::gen::element(0, -EIO, -ECANCELED);
    return op;
  });
}

rc::Gen<std::optional<ClientLoad>> client_loads() {
  return rc::gen::exec([]() -> std::optional<ClientLoad> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    ClientLoad load{.interface = *rc::gen::element<std::string>("", "eth0"),
                    .received = *rc::gen::inRange<std::uint64_t>(0, 1U << 30U),
                    .sent = *rc::gen::inRange<std::uint64_t>(0, 1U << 30U),
                    .link_mbit = *rc::gen::element<std::uint64_t>(0, 10'000),
                    .cpus = *rc::gen::inRange(0U, 9U),
                    .cpu_wait = *rc::gen::element(std::optional<Time>(), std::optional(Time(0)),
                                                  std::optional(Time(1'500'000))),
                    .pauses = {},
                    .throttled = *rc::gen::element(std::optional<Time>(), std::optional(Time(0))),
                    .stolen = *rc::gen::element(std::optional<double>(), std::optional(0.25)),
                    .cpu_pressure = *rc::gen::element(std::optional<double>(), std::optional(0.5)),
                    .counters = {},
                    .missing = *rc::gen::element<std::string>("", "no socket")};
    if (*rc::gen::arbitrary<bool>()) {
      load.pauses = Pauses{.share = 0.125};
      load.pauses->add({.from = Time(5'000'000), .length = Time(20'000'000)});
      load.pauses->add(
          {.from = Time(0), .length = Time(30'000'000), .cause = PauseCause::throttled});
    }
    if (load.missing.empty())
      load.counters = ClientCounters{.ops_waits = 3, .ops_wait = Time(1500), .resent = 7};
    return load;
  });
}

RunFooter footer_with(std::vector<SlowOp> slowest, std::optional<ClientLoad> load) {
  RunFooter footer = footer_for({interval_of({})});
  footer.slowest = std::move(slowest);
  footer.client_load = std::move(load);
  footer.slow_search = SlowSearch{.matched = 2,
                                  .missing = "osd.3 did not answer",
                                  .clocks = {{.osd = 3, .ahead = Time(-1500), .within = Time(80)}}};
  return footer;
}

RunRecord record_with(const RunFooter& footer) {
  RunRecord record = folded({interval_of({})});
  record.slowest = footer.slowest;
  record.slow_search = footer.slow_search;
  record.client_load = footer.client_load;
  return record;
}

RC_GTEST_PROP(SlowOps, InJournalAndRecord_ReadBack, ()) {
  const auto slowest = *rc::gen::container<std::vector<SlowOp>>(slow_ops());
  const RunFooter footer = footer_with(slowest, *client_loads());
  const auto line = decode_line(encode_line(footer), "x");
  RC_ASSERT(line.has_value());
  RC_ASSERT(std::get<RunFooter>(*line) == footer);
  const RunRecord record = record_with(footer);
  const auto again = from_json(to_json(record), "x");
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == record);
}

TEST(SlowOps, OfAnOlderRecord_AreNone) {
  auto json = nlohmann::ordered_json::parse(to_json(folded({interval_of({})})));
  for (const char* const key : {"slowest", "slowest_search", "client"}) json.erase(key);
  const auto record = from_json(json.dump(), "x");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_THAT(record->slowest, IsEmpty());
  EXPECT_FALSE(record->slow_search);
  EXPECT_FALSE(record->client_load);
}

TEST(SlowOps, WithOtherValues_AreRefused) {
  const RunRecord record = record_with(footer_with({{.object = "a", .pool = 3, .pg = 31}}, {}));
  const auto good = nlohmann::ordered_json::parse(to_json(record));
  ASSERT_TRUE(from_json(good.dump(), "x"));
  const std::vector<std::pair<const char*, nlohmann::ordered_json>> wrong = {
      {"pg", "3"},     {"pg", "x.1f"},        {"pg", "3.1g"},    {"pg", "3.1f "},
      {"osd", "3"},    {"sent", "soon"},      {"outcome", "so"}, {"service_us", 1e300},
      {"op", "think"}, {"bytes", 1ULL << 40U}};
  for (const auto& [key, value] : wrong) {
    auto json = good;
    json["slowest"][0][key] = value;
    EXPECT_FALSE(from_json(json.dump(), "x")) << key << " " << value;
  }
}

TEST(ClientLoads, ShareIsThatOfTheBusierDirection) {
  const ClientLoad load{.interface = "eth0",
                        .received = 1'000'000,
                        .sent = 1'187'500'000,
                        .link_mbit = 1000,
                        .cpus = 4};
  EXPECT_DOUBLE_EQ(*link_share(load, seconds(10)), 0.95);
  EXPECT_DOUBLE_EQ(*cpu_share(load, 20, seconds(10)), 0.5);
}

TEST(ClientLoads, UnknownSpeedOrLength_ShareIsUnknown) {
  EXPECT_FALSE(link_share({.interface = "lo", .sent = 1000}, seconds(10)));
  EXPECT_FALSE(link_share({.interface = "eth0", .sent = 1000, .link_mbit = 10}, Time(0)));
  EXPECT_FALSE(cpu_share({}, 20, seconds(10)));
}

TEST(ClientLoads, CpuWaitShareIsOfTheTimeThatThreadsWantedToRun) {
  EXPECT_FALSE(cpu_wait_share({}, 1));
  EXPECT_DOUBLE_EQ(*cpu_wait_share({.cpu_wait = seconds(3)}, 1), 0.75);
  EXPECT_DOUBLE_EQ(*cpu_wait_share({.cpu_wait = Time(0)}, 0), 0);
}

TEST(ClientLoads, ThrottleShareIsThatOfEachClientOnAverage) {
  ClientLoad load{.counters = ClientCounters{.ops_wait = seconds(12), .bytes_wait = seconds(6)},
                  .clients = 2};
  EXPECT_DOUBLE_EQ(*throttle_share(load, seconds(10)), 0.9);
  EXPECT_DOUBLE_EQ(*throttle_share(load, seconds(1)), 1) << "threads that waited together";
  EXPECT_FALSE(throttle_share(load, Time(0)));
  load.clients = 0;
  EXPECT_FALSE(throttle_share(load, seconds(10)));
  EXPECT_FALSE(throttle_share({.clients = 1}, seconds(10)));
}

}  // namespace
}  // namespace radosload::record
