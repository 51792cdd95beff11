#include <cmath>

#include "record/store.h"
#include "record/timing_store.h"
#include "views/json_values.h"
#include "views/timers_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using TimersJson = nlohmann::ordered_json;
using timers::Row;

TimersJson secs_json(const std::optional<Time>& time) {
  return time ? TimersJson(seconds(*time)) : TimersJson(nullptr);
}

TimersJson bytes_json(const std::optional<Bytes>& bytes) {
  return bytes ? TimersJson(bytes->count) : TimersJson(nullptr);
}

TimersJson spans_json(const std::optional<timers::Spans>& spans) {
  if (!spans) return nullptr;
  return {{"low_s", seconds(spans->low)}, {"high_s", secs_json(spans->high)}};
}

TimersJson scrub_json(const std::optional<timers::ScrubTimes>& scrub) {
  if (!scrub) return nullptr;
  return {{"pgs", scrub->pgs},
          {"done", scrub->done},
          {"first_s", secs_json(scrub->first)},
          {"queued_s", secs_json(scrub->queued())},
          {"work_s", seconds(scrub->work)},
          {"total_s", secs_json(scrub->finished)},
          {"error_s", seconds(scrub->error)},
          {"unseen", scrub->unseen},
          {"waiting", scrub->waiting}};
}

TimersJson peering_json(const std::optional<timers::PeeringTimes>& peering) {
  if (!peering) return nullptr;
  return {{"pgs", peering->pgs},
          {"down_s", secs_json(peering->down)},
          {"up_s", secs_json(peering->up)},
          {"active_s", secs_json(peering->active)},
          {"clean_s", secs_json(peering->clean)},
          {"by_stamps", peering->by_stamps},
          {"noout_was_there", peering->noout_was_there}};
}

TimersJson reads_json(const timers::ProbeTimes& times) {
  return {{"reads", times.reads},
          {"failed", times.failed},
          {"mean_us", micros_or_null(times.mean)},
          {"p50_us", micros_or_null(times.median)},
          {"p99_us", micros_or_null(times.p99)},
          {"max_us", micros_or_null(times.longest)}};
}

TimersJson probe_json(const std::optional<timers::CompactProbe>& probe) {
  if (!probe) return nullptr;
  return {{"pool", probe->pool},
          {"before", reads_json(probe->before)},
          {"during", reads_json(probe->during)}};
}

TimersJson compact_json(const std::optional<timers::CompactTimes>& compact) {
  if (!compact) return nullptr;
  return {{"before_bytes", bytes_json(compact->before)},
          {"after_bytes", bytes_json(compact->after)},
          {"in_osd_s", secs_json(compact->in_osd)},
          {"probe", probe_json(compact->probe)}};
}

TimersJson bench_json(const std::optional<timers::BenchTimes>& bench) {
  if (!bench) return nullptr;
  return {{"written_bytes", bench->written.count},
          {"block_bytes", bench->block.count},
          {"in_osd_s", seconds(bench->in_osd)},
          {"bytes_per_second", bench->bytes_per_second},
          {"iops", bench->iops}};
}

TimersJson backfill_json(const std::optional<timers::BackfillTimes>& backfill) {
  if (!backfill) return nullptr;
  TimersJson range = nullptr;
  if (backfill->range) {
    range = {{"low_copies_per_second", backfill->range->low},
             {"high_copies_per_second", backfill->range->high}};
  }
  return {{"copies_at_start", backfill->at_start},
          {"copies_left", backfill->left},
          {"watched_s", seconds(backfill->watched)},
          {"shown_bytes_per_second", backfill->shown_bytes},
          {"sustained_copies_per_second", backfill->sustained},
          {"sustained_bytes_per_second", backfill->sustained_bytes},
          {"range", std::move(range)},
          {"eta", spans_json(backfill->eta)},
          {"convert_osds", backfill->convert},
          {"convert_bytes", backfill->convert_bytes.count},
          {"convert", spans_json(backfill->cost)}};
}

TimersJson timed_row_json(const Row& row) {
  const auto began = std::chrono::duration_cast<std::chrono::system_clock::duration>(row.began);
  return {{"osd", or_null(row.osd)},
          {"round", row.round},
          {"began", record::iso_time(std::chrono::system_clock::time_point(began))},
          {"elapsed_s", seconds(row.elapsed)},
          {"failure", or_null(row.failure)},
          {"scrub", scrub_json(row.scrub)},
          {"peering", peering_json(row.peering)},
          {"compact", compact_json(row.compact)},
          {"bench", bench_json(row.bench)},
          {"backfill", backfill_json(row.backfill)}};
}

}  // namespace

std::string timers_json(const TimersShown& shown, const timers::Session& session) {
  const bool complete = shown.dry_run ? session.complete() : whole(shown, session);
  TimersJson json = {{"schema", record::timing_schema},
                     {"id", or_null(shown.id)},
                     {"started", or_null(shown.started)},
                     {"program", shown.program},
                     {"fsid", or_null(shown.fsid)},
                     {"timer", timers::timer_name(shown.wish.timer)},
                     {"deep", shown.wish.deep},
                     {"limit_s", seconds(shown.wish.limit)},
                     {"osds", shown.osds},
                     {"rounds", shown.rounds},
                     {"seed", shown.seed},
                     {"dry_run", shown.dry_run},
                     {"complete", complete},
                     {"interrupted", session.interrupted},
                     {"turns", TimersJson::array()},
                     {"rows", TimersJson::array()}};
  for (const timers::Turn& turn : shown.turns) {
    json["turns"].push_back({{"osd", turn.osd < 0 ? TimersJson(nullptr) : TimersJson(turn.osd)},
                             {"round", turn.round}});
  }
  for (const Row& row : session.rows) json["rows"].push_back(timed_row_json(row));
  return json_text(json);
}

}  // namespace radosload::views
