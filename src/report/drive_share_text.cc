#include <set>
#include <utility>

#include "report/drive_share.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

constexpr double percents = 100;
constexpr std::size_t margin = 2;

std::string or_dash(const std::optional<double>& value) {
  return value ? rate_text(*value) : "-";
}

std::string percent_text(double share) {
  return fmt::format("{:.3g} %", share * percents);
}

std::string share_text(const DriveShareRow& row) {
  if (!row.share) return "-";
  return (row.at_least ? "at least " : "") + percent_text(*row.share);
}

// "3 writes", "2 reads + 2 writes"
std::string cost_text(const DriveShareRow& row) {
  const bool operations = row.unit == "IOPS";
  const double reads = operations ? row.cost.reads : row.cost.bytes_read;
  const double writes = operations ? row.cost.writes : row.cost.bytes_written;
  std::vector<std::string> parts;
  const auto add = [&](double count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{:.3g} {}", count, what));
  };
  add(reads, operations ? (reads == 1 ? "read" : "reads") : "x read");
  add(writes, operations ? (writes == 1 ? "write" : "writes") : "x written");
  return (row.at_least ? "at least " : "") + joined(parts, " + ");
}

std::string drives_text(const DriveShare& share) {
  std::string text = counted(share.drives, "drive");
  if (share.osds > 0)
    text += fmt::format(" measured, {} in the pool's run", counted(share.osds, "OSD"));
  if (share.scaled > 0) text += fmt::format("; scaled to {} equal drives", share.scaled);
  return text;
}

std::string together_text(const DriveShare& share) {
  std::vector<std::string> parts;
  if (share.together_iops) {
    parts.push_back(
        fmt::format("{} of the drives' time by IOPS", percent_text(*share.together_iops)));
  }
  if (share.together_mib) parts.push_back(percent_text(*share.together_mib) + " by MiB/s");
  return joined(parts, ", ");
}

}  // namespace

std::string drive_share_text(const DriveShare& share) {
  std::string text = fmt::format("run {} and its drives\n\n", share.run_id);
  text += line("drives", drives_text(share));
  std::set<OpKind> said;
  for (const DriveShareRow& row : share.rows) {
    if (!said.insert(row.kind).second) continue;
    text += line("cost", fmt::format("{}: {}", op_kind_name(row.kind), row.cost.why));
  }
  Table table({{"operation", Align::left},
               {"unit", Align::left},
               {"pool"},
               {"drives' sum"},
               {"cost of one"},
               {"attainable"},
               {"share"}});
  for (const DriveShareRow& row : share.rows) {
    table.add({std::string(op_kind_name(row.kind)), row.unit, rate_text(row.pool),
               or_dash(row.drives), cost_text(row), or_dash(row.attainable), share_text(row)});
  }
  text += "\n" + table.text(margin) + "\n";
  const std::string both = together_text(share);
  if (!both.empty()) text += line("together", both);
  text += line("note",
               "attainable is the drives' sum divided by the cost, if they do nothing else; writes "
               "to WALs, journals and RocksDB are not counted, so the real limit is lower");
  for (const std::string& warning : share.warnings) text += line("warning", warning);
  return text;
}

}  // namespace radosload::report
