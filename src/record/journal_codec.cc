// The lines of a journal. Their keys are internal: scripts read the record.
#include "record/codec.h"
#include "record/journal.h"
#include "record/packed_cells.h"
#include "record/packing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

using codec::Json;

namespace {

constexpr std::string_view journal_schema = "radosload.journal/2";

std::string cells_text(const std::string& packed) {
  return to_base64({reinterpret_cast<const unsigned char*>(packed.data()), packed.size()});
}

std::string packed_cells_at(const Json& json, const char* key) {
  const auto bytes = from_base64(json.at(key).get_ref<const std::string&>());
  if (!bytes) codec::refuse(fmt::format("'{}' is not base64", key));
  std::string packed(bytes->begin(), bytes->end());
  if (!are_packed_cells(packed)) codec::refuse(fmt::format("the cells in '{}' are damaged", key));
  return packed;
}

std::vector<Cell> cells_at(const Json& json, const char* key) {
  std::vector<Cell> cells;
  add_packed_cells(cells, packed_cells_at(json, key));
  return cells;
}

Json body_of(const RunHeader& header) {
  return {{"schema", journal_schema},
          {"run_id", header.run_id},
          {"started", header.started},
          {"program", header.program},
          {"plan", codec::plan_json(header.plan)},
          {"environment", codec::environment_json(header.environment)}};
}

RunHeader header_from(const Json& json) {
  const std::string schema = codec::string_at(json, "schema");
  if (schema != journal_schema) codec::refuse(fmt::format("its schema is '{}'", schema));
  return {.run_id = codec::string_at(json, "run_id"),
          .started = codec::string_at(json, "started"),
          .program = codec::string_at(json, "program"),
          .plan = codec::plan_from(json.at("plan")),
          .environment = codec::environment_from(json.at("environment"))};
}

Json body_of(const Interval& interval) {
  Json json = {{"start_ns", interval.start.count()},
               {"length_ns", interval.length.count()},
               {"measured", codec::flow_json(interval.measured)},
               {"unmeasured", codec::flow_json(interval.unmeasured)},
               {"carried", codec::flow_json(interval.carried)},
               {"unmeasured_time_ns", interval.unmeasured_time.count()},
               {"in_flight", interval.in_flight},
               {"last_completed_ns", interval.last.completed.count()},
               {"last_service_ns", interval.last.service.count()},
               {"reduced", interval.reduced},
               {"kinds", cells_text(packed_cells(interval.kinds))},
               {"osds", cells_text(packed_cells(interval.osds))}};
  codec::put_lateness(json, interval.lateness);
  return json;
}

PackedInterval packed_interval_from(const Json& json) {
  PackedInterval packed{
      .bare = {}, .kinds = packed_cells_at(json, "kinds"), .osds = packed_cells_at(json, "osds")};
  Interval& interval = packed.bare;
  interval.start = Time(codec::integer_at(json, "start_ns"));
  interval.length = Time(codec::integer_at(json, "length_ns"));
  interval.measured = codec::flow_from(json.at("measured"));
  interval.unmeasured = codec::flow_from(json.at("unmeasured"));
  if (json.contains("carried")) interval.carried = codec::flow_from(json.at("carried"));
  if (json.contains("unmeasured_time_ns")) {
    interval.unmeasured_time = Time(codec::integer_at(json, "unmeasured_time_ns"));
  }
  interval.in_flight = codec::count_at(json, "in_flight");
  interval.last = {.completed = Time(codec::integer_at(json, "last_completed_ns")),
                   .service = Time(codec::integer_at(json, "last_service_ns"))};
  interval.lateness = codec::lateness_from(json);
  interval.reduced = codec::bool_at(json, "reduced");
  return packed;
}

Interval interval_from(const Json& json) {
  return unpacked(packed_interval_from(json));
}

Json body_of(const Event& event) {
  return {{"at_ns", event.at.count()}, {"kind", event.kind}, {"text", event.text}};
}

Event event_from(const Json& json) {
  return {.at = Time(codec::integer_at(json, "at_ns")),
          .kind = codec::string_at(json, "kind"),
          .text = codec::string_at(json, "text")};
}

Json body_of(const Warmup& warmup) {
  return codec::warmup_json(warmup);
}

Json body_of(const RunFooter& footer) {
  return {{"status", status_name(footer.status)},
          {"ended_by", ended_by_name(footer.ended_by)},
          {"measured_ns", footer.measured.count()},
          {"last_answer_ns", footer.last_answer.count()},
          {"measured", codec::flow_json(footer.measured_flow)},
          {"unmeasured", codec::flow_json(footer.unmeasured_flow)},
          {"unissued", footer.unissued},
          {"user_s", footer.client.user_s},
          {"system_s", footer.client.system_s},
          {"peak_rss_mib", footer.client.peak_rss_mib},
          {"grade", codec::grade_json(footer.grade)},
          {"warnings", footer.warnings},
          {"routing", codec::routing_json(footer.routing)},
          {"verification", codec::verification_json(footer.verification)},
          {"counters", codec::windows_json(footer.counters)},
          {"slowest", codec::slowest_json(footer.slowest)},
          {"slowest_search", codec::slow_search_json(footer.slow_search)},
          {"client", codec::client_load_json(footer.client_load, footer.client, footer.measured)},
          {"energy", codec::energy_json(footer.energy)},
          {"members", codec::members_json(footer.members)},
          {"osds", cells_text(packed_cells(footer.osds))}};
}

RunFooter footer_from(const Json& json) {
  return {.status = codec::status_from(codec::string_at(json, "status")),
          .ended_by = codec::ended_by_from(codec::string_at(json, "ended_by")),
          .measured = Time(codec::integer_at(json, "measured_ns")),
          .last_answer = Time(codec::integer_at(
              json, json.contains("last_answer_ns") ? "last_answer_ns" : "measured_ns")),
          .measured_flow = codec::flow_from(json.at("measured")),
          .unmeasured_flow = codec::flow_from(json.at("unmeasured")),
          .unissued = codec::count_at(json, "unissued"),
          .client = {.user_s = codec::number_at(json, "user_s"),
                     .system_s = codec::number_at(json, "system_s"),
                     .peak_rss_mib = codec::number_at(json, "peak_rss_mib")},
          .grade = codec::grade_from(json.at("grade")),
          .warnings = json.at("warnings").get<std::vector<std::string>>(),
          .routing = codec::routing_from(json),
          .verification = codec::verification_from(json),
          .counters = codec::windows_from(json),
          .slowest = codec::slowest_from(json),
          .slow_search = codec::slow_search_from(json),
          .client_load = codec::client_load_from(json),
          .energy = codec::energy_from(json),
          .members = codec::members_from(json),
          .osds = cells_at(json, "osds")};
}

// By index in JournalLine.
constexpr std::array<const char*, 5> line_names = {"header", "interval", "event", "footer",
                                                   "warmup"};

template <typename Line, typename ReadInterval>
Line line_from(const Json& json, ReadInterval&& read_interval) {
  if (!json.is_object() || json.size() != 1) codec::refuse("it is not an object with one key");
  const std::string name = json.begin().key();
  const Json& body = json.begin().value();
  if (name == line_names[0]) return header_from(body);
  if (name == line_names[1]) return read_interval(body);
  if (name == line_names[2]) return event_from(body);
  if (name == line_names[3]) return footer_from(body);
  if (name == line_names[4]) return codec::warmup_from(body);
  codec::refuse(fmt::format("'{}' is not a kind of line", name));
}

template <typename Line, typename ReadInterval>
Result<Line> decoded(std::string_view text, const std::string& subject,
                     ReadInterval&& read_interval) {
  try {
    return line_from<Line>(codec::parsed(text), read_interval);
  } catch (const std::exception& error) {
    return fail({.attempt = "read", .subject = subject, .reason = error.what()});
  }
}

}  // namespace

std::string encode_line(const JournalLine& line) {
  Json json;
  json[line_names.at(line.index())] =
      std::visit([](const auto& body) { return body_of(body); }, line);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<JournalLine> decode_line(std::string_view text, const std::string& subject) {
  return decoded<JournalLine>(text, subject, interval_from);
}

Result<PackedLine> decode_packed_line(std::string_view text, const std::string& subject) {
  return decoded<PackedLine>(text, subject, packed_interval_from);
}

PackedInterval packed(Interval interval) {
  PackedInterval packed{
      .bare = {}, .kinds = packed_cells(interval.kinds), .osds = packed_cells(interval.osds)};
  interval.kinds = {};
  interval.osds = {};
  packed.bare = std::move(interval);
  return packed;
}

Interval unpacked(const PackedInterval& interval) {
  Interval all = interval.bare;
  add_packed_cells(all.kinds, interval.kinds);
  add_packed_cells(all.osds, interval.osds);
  return all;
}

void add_parallel(Interval& sum, const PackedInterval& interval) {
  sum = merge_parallel(std::move(sum), interval.bare);
  add_packed_cells(sum.kinds, interval.kinds);
  add_packed_cells(sum.osds, interval.osds);
}

}  // namespace radosload::record
