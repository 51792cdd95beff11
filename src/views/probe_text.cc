#include "views/probe_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/wall_clock.h"
#include "placement/osd_select.h"
#include "report/layout.h"
#include "views/json_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using nlohmann::ordered_json;
using probe::Change;
using probe::HistorySummary;
using probe::Kind;
using probe::OsdSummary;

constexpr std::size_t read_at = probe::index_of(Kind::read);
constexpr std::size_t write_at = probe::index_of(Kind::write);

using probe::second_text;

// The last change of each kind of an OSD: "read x1.52".
std::string changes_of(const HistorySummary& summary, std::int32_t osd) {
  std::string text;
  for (const Kind kind : probe::kinds) {
    const auto last = std::find_if(
        summary.changes.rbegin(), summary.changes.rend(),
        [&](const Change& change) { return change.osd == osd && change.kind == kind; });
    if (last == summary.changes.rend()) continue;
    text +=
        fmt::format("{}{} x{:.2f}", text.empty() ? "" : ", ", probe::kind_name(kind), last->ratio);
  }
  return text;
}

report::Table table_of(const HistorySummary& summary, std::size_t most_rows) {
  using report::Align;
  report::Table table({{"osd", Align::right},
                       {"class", Align::left},
                       {"rounds", Align::right},
                       {"read", Align::right},
                       {"last", Align::right},
                       {"write", Align::right},
                       {"last", Align::right},
                       {"failed", Align::right},
                       {"last change", Align::left}});
  for (const OsdSummary& osd : summary.osds) {
    if (most_rows > 0 && table.rows().size() == most_rows) break;
    const std::int32_t number = osd.target.osd;
    table.add({number < 0 ? "all" : std::to_string(number), osd.target.device_class,
               report::grouped(osd.rounds), report::time_text(osd.medians[read_at]),
               report::time_text(osd.last[read_at]), report::time_text(osd.medians[write_at]),
               report::time_text(osd.last[write_at]),
               report::grouped(osd.failures[read_at] + osd.failures[write_at]),
               changes_of(summary, osd.target.osd)});
  }
  return table;
}

std::string rounds_text(const HistorySummary& summary) {
  if (summary.rounds == 0) return "no round yet";
  std::string text = fmt::format("{} from {} to {}", report::counted(summary.rounds, "round"),
                                 second_text(summary.from), second_text(summary.to));
  if (summary.failed_rounds > 0) {
    text += fmt::format("; {} of them could not probe anything", summary.failed_rounds);
  }
  if (summary.missed > 0) text += fmt::format("; {} were left out", summary.missed);
  return text;
}

ordered_json number_or_null(std::int32_t osd) {
  return osd < 0 ? ordered_json(nullptr) : ordered_json(osd);
}

ordered_json change_json(const Change& change) {
  return {{"subject", probe::change_subject(change)},
          {"osd", number_or_null(change.osd)},
          {"class", change.osd == probe::class_of_osds ? ordered_json(change.device_class)
                                                       : ordered_json(nullptr)},
          {"op", probe::kind_name(change.kind)},
          {"since", base::moment_text(change.since)},
          {"found", base::moment_text(change.found)},
          {"ratio", change.ratio},
          {"before_us", micros_or_null(change.before)},
          {"after_us", micros_or_null(change.after)},
          {"peers", change.peers},
          {"probes", change.probes}};
}

ordered_json osd_json(const OsdSummary& osd) {
  ordered_json json = {{"osd", number_or_null(osd.target.osd)},
                       {"class", or_null(osd.target.device_class)},
                       {"rounds", osd.rounds},
                       {"last_at", base::moment_text(osd.last_at)}};
  for (const Kind kind : probe::kinds) {
    const std::size_t i = probe::index_of(kind);
    json[std::string(probe::kind_name(kind))] = {{"usual_us", micros_or_null(osd.medians[i])},
                                                 {"last_us", micros_or_null(osd.last[i])},
                                                 {"failed", osd.failures[i]}};
  }
  return json;
}

}  // namespace

std::string probe_text(const ProbeShown& shown, std::size_t most_rows) {
  const HistorySummary& summary = shown.summary;
  std::string text = report::line("pool", summary.header.pool);
  text += report::line("history", shown.folder);
  text += report::line("rounds", rounds_text(summary));
  if (!summary.osds.empty()) text += "\n" + table_of(summary, most_rows).text(report::indent);
  if (most_rows > 0 && summary.osds.size() > most_rows) {
    text += fmt::format("  and {} more\n", summary.osds.size() - most_rows);
  }
  if (!summary.without_pgs.empty()) {
    text += report::paragraph(
        "", "OSDs that lead no PG of the pool: " + placement::ids_text(summary.without_pgs),
        report::indent, 0);
  }
  text += summary.changes.empty() ? "\nno change was found\n" : "\nchanges:\n";
  for (const Change& change : summary.changes) {
    text += report::paragraph("", probe::change_text(change), report::indent, 0);
  }
  if (!summary.notes.empty() || shown.unreadable > 0) text += "\nnotes:\n";
  for (const probe::Noted& note : summary.notes) {
    text += report::paragraph("", fmt::format("{}  {}", second_text(note.at), note.text),
                              report::indent, 0);
  }
  if (shown.unreadable > 0) {
    text += report::paragraph("",
                              fmt::format("{} could not be read, the first: {}",
                                          report::counted(shown.unreadable, "line"), shown.problem),
                              report::indent, 0);
  }
  return text;
}

std::string probe_json(const ProbeShown& shown) {
  const HistorySummary& summary = shown.summary;
  const bool any = summary.rounds > 0;
  ordered_json json = {{"schema", "radosload.probe/1"},
                       {"pool", summary.header.pool},
                       {"namespace", summary.header.nspace},
                       {"folder", shown.folder},
                       {"rounds", summary.rounds},
                       {"failed_rounds", summary.failed_rounds},
                       {"missed_rounds", summary.missed},
                       {"unreadable_lines", shown.unreadable},
                       {"from", any ? ordered_json(base::moment_text(summary.from)) : nullptr},
                       {"to", any ? ordered_json(base::moment_text(summary.to)) : nullptr},
                       {"osds", ordered_json::array()},
                       {"without_pgs", summary.without_pgs},
                       {"changes", ordered_json::array()},
                       {"notes", ordered_json::array()}};
  for (const OsdSummary& osd : summary.osds) json["osds"].push_back(osd_json(osd));
  for (const Change& change : summary.changes) json["changes"].push_back(change_json(change));
  for (const probe::Noted& note : summary.notes) {
    json["notes"].push_back({{"at", base::moment_text(note.at)}, {"text", note.text}});
  }
  return json_text(json);
}

}  // namespace radosload::views
