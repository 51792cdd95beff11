#include "observe/osd_timing.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "observe/json.h"
#include "placement/pg_map.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

// Those that are there: an erasure-coded PG has a number for a missing shard, too.
std::size_t serving_osds(const Json& pg) {
  const Json& acting = member(pg, "acting");
  return static_cast<std::size_t>(std::count_if(acting.begin(), acting.end(), [](const Json& osd) {
    return osd.is_number() && osd != placement::no_shard;
  }));
}

// The digits of one field; nothing when one of them is not a digit.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "+0000", "-0730", "Z"; nothing at all is UTC.
std::optional<Time> zone_offset(std::string_view text) {
  if (text.empty() || text == "Z") return Time{0};
  const auto hours = digits(text, 1, 2);
  const auto minutes = digits(text, 3, 2);
  const bool signed_well = text.front() == '+' || text.front() == '-';
  if (!signed_well || !hours || !minutes || text.size() != 5) return std::nullopt;
  const Time offset = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  return text.front() == '-' ? -offset : offset;
}

// ".690123": as many digits as there are, up to nanoseconds.
Time fraction(std::string_view text) {
  std::int64_t nanos = 0;
  std::int64_t unit = 100'000'000;
  for (const char c : text) {
    nanos += (c - '0') * unit;
    unit /= 10;
  }
  return Time{nanos};
}

double real(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_number() ? value.get<double>() : 0;
}

// Empty when it is not a duration that a Time can hold.
std::optional<Time> seconds_of(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (!value.is_number()) return std::nullopt;
  constexpr double most = 1e9;
  const auto given = value.get<double>();
  if (!(given >= 0 && given < most)) return std::nullopt;
  return std::chrono::duration_cast<Time>(std::chrono::duration<double>(given));
}

Error without(std::string_view what, std::string_view key) {
  return {.attempt = fmt::format("read the answer to '{}'", what),
          .reason = fmt::format("it has no '{}'", key),
          .exit = Exit::no_cluster};
}

Result<std::vector<PgTiming>> fetch_pg_timings(AdminCommands& commands, std::string_view prefix,
                                               std::int32_t osd) {
  RADOSLOAD_ASSIGN(
      const auto said,
      commands.mgr(fmt::format(R"({{"prefix": "{}", "osd": {}, "format": "json"}})", prefix, osd)));
  return parse_pg_timings(said);
}

}  // namespace

std::optional<Time> parse_stamp(std::string_view text) {
  using std::chrono::day;
  using std::chrono::month;
  using std::chrono::year;
  constexpr std::array<std::size_t, 6> at = {0, 5, 8, 11, 14, 17};
  std::array<int, 6> parts{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto part = digits(text, at[i], i == 0 ? 4 : 2);
    if (!part) return std::nullopt;
    parts[i] = *part;
  }
  text.remove_prefix(19);
  Time rest{0};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    rest = fraction(text.substr(0, end));
    text.remove_prefix(end);
  }
  const auto offset = zone_offset(text);
  const std::chrono::year_month_day date{year{parts[0]}, month{static_cast<unsigned>(parts[1])},
                                         day{static_cast<unsigned>(parts[2])}};
  constexpr int last_year = 2200;  // a Time ends in 2262
  if (!offset || !date.ok() || parts[0] < 1970 || parts[0] > last_year) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(parts[3]) +
         std::chrono::minutes(parts[4]) + std::chrono::seconds(parts[5]) + rest - *offset;
}

Result<OsdLife> parse_osd_life(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto info, parse_object("osd info", json));
  if (!member(info, "up_from").is_number()) return fail(without("osd info", "up_from"));
  const auto states = texts(info, "state");
  return OsdLife{.up = number(info, "up") == 1,
                 .up_from = number(info, "up_from"),
                 .noout = std::find(states.begin(), states.end(), "noout") != states.end()};
}

Result<OsdLife> fetch_osd_life(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(
      const auto said,
      commands.mon(fmt::format(R"({{"prefix": "osd info", "id": {}, "format": "json"}})", osd)));
  return parse_osd_life(said);
}

std::string fetch_fsid(AdminCommands& commands) {
  const auto said = commands.mon(R"({"prefix": "fsid", "format": "json"})");
  const auto answer = said ? parse_object("fsid", *said) : fail(said.error());
  return answer ? text(*answer, "fsid") : std::string();
}

Result<std::vector<PgTiming>> parse_pg_timings(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto document, parse_object("pg ls", json));
  std::vector<PgTiming> pgs;
  for (const Json& pg : member(document, "pg_stats")) {
    pgs.push_back({.pgid = text(pg, "pgid"),
                   .state = text(pg, "state"),
                   .acting = serving_osds(pg),
                   .reported_epoch = number(pg, "reported_epoch"),
                   .scrubbed = parse_stamp(text(pg, "last_scrub_stamp")),
                   .deep_scrubbed = parse_stamp(text(pg, "last_deep_scrub_stamp")),
                   .became_active = parse_stamp(text(pg, "last_became_active")),
                   .changed = parse_stamp(text(pg, "last_change")),
                   .scrub_duration = seconds_of(pg, "scrub_duration")});
  }
  return pgs;
}

Result<std::vector<PgTiming>> fetch_pgs_led_by(AdminCommands& commands, std::int32_t osd) {
  return fetch_pg_timings(commands, "pg ls-by-primary", osd);
}

Result<std::vector<PgTiming>> fetch_pgs_on(AdminCommands& commands, std::int32_t osd) {
  return fetch_pg_timings(commands, "pg ls-by-osd", osd);
}

Result<Bytes> parse_db_bytes(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("perf dump", json));
  const Json& bluefs = member(dump, "bluefs");
  if (!member(bluefs, "db_used_bytes").is_number()) {
    return fail(without("perf dump", "db_used_bytes"));
  }
  return Bytes{number(bluefs, "db_used_bytes") + number(bluefs, "wal_used_bytes") +
               number(bluefs, "slow_used_bytes")};
}

Result<Bytes> fetch_db_bytes(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto said,
                   commands.osd(osd, R"({"prefix": "perf dump", "logger": "bluefs"})"));
  return parse_db_bytes(said);
}

Result<Time> parse_compaction(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto done, parse_object("compact", json));
  const auto took = seconds_of(done, "elapsed_time");
  if (!took) return fail(without("compact", "elapsed_time"));
  return *took;
}

Result<OrderedCompactions> parse_compactions(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("perf dump", json));
  const Json& rocksdb = member(dump, "rocksdb");
  const auto last = seconds_of(rocksdb, "compact_lasted");
  if (!last || !member(rocksdb, "compact_completed").is_number()) {
    return fail(without("perf dump", "compact_completed"));
  }
  return OrderedCompactions{
      .completed = number(rocksdb, "compact_completed"),
      .at_work = number(rocksdb, "compact_running") > 0 || number(rocksdb, "compact_queue_len") > 0,
      .last = *last};
}

Result<OrderedCompactions> fetch_compactions(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto said,
                   commands.osd(osd, R"({"prefix": "perf dump", "logger": "rocksdb"})"));
  return parse_compactions(said);
}

Result<OsdBench> parse_osd_bench(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto done, parse_object("bench", json));
  const auto took = seconds_of(done, "elapsed_sec");
  if (!took) return fail(without("bench", "elapsed_sec"));
  return OsdBench{.written = Bytes{number(done, "bytes_written")},
                  .block = Bytes{number(done, "blocksize")},
                  .took = *took,
                  .bytes_per_second = real(done, "bytes_per_sec"),
                  .iops = real(done, "iops")};
}

Result<RecoveryLeft> parse_recovery(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto status, parse_object("status", json));
  const Json& pgmap = member(status, "pgmap");
  if (!pgmap.is_object()) return fail(without("status", "pgmap"));
  return RecoveryLeft{.misplaced = number(pgmap, "misplaced_objects"),
                      .degraded = number(pgmap, "degraded_objects"),
                      .bytes_per_second = real(pgmap, "recovering_bytes_per_sec"),
                      .objects_per_second = real(pgmap, "recovering_objects_per_sec"),
                      .objects = number(pgmap, "num_objects"),
                      .data = Bytes{number(pgmap, "data_bytes")}};
}

Result<RecoveryLeft> fetch_recovery(AdminCommands& commands) {
  RADOSLOAD_ASSIGN(const auto said, commands.mon(R"({"prefix": "status", "format": "json"})"));
  return parse_recovery(said);
}

}  // namespace radosload::observe
