// The reverse of timers_json(): a saved timing, so that it can be shown again in every format.

#include <cmath>
#include <stdexcept>

#include "base/json_reading.h"
#include "base/wall_clock.h"
#include "record/timing_store.h"
#include "views/timers_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using SavedJson = nlohmann::json;
using timers::Row;
using timers::Timer;

[[noreturn]] void refuse_timing(const std::string& why) {
  throw std::runtime_error(why);
}

// Also of JSON that a person has changed: a number of seconds that a duration can hold.
Time time_from(const SavedJson& json) {
  constexpr double longest_s = 1e9;
  const auto value = json.get<double>();
  if (!json.is_number() || !std::isfinite(value) || std::abs(value) > longest_s) {
    refuse_timing("it has a time that cannot be");
  }
  return std::chrono::round<Time>(std::chrono::duration<double>(value));
}

std::optional<Time> time_or_nothing(const SavedJson& json) {
  return json.is_null() ? std::nullopt : std::optional(time_from(json));
}

Bytes bytes_from(const SavedJson& json) {
  if (!json.is_number_unsigned()) refuse_timing("it has a size that cannot be");
  return Bytes{json.get<std::uint64_t>()};
}

std::optional<Bytes> bytes_or_nothing(const SavedJson& json) {
  return json.is_null() ? std::nullopt : std::optional(bytes_from(json));
}

std::uint64_t count_from(const SavedJson& json) {
  if (!json.is_number_unsigned()) refuse_timing("it has a count that cannot be");
  return json.get<std::uint64_t>();
}

std::int32_t osd_from_json(const SavedJson& json) {
  constexpr std::uint64_t most = 1U << 20U;
  const std::uint64_t osd = count_from(json);
  if (osd > most) refuse_timing("it names an OSD that cannot be");
  return static_cast<std::int32_t>(osd);
}

std::uint32_t round_from(const SavedJson& json) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count_from(json), UINT32_MAX));
}

std::vector<std::int32_t> osds_from(const SavedJson& json) {
  std::vector<std::int32_t> osds;
  for (const SavedJson& osd : json) osds.push_back(osd_from_json(osd));
  return osds;
}

std::string text_or_empty(const SavedJson& json) {
  return json.is_null() ? std::string() : json.get<std::string>();
}

std::optional<timers::Spans> spans_from(const SavedJson& json) {
  if (json.is_null()) return std::nullopt;
  return timers::Spans{.low = time_from(json.at("low_s")),
                       .high = time_or_nothing(json.at("high_s"))};
}

timers::ScrubTimes scrub_from(const SavedJson& json) {
  return {.pgs = count_from(json.at("pgs")),
          .done = count_from(json.at("done")),
          .unseen = count_from(json.at("unseen")),
          .first = time_or_nothing(json.at("first_s")),
          .finished = time_or_nothing(json.at("total_s")),
          .work = time_from(json.at("work_s")),
          .error = time_from(json.at("error_s")),
          .waiting = json.at("waiting").get<std::vector<std::string>>()};
}

timers::PeeringTimes peering_from(const SavedJson& json) {
  return {.down = time_or_nothing(json.at("down_s")),
          .up = time_or_nothing(json.at("up_s")),
          .active = time_or_nothing(json.at("active_s")),
          .clean = time_or_nothing(json.at("clean_s")),
          .by_stamps = json.at("by_stamps").get<bool>(),
          .pgs = count_from(json.at("pgs")),
          .noout_was_there = json.at("noout_was_there").get<bool>()};
}

std::optional<Time> micros_from(const SavedJson& json) {
  constexpr double micro = 1e-6;
  if (json.is_null()) return std::nullopt;
  return time_from(json.get<double>() * micro);
}

timers::ProbeTimes reads_from(const SavedJson& json) {
  return {.reads = count_from(json.at("reads")),
          .failed = count_from(json.at("failed")),
          .mean = micros_from(json.at("mean_us")),
          .median = micros_from(json.at("p50_us")),
          .p99 = micros_from(json.at("p99_us")),
          .longest = micros_from(json.at("max_us"))};
}

std::optional<timers::CompactProbe> probe_from(const SavedJson& compact) {
  const auto probe = compact.find("probe");
  if (probe == compact.end() || probe->is_null()) return std::nullopt;
  return timers::CompactProbe{.pool = probe->at("pool").get<std::string>(),
                              .before = reads_from(probe->at("before")),
                              .during = reads_from(probe->at("during"))};
}

timers::CompactTimes compact_from(const SavedJson& json) {
  return {.before = bytes_or_nothing(json.at("before_bytes")),
          .after = bytes_or_nothing(json.at("after_bytes")),
          .in_osd = time_or_nothing(json.at("in_osd_s")),
          .probe = probe_from(json)};
}

timers::BenchTimes bench_from(const SavedJson& json) {
  return {.written = bytes_from(json.at("written_bytes")),
          .block = bytes_from(json.at("block_bytes")),
          .in_osd = time_from(json.at("in_osd_s")),
          .bytes_per_second = json.at("bytes_per_second").get<double>(),
          .iops = json.at("iops").get<double>()};
}

std::optional<timers::Rates> rates_from(const SavedJson& json) {
  if (json.is_null()) return std::nullopt;
  return timers::Rates{.low = json.at("low_copies_per_second").get<double>(),
                       .high = json.at("high_copies_per_second").get<double>()};
}

timers::BackfillTimes backfill_from(const SavedJson& json) {
  return {.at_start = count_from(json.at("copies_at_start")),
          .left = count_from(json.at("copies_left")),
          .watched = time_from(json.at("watched_s")),
          .shown_bytes = json.at("shown_bytes_per_second").get<double>(),
          .sustained = json.at("sustained_copies_per_second").get<double>(),
          .sustained_bytes = json.at("sustained_bytes_per_second").get<double>(),
          .range = rates_from(json.at("range")),
          .eta = spans_from(json.at("eta")),
          .convert = osds_from(json.at("convert_osds")),
          .convert_bytes = bytes_from(json.at("convert_bytes")),
          .cost = spans_from(json.at("convert"))};
}

// What one timer measured; nothing where the document has null.
template <typename Times>
std::optional<Times> part_from(const SavedJson& row, const char* key,
                               Times (*read)(const SavedJson&)) {
  const SavedJson& part = row.at(key);
  return part.is_null() ? std::nullopt : std::optional(read(part));
}

Row timing_row_from(const SavedJson& json) {
  const auto began = base::parse_moment(json.at("began").get<std::string>());
  if (!began) refuse_timing("a measurement has no time at which it began");
  return {
      .osd = json.at("osd").is_null() ? std::nullopt : std::optional(osd_from_json(json.at("osd"))),
      .round = round_from(json.at("round")),
      .began = *began,
      .elapsed = time_from(json.at("elapsed_s")),
      .failure = text_or_empty(json.at("failure")),
      .scrub = part_from(json, "scrub", scrub_from),
      .peering = part_from(json, "peering", peering_from),
      .compact = part_from(json, "compact", compact_from),
      .bench = part_from(json, "bench", bench_from),
      .backfill = part_from(json, "backfill", backfill_from)};
}

Timer timer_from(const std::string& name) {
  for (const Timer one :
       {Timer::scrub, Timer::peering, Timer::compact, Timer::bench, Timer::backfill}) {
    if (timers::timer_name(one) == name) return one;
  }
  refuse_timing(fmt::format("it has no timer '{}'", name));
}

SavedTiming timing_from(const SavedJson& json) {
  if (json.value("schema", "") != record::timing_schema) {
    refuse_timing(fmt::format("its schema is not {}", record::timing_schema));
  }
  SavedTiming saved;
  TimersShown& shown = saved.shown;
  shown.id = text_or_empty(json.at("id"));
  shown.started = text_or_empty(json.at("started"));
  shown.program = json.at("program").get<std::string>();
  shown.fsid = text_or_empty(json.at("fsid"));
  shown.wish.timer = timer_from(json.at("timer").get<std::string>());
  shown.wish.deep = json.at("deep").get<bool>();
  shown.wish.limit = time_from(json.at("limit_s"));
  shown.osds = osds_from(json.at("osds"));
  shown.rounds = round_from(json.at("rounds"));
  shown.seed = count_from(json.at("seed"));
  shown.dry_run = json.at("dry_run").get<bool>();
  for (const SavedJson& turn : json.at("turns")) {
    const SavedJson& osd = turn.at("osd");
    shown.turns.push_back(
        {.osd = osd.is_null() ? -1 : osd_from_json(osd), .round = round_from(turn.at("round"))});
  }
  for (const SavedJson& row : json.at("rows")) saved.session.rows.push_back(timing_row_from(row));
  saved.session.interrupted = json.at("interrupted").get<bool>();
  return saved;
}

Error unreadable_timing(const std::string& subject, std::string reason) {
  return {.attempt = "read the timing",
          .subject = subject,
          .reason = std::move(reason),
          .hint =
              "give the ID of a timing from 'radosload list', or a file of 'radosload time "
              "--save'"};
}

}  // namespace

Result<SavedTiming> timers_from_json(std::string_view text, const std::string& subject) {
  const auto json = read_json(text);
  if (!json) return fail(unreadable_timing(subject, json.error().reason));
  try {
    return timing_from(*json);
  } catch (const std::exception& error) {
    return fail(unreadable_timing(subject, error.what()));
  }
}

}  // namespace radosload::views
