#include "html/facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "html/elements.h"
#include "html/escape.h"
#include "plan/command.h"
#include "plan/differences.h"
#include "record/ranks.h"
#include "report/facts.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using record::Cell;
using record::Environment;
using record::RunRecord;

namespace {

// ---- the inventory ----

std::string pool_text(const std::optional<record::PoolFacts>& pool) {
  if (!pool) return {};
  const std::string kind = pool->erasure ? fmt::format("erasure-coded {}+{}", pool->k, pool->m)
                                         : fmt::format("{} replicas", pool->size);
  return fmt::format("{}: {}, min_size {}, {}", pool->name, kind, pool->min_size,
                     report::counted(pool->pg_num, "PG"));
}

std::string image_text(const record::ImageFacts& image) {
  return fmt::format("{}: {} in objects of {}{}", image.name, option_text(image.size),
                     option_text(image.object_size), image.luks == 0 ? "" : ", encrypted");
}

// "osd.0 (12 PGs), osd.1 (9 PGs)"
std::string osd_facts(const Environment& environment) {
  constexpr std::size_t most_osds = 64;
  std::vector<std::string> parts;
  for (const record::OsdFacts& osd : environment.osds) {
    if (parts.size() == most_osds) {
      parts.push_back(fmt::format("{} more", environment.osds.size() - most_osds));
      break;
    }
    parts.push_back(osd.pgs == 0
                        ? fmt::format("osd.{}", osd.id)
                        : fmt::format("osd.{} ({})", osd.id, report::counted(osd.pgs, "PG")));
  }
  return report::joined(parts, ", ");
}

std::string client_facts(const record::ClientFacts& client) {
  std::vector<std::string> parts;
  for (const auto& [name, value] :
       {std::pair{"", client.host}, {"kernel ", client.kernel}, {"librados ", client.librados}}) {
    if (!value.empty()) parts.push_back(name + value);
  }
  if (client.cpus > 0) {
    parts.push_back(fmt::format("{} of {} CPUs", client.usable_cpus, client.cpus));
  }
  return report::joined(parts, ", ");
}

struct Fact {
  std::string name;
  std::string value;
  bool operator==(const Fact&) const = default;
  bool operator<(const Fact& other) const {
    return std::tie(name, value) < std::tie(other.name, other.value);
  }
};

std::vector<Fact> facts_of(const RunRecord& record) {
  const Environment& environment = record.header.environment;
  std::vector<Fact> facts = {{"cluster", environment.fsid},
                             {"Ceph", report::versions_text(record)},
                             {"health at the start", environment.health},
                             {"pool", pool_text(environment.pool)},
                             {"data pool", pool_text(environment.data_pool)}};
  for (const record::ImageFacts& image : environment.images) {
    facts.push_back({"image", image_text(image)});
  }
  if (environment.drive) facts.push_back({"drive", report::drive_text(*environment.drive)});
  facts.push_back({"OSDs", osd_facts(environment)});
  facts.push_back({"client", client_facts(environment.client)});
  facts.push_back({"simulated", environment.sim});
  std::erase_if(facts, [](const Fact& fact) { return fact.value.empty(); });
  return facts;
}

// "run 1, run 2 and 5 more"; nothing for all runs.
std::string names_text(const std::vector<std::string>& names, std::size_t all) {
  constexpr std::size_t most_names = 5;
  if (names.size() == all) return {};
  std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_names)));
  std::string text = report::joined(shown, ", ");
  if (names.size() > most_names) text += fmt::format(" and {} more", names.size() - most_names);
  return text;
}

std::string with_names(const std::string& text, const std::vector<std::string>& names,
                       std::size_t all) {
  const std::string of = names_text(names, all);
  return of.empty() ? text : fmt::format("{} ({})", text, of);
}

// In the order in which they are first met, with the names of the runs that have them.
template <typename Key>
class Collected {
 public:
  void add(const Key& key, const std::string& name) {
    const auto [found, fresh] = m_names.try_emplace(key);
    if (fresh) m_order.push_back(key);
    if (found->second.empty() || found->second.back() != name) found->second.push_back(name);
  }
  const std::vector<Key>& keys() const { return m_order; }
  const std::vector<std::string>& names(const Key& key) const { return m_names.at(key); }

 private:
  std::vector<Key> m_order;
  std::map<Key, std::vector<std::string>> m_names;
};

std::string differences_table(const std::vector<ShownRun>& runs) {
  std::vector<const RunPlan*> plans;
  plans.reserve(runs.size());
  for (const ShownRun& run : runs) plans.push_back(&run.record->header.plan);
  std::string rows;
  for (const plan::Difference& one : plan::differences(plans)) {
    Collected<std::string> values;
    for (std::size_t i = 0; i < runs.size(); ++i) values.add(one.values[i], runs[i].name);
    std::vector<std::string> parts;
    for (const std::string& value : values.keys()) {
      parts.push_back(with_names(value, values.names(value), runs.size()));
    }
    rows += word_row("--" + one.option, report::joined(parts, "; "));
  }
  return word_table("Options in which the runs differ", rows, "Options in which the runs differ");
}

}  // namespace

std::string headline(const RunRecord& record) {
  const Cell total = record::total_of(record.kinds);
  const std::string p99 =
      report::ranked_text(record::response_ranks(total).percentile(record::p99));
  return fmt::format("{}: {} IOPS, {} MiB/s, p99 {}",
                     report::where_text(record.header.plan, record.header.environment),
                     report::rate_text(record::iops(record, total)),
                     report::rate_text(record::mib_per_s(record, total)), p99);
}

std::string inventory(const std::vector<ShownRun>& runs) {
  Collected<Fact> facts;
  for (const ShownRun& run : runs) {
    for (const Fact& fact : facts_of(*run.record)) facts.add(fact, run.name);
  }
  std::string rows;
  for (const Fact& fact : facts.keys()) {
    rows += word_row(fact.name, with_names(fact.value, facts.names(fact), runs.size()));
  }
  return word_table("What was measured on", rows);
}

std::vector<std::string> warnings_of(const RunRecord& record) {
  std::vector<std::string> lines = record.warnings;
  for (const Cell& cell : record.kinds) {
    if (cell.errors.empty()) continue;
    lines.push_back(
        fmt::format("errors of {}: {}", op_kind_name(cell.kind), report::errors_text(cell.errors)));
  }
  for (std::string line : {report::stalled_text(record), report::backlog_text(record)}) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  if (const auto violation = record::conservation_violation(record)) {
    lines.push_back("these figures do not add up: " + *violation);
  }
  return lines;
}

std::vector<std::string> warnings_of(const std::vector<ShownRun>& runs) {
  Collected<std::string> warnings;
  for (const ShownRun& run : runs) {
    for (const std::string& line : warnings_of(*run.record)) warnings.add(line, run.name);
  }
  std::vector<std::string> lines;
  for (const std::string& line : warnings.keys()) {
    lines.push_back(with_names(line, warnings.names(line), runs.size()));
  }
  return lines;
}

std::string settings_of(const std::vector<ShownRun>& runs) {
  Collected<std::string> commands;
  for (const ShownRun& run : runs)
    commands.add(plan::command_of(run.record->header.plan), run.name);
  std::string text;
  std::size_t shown = 0;
  for (const std::string& command : commands.keys()) {
    if (shown++ == most_lines) break;
    const std::string of = names_text(commands.names(command), runs.size());
    if (!of.empty()) text += fmt::format("# {}\n", of);
    text += command + "\n";
  }
  const std::string list = preformatted("Commands", text);
  return (commands.keys().size() == 1 ? "<p>This command gives the same operations again.</p>\n"
                                      : "<p>These commands give the same operations again.</p>\n") +
         (shown > 3 ? folded("Commands", list) : list) + differences_table(runs);
}

}  // namespace radosload::html
