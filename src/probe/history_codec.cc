#include "probe/history_codec.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/json_reading.h"
#include "base/wall_clock.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::probe {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t ns_per_micro = 1000;
constexpr std::int64_t ns_in_ms = 1'000'000;

std::string line_of(const nlohmann::ordered_json& json) {
  // Users choose the names of pools and classes: broken UTF-8 must not throw.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

tl::unexpected<Error> unreadable(std::string reason) {
  return fail({.attempt = "read a line of the history", .reason = std::move(reason)});
}

std::string row_text(const Visit& visit) {
  const auto micros = [](const Timing& timing) {
    return timing.typical ? fmt::format("{}", timing.typical->count() / ns_per_micro)
                          : std::string("null");
  };
  const Timing& read = visit.of(Kind::read);
  const Timing& write = visit.of(Kind::write);
  const std::int32_t number = visit.target.osd;
  std::string row = fmt::format("[{},{},{}", number < 0 ? "null" : std::to_string(number),
                                micros(read), micros(write));
  if (visit.failed()) {
    row +=
        fmt::format(",{},{},{}", read.failed, write.failed, read.failed > 0 ? read.rc : write.rc);
  }
  return row + "]";
}

// Members of a line from anywhere: each has its type and range checked.
class Reader {
 public:
  explicit Reader(const Json& json) : m_json(json) {}

  std::string text(std::string_view key) {
    const auto found = m_json.find(key);
    if (found == m_json.end()) return {};
    if (found->is_string()) return found->get<std::string>();
    blame(key);
    return {};
  }
  std::int64_t number(std::string_view key, std::int64_t most) {
    const auto found = m_json.find(key);
    if (found == m_json.end()) return 0;
    return whole(*found, key, 0, most);
  }
  double real(std::string_view key) {
    const auto found = m_json.find(key);
    if (found != m_json.end() && found->is_number()) return found->get<double>();
    blame(key);
    return 0;
  }
  Time moment(std::string_view key) {
    const auto time = base::parse_moment(text(key));
    if (time) return *time;
    blame(key);
    return Time(0);
  }
  std::int64_t whole(const Json& value, std::string_view key, std::int64_t least,
                     std::int64_t most) {
    // A number beyond 63 bits is unsigned in the library, and has no signed value.
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)) &&
                      value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
    if (fits) return value.get<std::int64_t>();
    blame(key);
    return 0;
  }
  void blame(std::string_view key) {
    if (problem.empty()) problem = fmt::format("'{}' is missing or invalid", key);
  }
  bool good() const { return problem.empty(); }

  std::string problem = {};

 private:
  const Json& m_json;
};

constexpr std::int64_t most_osd = std::numeric_limits<std::int32_t>::max() - 1;
constexpr std::int64_t most_count = std::numeric_limits<std::uint32_t>::max();
// A day in microseconds: no operation is waited for that long.
constexpr std::int64_t most_us = 86'400'000'000;

void read_row(const Json& row, const std::string& device_class, Reader& reader, Round& round) {
  constexpr std::size_t short_row = 3;
  constexpr std::size_t long_row = 6;
  if (!row.is_array() || (row.size() != short_row && row.size() != long_row)) {
    return reader.blame("osds");
  }
  Visit visit;
  visit.target.device_class = device_class;
  if (!row[0].is_null()) {
    visit.target.osd = static_cast<std::int32_t>(reader.whole(row[0], "osds", 0, most_osd));
  }
  for (const Kind kind : kinds) {
    const Json& micros = row[1 + index_of(kind)];
    Timing& timing = visit.of(kind);
    if (!micros.is_null()) {
      timing.typical = Time(reader.whole(micros, "osds", 0, most_us) * ns_per_micro);
      timing.answered = 1;
    }
    if (row.size() == short_row) continue;
    timing.failed =
        static_cast<std::uint32_t>(reader.whole(row[3 + index_of(kind)], "osds", 0, most_count));
    const auto rc = static_cast<int>(reader.whole(row[5], "osds", -most_osd, 0));
    if (timing.failed > 0) timing.rc = rc;
  }
  round.visits.push_back(std::move(visit));
}

Result<HistoryLine> round_from(const Json& json) {
  Reader reader(json);
  Round round;
  round.at = reader.moment("at");
  round.took = Time(reader.number("took_ms", most_us) * ns_in_ms);
  round.missed = static_cast<std::uint64_t>(reader.number("missed", most_us));
  round.error = reader.text("error");
  if (const auto notes = json.find("notes"); notes != json.end()) {
    for (const Json& note : *notes) {
      if (!note.is_string()) return unreadable("'notes' is invalid");
      round.notes.push_back(note.get<std::string>());
    }
  }
  if (const auto idle = json.find("without_pgs"); idle != json.end()) {
    for (const Json& osd : *idle) {
      round.without_pgs.push_back(
          static_cast<std::int32_t>(reader.whole(osd, "without_pgs", 0, most_osd)));
    }
  }
  if (const auto osds = json.find("osds"); osds != json.end()) {
    if (!osds->is_object()) return unreadable("'osds' is invalid");
    for (const auto& [device_class, rows] : osds->items()) {
      for (const Json& row : rows) read_row(row, device_class, reader, round);
    }
  }
  if (!reader.good()) return unreadable(reader.problem);
  std::stable_sort(round.visits.begin(), round.visits.end(),
                   [](const Visit& a, const Visit& b) { return a.target.osd < b.target.osd; });
  return round;
}

Result<HistoryLine> change_from(const Json& json) {
  if (!json.is_object()) return unreadable("'change' is invalid");
  Reader reader(json);
  Change change;
  change.found = reader.moment("found");
  change.since = reader.moment("since");
  const auto osd = json.find("osd");
  if (osd != json.end()) {
    change.osd = static_cast<std::int32_t>(reader.whole(*osd, "osd", 0, most_osd));
  } else if (!json.contains("class")) {
    change.osd = whole_pool;
  }
  change.device_class = reader.text("class");
  const std::string kind = reader.text("kind");
  const auto* const named = std::find(kind_names.begin(), kind_names.end(), kind);
  if (named == kind_names.end()) {
    reader.blame("kind");
  } else {
    change.kind = static_cast<Kind>(named - kind_names.begin());
  }
  change.ratio = reader.real("ratio");
  constexpr double most_ratio = 1e9;
  if (!(change.ratio >= 0 && change.ratio <= most_ratio)) reader.blame("ratio");
  change.before = Time(reader.number("before_us", most_us) * ns_per_micro);
  change.after = Time(reader.number("after_us", most_us) * ns_per_micro);
  change.peers = static_cast<std::uint32_t>(reader.number("peers", most_count));
  change.probes = static_cast<std::uint32_t>(reader.number("probes", most_count));
  if (!reader.good()) return unreadable(reader.problem);
  return change;
}

}  // namespace

std::string encode(const HistoryHeader& header) {
  return line_of({{"schema", history_schema},
                  {"pool", header.pool},
                  {"namespace", header.nspace},
                  {"started", header.started}});
}

std::string encode(const Round& round) {
  nlohmann::ordered_json json = {{"at", base::moment_text(round.at)},
                                 {"took_ms", round.took.count() / ns_in_ms}};
  if (round.missed > 0) json["missed"] = round.missed;
  if (!round.error.empty()) json["error"] = round.error;
  if (!round.notes.empty()) json["notes"] = round.notes;
  if (!round.without_pgs.empty()) json["without_pgs"] = round.without_pgs;
  std::map<std::string, std::string> classes;
  for (const Visit& visit : round.visits) {
    std::string& rows = classes[visit.target.device_class];
    rows += (rows.empty() ? "" : ",") + row_text(visit);
  }
  std::string line = line_of(json);
  if (classes.empty()) return line;
  line.erase(line.rfind('}'));
  line += ",\"osds\":{";
  for (const auto& [name, rows] : classes) {
    const std::string quoted = nlohmann::ordered_json(name).dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    line += fmt::format("{}:[{}],", quoted, rows);
  }
  line.back() = '}';
  return line + "}\n";
}

std::string encode(const Change& change) {
  nlohmann::ordered_json json = {{"found", base::moment_text(change.found)},
                                 {"since", base::moment_text(change.since)}};
  if (change.osd >= 0) json["osd"] = change.osd;
  if (change.osd == class_of_osds) json["class"] = change.device_class;
  json["kind"] = kind_name(change.kind);
  json["ratio"] = std::round(change.ratio * 1e6) / 1e6;
  json["before_us"] = change.before.count() / ns_per_micro;
  json["after_us"] = change.after.count() / ns_per_micro;
  json["peers"] = change.peers;
  json["probes"] = change.probes;
  return line_of({{"change", json}});
}

Result<HistoryLine> decode_history_line(std::string_view line) {
  const auto read = read_json(line);
  if (!read) return unreadable(read.error().reason);
  const Json& json = *read;
  if (!json.is_object()) return unreadable("it is not a JSON object");
  if (const auto change = json.find("change"); change != json.end()) return change_from(*change);
  const auto schema = json.find("schema");
  if (schema == json.end()) return round_from(json);
  if (*schema != history_schema) {
    return unreadable(fmt::format("its schema is not {}", history_schema));
  }
  Reader reader(json);
  HistoryHeader header{.pool = reader.text("pool"),
                       .nspace = reader.text("namespace"),
                       .started = reader.text("started")};
  if (!reader.good()) return unreadable(reader.problem);
  return header;
}

}  // namespace radosload::probe
