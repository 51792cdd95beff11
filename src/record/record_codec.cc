#include "record/record_codec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "record/codec.h"
#include "record/ranks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

using codec::Json;

namespace {

using codec::ns_per_us;

double us(std::uint64_t ns) {
  return static_cast<double>(ns) / ns_per_us;
}

// ---- one cell, for people and scripts ----

Json ns_or_null(const Ranked& ranked) {
  const auto ns = ranked.exact();
  return ns ? Json(us(*ns)) : Json();
}

// Means are over the answered operations, percentiles over all.
Json latency_summary(const Histogram& histogram, const Ranks& ranks) {
  static constexpr std::array<std::pair<const char*, Quantile>, 6> quantiles = {
      {{"p50", p50}, {"p90", p90}, {"p95", p95}, {"p99", p99}, {"p99.9", p999}, {"p99.99", p9999}}};
  const bool any = !histogram.empty();
  Json json = {{"mean", any ? Json(histogram.mean() / ns_per_us) : Json()},
               {"stddev", any ? Json(histogram.stddev() / ns_per_us) : Json()},
               {"min", any ? Json(us(histogram.min())) : Json()},
               {"max", Json()}};
  Json at_least = Json::object();
  const auto add = [&](const char* name, const Ranked& ranked) {
    json[name] = ns_or_null(ranked);
    if (ranked.kind == Ranked::Kind::beyond) at_least[name] = us(ranked.ns);
  };
  for (const auto& [name, quantile] : quantiles) add(name, ranks.percentile(quantile));
  add("max", ranks.max());
  if (!at_least.empty()) json["at_least"] = std::move(at_least);
  return json;
}

// Lateness of open-loop operations; null in a closed loop.
Json late_json(const Histogram& lateness) {
  if (lateness.empty()) return {};
  const auto value = [&](Quantile quantile) {
    const auto found = lateness.percentile(quantile);
    return found ? Json(us(*found)) : Json();
  };
  return {{"p50", value(p50)}, {"p99", value(p99)}, {"max", us(lateness.max())}};
}

Json summary_json(const RunRecord& record, const Cell& cell) {
  return {{"ops", cell.ops()},
          {"bytes", cell.bytes},
          {"finished", codec::amount_json(cell.finished)},
          {"drained", codec::amount_json(cell.drained)},
          {"errors", codec::errors_json(cell.errors)},
          {"cancelled", cell.cancelled},
          {"lost", cell.lost.ops()},
          {"late", cell.late},
          {"iops", iops(record, cell)},
          {"mib_per_s", mib_per_s(record, cell)},
          {"service_us", latency_summary(cell.latency.service(), service_ranks(cell))},
          {"response_us", latency_summary(cell.latency.response(), response_ranks(cell))}};
}

Json totals_json(const RunRecord& record) {
  Json json = Json::object();
  for (const Cell& cell : record.kinds) {
    json[std::string(op_kind_name(cell.kind))] = summary_json(record, cell);
  }
  json["all"] = summary_json(record, total_of(record.kinds));
  return json;
}

Json osds_json(const RunRecord& record) {
  Json json = Json::object();
  for (const Cell& cell : record.osds) {
    json[codec::osd_name(cell.osd)][std::string(op_kind_name(cell.kind))] =
        summary_json(record, cell);
  }
  for (const OsdWindow& window : record.counters) {
    Json& osd = json[codec::osd_name(window.osd)];
    const auto ours = share_ours(window);
    osd["counters"] = codec::window_json(window);
    osd["share_ours"] = ours ? Json(*ours) : Json();
  }
  return json;
}

std::vector<OsdWindow> counters_from(const Json& osds) {
  std::vector<OsdWindow> windows;
  for (const auto& [name, osd] : osds.items()) {
    if (!osd.contains("counters")) continue;
    windows.push_back(codec::window_from(osd.at("counters"), codec::osd_from(name)));
  }
  std::sort(windows.begin(), windows.end(),
            [](const OsdWindow& one, const OsdWindow& other) { return one.osd < other.osd; });
  return windows;
}

// The histograms of the cells in totals and osds.
Json histograms_json(const RunRecord& record) {
  Json json = {{"all", Json::object()}};
  for (const Cell& cell : record.kinds) {
    json["all"][std::string(op_kind_name(cell.kind))] = codec::cell_histograms_json(cell);
  }
  for (const Cell& cell : record.osds) {
    json[codec::osd_name(cell.osd)][std::string(op_kind_name(cell.kind))] =
        codec::cell_histograms_json(cell);
  }
  return json;
}

// Iterates over the histograms, whose keys are all kinds of operations; a summary may have other
// keys.
void read_cells(const Json& summaries, const Json& histograms, std::int32_t osd,
                std::vector<Cell>& cells) {
  for (const auto& [name, histogram] : histograms.items()) {
    const Json& summary = summaries.at(name);
    Cell& cell = cell_for(cells, osd, codec::kind_from(name));
    cell.bytes = codec::count_at(summary, "bytes");
    cell.cancelled = codec::count_at(summary, "cancelled");
    cell.late = codec::count_at(summary, "late");
    cell.errors = codec::errors_from(summary.at("errors"));
    codec::cell_histograms_from(histogram, cell);
    cell.finished =
        codec::amount_from(summary, "finished", {.ops = cell.ops(), .bytes = cell.bytes});
    cell.drained = codec::amount_from(summary, "drained", {});
    if (cell.ops() != codec::count_at(summary, "ops")) {
      codec::refuse(fmt::format("the histogram of '{}' holds {} operations, but 'ops' is {}", name,
                                cell.ops(), codec::count_at(summary, "ops")));
    }
  }
}

// ---- the timeline ----

// ---- the whole ----

Json events_json(const std::vector<Event>& events) {
  Json json = Json::array();
  for (const Event& event : events) {
    json.push_back({{"t_s", seconds(event.at)}, {"kind", event.kind}, {"text", event.text}});
  }
  return json;
}

// They are read from the plan; here they stand for scripts.
Json labels_json(const Labels& labels) {
  Json json = Json::object();
  for (const auto& [key, value] : labels) json[key] = value;
  return json;
}

Json json_without_rows(const RunRecord& record) {
  Json json = {{"schema", record_schema},
               {"run_id", record.header.run_id},
               {"started", record.header.started},
               {"program", record.header.program},
               {"status", status_name(record.status)},
               {"ended_by", ended_by_name(record.ended_by)},
               {"grade", codec::grade_json(record.grade)},
               {"warnings", record.warnings},
               {"measured_s", seconds(record.measured)},
               {"last_answer_s", seconds(record.last_answer)},
               {"client_cpu_s", {{"user", record.client.user_s}, {"sys", record.client.system_s}}},
               {"peak_rss_mib", record.client.peak_rss_mib},
               {"labels", labels_json(record.header.plan.labels)},
               {"plan", codec::plan_json(record.header.plan)},
               {"environment", codec::environment_json(record.header.environment)},
               {"counts",
                {{"measured", codec::flow_json(record.measured_flow)},
                 {"unmeasured", codec::flow_json(record.unmeasured_flow)},
                 {"carried", codec::flow_json(record.carried_flow)},
                 {"unfinished", record.unfinished},
                 {"unissued", record.unissued}}}};
  json["late_us"] = late_json(record.lateness);
  json["totals"] = totals_json(record);
  json["osds"] = osds_json(record);
  json["osds_partial"] = record.osds_partial;
  json["routing"] = codec::routing_json(record.routing);
  json["verification"] = codec::verification_json(record.verification);
  json["slowest"] = codec::slowest_json(record.slowest);
  json["slowest_search"] = codec::slow_search_json(record.slow_search);
  json["warmup"] = record.warmup ? codec::warmup_json(*record.warmup) : Json();
  json["client"] = codec::client_load_json(record.client_load, record.client, record.measured);
  json["energy"] = codec::energy_json(record.energy);
  json["members"] = codec::members_json(record.members);
  json["events"] = events_json(record.events);
  json["timeline"] = Json::array();
  json["histograms"] = histograms_json(record);
  codec::put_lateness(json, record.lateness);
  return json;
}

// Text from a cluster may hold any bytes: a name that is not UTF-8 must not prevent saving.
std::string text_of(const Json& json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json codec::record_json(const RunRecord& record) {
  Json json = json_without_rows(record);
  for (const TimelineRow& row : record.timeline) json["timeline"].push_back(row_json(row));
  return json;
}

RunRecord codec::record_from(const Json& json) {
  const std::string schema = codec::string_at(json, "schema");
  if (schema != record_schema) codec::refuse(fmt::format("its schema is '{}'", schema));
  RunRecord record;
  record.header = {.run_id = codec::string_at(json, "run_id"),
                   .started = codec::string_at(json, "started"),
                   .program = codec::string_at(json, "program"),
                   .plan = codec::plan_from(json.at("plan")),
                   .environment = codec::environment_from(json.at("environment"))};
  record.status = codec::status_from(codec::string_at(json, "status"));
  record.ended_by = codec::ended_by_from(codec::string_at(json, "ended_by"));
  record.grade = codec::grade_from(json.at("grade"));
  record.warnings = json.at("warnings").get<std::vector<std::string>>();
  record.measured = time_from(json.at("measured_s"), ns_per_s);
  record.last_answer = json.contains("last_answer_s")
                           ? time_from(json.at("last_answer_s"), ns_per_s)
                           : record.measured;
  const Json& cpu = json.at("client_cpu_s");
  record.client = {.user_s = codec::number_at(cpu, "user"),
                   .system_s = codec::number_at(cpu, "sys"),
                   .peak_rss_mib = codec::number_at(json, "peak_rss_mib")};
  const Json& counts = json.at("counts");
  record.measured_flow = codec::flow_from(counts.at("measured"));
  record.unmeasured_flow = codec::flow_from(counts.at("unmeasured"));
  if (counts.contains("carried")) record.carried_flow = codec::flow_from(counts.at("carried"));
  record.unfinished = codec::count_at(counts, "unfinished");
  record.unissued = codec::count_at(counts, "unissued");
  record.lateness = codec::lateness_from(json);
  const Json& histograms = json.at("histograms");
  read_cells(json.at("totals"), histograms.at("all"), no_osd, record.kinds);
  for (const auto& [name, kinds] : histograms.items()) {
    if (name != "all")
      read_cells(json.at("osds").at(name), kinds, codec::osd_from(name), record.osds);
  }
  record.osds_partial = codec::bool_at(json, "osds_partial");
  record.routing = codec::routing_from(json);
  record.verification = codec::verification_from(json);
  record.counters = counters_from(json.at("osds"));
  record.slowest = codec::slowest_from(json);
  record.slow_search = codec::slow_search_from(json);
  record.client_load = codec::client_load_from(json);
  record.energy = codec::energy_from(json);
  record.members = codec::members_from(json);
  // Older records do not say it.
  const auto warmup = json.find("warmup");
  if (warmup != json.end() && !warmup->is_null()) record.warmup = codec::warmup_from(*warmup);
  for (const Json& row : json.at("timeline")) record.timeline.push_back(codec::row_from(row));
  for (const Json& event : json.at("events")) {
    record.events.push_back({.at = time_from(event.at("t_s"), ns_per_s),
                             .kind = codec::string_at(event, "kind"),
                             .text = codec::string_at(event, "text")});
  }
  return record;
}

// Each row of the timeline is one line: a run of days has thousands of them, which as a tree in
// memory would take many times their text.
std::string to_json(const RunRecord& record) {
  const std::string frame = text_of(json_without_rows(record), 1) + "\n";
  // No text can look like this, because line breaks in it are escaped.
  constexpr std::string_view no_rows = "\n \"timeline\": [";
  const std::size_t place = frame.find(no_rows) + no_rows.size();
  std::string text = frame.substr(0, place);
  std::string_view separator = "\n  ";
  for (const TimelineRow& row : record.timeline) {
    text.append(separator).append(text_of(codec::row_json(row), -1));
    separator = ",\n  ";
  }
  if (!record.timeline.empty()) text += "\n ";
  return text.append(frame, place);
}

Result<RunRecord> from_json(std::string_view text, const std::string& subject) {
  try {
    return codec::record_from(codec::parsed(text));
  } catch (const std::exception& error) {
    return fail(
        {.attempt = "read the run record",
         .subject = subject,
         .reason = codec::reason_of(error),
         .hint = "name a file that radosload has saved, or that --format json has printed"});
  }
}

}  // namespace radosload::record
