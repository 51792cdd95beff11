#include "views/study_outlook.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "radosload/printable.h"

#include "report/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::views {

namespace {

constexpr std::size_t page_margin = 2;
constexpr double to_percent = 100;

std::string change_text(const std::optional<double>& smallest) {
  if (!smallest) return "not known";
  constexpr double beyond = 9.99;
  return *smallest > beyond ? "> 999 %" : fmt::format("{:.2g} %", *smallest * to_percent);
}

std::string scope_and_count(const stats::Foresight& one) {
  const char* const what = one.scope == stats::Scope::these_osds ? "rounds" : "units";
  return one.pairs ? fmt::format("{} pairs of {}", one.n_a, what)
                   : fmt::format("{} v {} {}", one.n_a, one.n_b, what);
}

bool several_contests(const study::Outlook& findable) {
  return std::any_of(
      findable.comparisons.begin(), findable.comparisons.end(),
      [&](const study::Foreseen& one) { return one.other != findable.comparisons.front().other; });
}

std::string findable_table(const study::Outlook& findable) {
  const bool several = several_contests(findable);
  std::vector<report::Table::Column> columns = {{"metric", report::Align::left},
                                                {"scope", report::Align::left},
                                                {"compared", report::Align::left},
                                                {"smallest change"},
                                                {"at worst"},
                                                {"2x rounds"},
                                                {"2x units"}};
  if (several) columns.insert(columns.begin(), {"arm", report::Align::left});
  report::Table table(columns);
  for (const study::Foreseen& one : findable.comparisons) {
    if (one.now.method == stats::Method::none) continue;
    std::vector<std::string> row = {one.metric.empty() ? "any" : one.metric,
                                    std::string(stats::scope_name(one.now.scope)),
                                    scope_and_count(one.now),
                                    one.now.possible ? change_text(one.now.smallest) : "none",
                                    one.now.possible ? change_text(one.now.at_worst) : "none",
                                    change_text(one.more_rounds.smallest),
                                    change_text(one.more_units.smallest)};
    if (several) row.insert(row.begin(), one.other);
    table.add(std::move(row));
  }
  return table.text(page_margin);
}

// Of the design: rounds and units both cost time in proportion.
std::string better_design(const study::Foreseen& one) {
  if (!one.now.smallest || !one.more_rounds.smallest || !one.more_units.smallest) return {};
  const double rounds = *one.more_rounds.smallest;
  const double units = *one.more_units.smallest;
  const bool by_units = units < rounds;
  std::string text = fmt::format(
      "{}{}: {} rarely see a change of less than {} (at worst {}) in scope {}; in twice the time "
      "{} "
      "would see {}, {} {}",
      one.metric.empty() ? "any metric" : printable(one.metric),
      one.now.pairs && one.now.scope == stats::Scope::this_kind
          ? " (if all units answer alike to the change)"
          : "",
      scope_and_count(one.now), change_text(one.now.smallest), change_text(one.now.at_worst),
      stats::scope_name(one.now.scope), by_units ? "twice the units" : "twice the rounds",
      change_text(by_units ? units : rounds), by_units ? "twice the rounds" : "twice the units",
      change_text(by_units ? rounds : units));
  return text;
}

std::string order_text(const study::StudyDocument& document) {
  constexpr std::size_t most_shown = 20;
  std::string text = "\nthe order of its cells:\n";
  for (std::size_t i = 0; i < std::min(document.cells.size(), most_shown); ++i) {
    const study::StudyCell& cell = document.cells[i];
    text += printable(fmt::format("  {:>4}  {}round {}  {}  {}  {}", i + 1,
                                  cell.phase.empty() ? "" : cell.phase + "  ", cell.round, cell.arm,
                                  cell.unit, document.plan.works[cell.work].name)) +
            "\n";
  }
  if (document.cells.size() > most_shown) {
    text += fmt::format("        and {} more\n", document.cells.size() - most_shown);
  }
  return text;
}

// By pool: the data sets of all arms and loads are there together.
std::vector<std::string> space_lines(const StudyOutlook& outlook) {
  std::map<std::string, StudySpace> pools;
  for (const StudySpace& one : outlook.space) {
    StudySpace& sum = pools[one.pool];
    sum.objects += one.objects;
    sum.data.count += one.data.count;
    sum.raw.count += one.raw.count;
  }
  std::vector<std::string> lines;
  lines.reserve(pools.size());
  for (const auto& [pool, sum] : pools) {
    lines.push_back(fmt::format("pool {}: {} at most, {} of data, {} with replicas", pool,
                                report::counted(sum.objects, "object"), human_text(sum.data),
                                human_text(sum.raw)));
  }
  return lines;
}

std::string length_line(const StudyOutlook& outlook) {
  if (outlook.length) {
    return fmt::format("measuring takes {}, plus the time for writing the objects",
                       human_text(*outlook.length));
  }
  const auto& works = outlook.document.plan.works;
  const bool timed = std::any_of(works.begin(), works.end(), [](const study::Work& work) {
    return work.what == study::Work::What::timer;
  });
  return timed ? "how long it takes is not known: a timing takes as long as the cluster does"
               : "how long it takes is not known: its runs end by operations or bytes";
}

std::vector<std::string> head_lines(const StudyOutlook& outlook) {
  const study::StudyDocument& document = outlook.document;
  const study::StudyPlan& plan = document.plan;
  std::vector<std::string> lines;
  for (const study::ArmUnits& arm : document.units) {
    lines.push_back(fmt::format("arm {}: {}", arm.arm, fmt::join(arm.units, ", ")));
  }
  std::vector<std::string> works;
  works.reserve(plan.works.size());
  for (const study::Work& work : plan.works) works.push_back(work.name);
  lines.push_back("each cell: " + report::joined(works, " or "));
  const std::string rounds = plan.probe
                                 ? fmt::format("every {} for {}", option_text(plan.probe->every),
                                               option_text(plan.probe->for_time))
                                 : report::counted(plan.rounds, "round");
  lines.push_back(fmt::format("{}, {}, seed {}", report::counted(document.cells.size(), "cell"),
                              rounds, plan.seed));
  for (const study::Phase& phase : plan.phases) {
    lines.push_back(
        fmt::format("phase {}: {}", phase.name,
                    phase.command.empty() ? "reached by hand" : "reached by: " + phase.command));
  }
  lines.push_back(length_line(outlook));
  return lines;
}

}  // namespace

std::vector<std::string> findable_lines(const study::Outlook& findable) {
  std::vector<std::string> lines;
  // Of many metrics the first one says it; all are in the table.
  std::set<std::pair<std::string, stats::Scope>> said;
  for (const study::Foreseen& one : findable.comparisons) {
    std::string better = better_design(one);
    const bool first = said.emplace(one.other, one.now.scope).second;
    if (first && !better.empty()) lines.push_back(std::move(better));
  }
  for (const std::string& never : findable.never) lines.push_back(printable(never));
  if (findable.comparisons.empty()) return lines;
  if (findable.spread_of.empty()) {
    lines.emplace_back(
        "the smallest change it could find is not known, because nothing like it has been measured "
        "here; --pilot measures its first two rounds and says it, --like RUN goes by saved runs");
  }
  return lines;
}

std::string outlook_text(const StudyOutlook& outlook) {
  const auto& plan = outlook.document.plan;
  std::string text =
      printable(plan.question.empty() ? plan.name
                                      : fmt::format("{}: {}", plan.name, plan.question)) +
      "\n";
  const auto add = [&text](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += fmt::format("  {}\n", printable(line));
  };
  add(head_lines(outlook));
  add(space_lines(outlook));
  add(outlook.document.remarks);
  for (const std::string& warning : outlook.warnings) text += report::line("warning", warning);
  for (const std::string& missing : outlook.missing) text += report::line("missing", missing);
  const study::Outlook& findable = outlook.findable;
  if (!findable.spread_of.empty()) {
    text += fmt::format("\nwhat it could find, if figures scatter as those of {}:\n\n{}",
                        findable.spread_of, findable_table(findable));
  }
  const auto notes = findable_lines(findable);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += report::line("note", note);
  return text + order_text(outlook.document);
}

}  // namespace radosload::views
