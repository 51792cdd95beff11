#include "report/members_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "record/ranks.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::SessionMember;

namespace {

std::string remark_of(const SessionMember& member) {
  std::string text = member.stands_out ? "stands out" : "";
  if (member.missing.empty()) return text;
  if (!text.empty()) text += ", ";
  if (member.until <= member.from) return text + "recorded nothing";
  return text + fmt::format("missing from second {:.0f} on", seconds(member.until));
}

std::string percentile_text(const SessionMember& member, record::Quantile quantile, TimeUnit unit) {
  const auto time = quantile == record::p50 ? member.p50 : member.p99;
  if (time) return in_unit(static_cast<double>(time->count()), unit);
  return member.ops + member.lost < record::operations_needed(quantile) ? "-" : "lost";
}

// The unit for all percentiles of the table.
TimeUnit unit_of_percentiles(const std::vector<SessionMember>& members) {
  std::vector<double> times;
  for (const SessionMember& member : members) {
    for (const auto& time : {member.p50, member.p99}) {
      if (time) times.push_back(static_cast<double>(time->count()));
    }
  }
  return unit_of(times);
}

std::string start_text(const SessionMember& member) {
  if (!member.start_delay) return "-";
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(*member.start_delay);
  return grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(0, us.count())));
}

}  // namespace

Sheet members_sheet(const RunRecord& record) {
  if (record.members.empty()) return {};
  const TimeUnit unit = unit_of_percentiles(record.members);
  const bool remarks = std::any_of(record.members.begin(), record.members.end(),
                                   [](const auto& one) { return !remark_of(one).empty(); });
  std::vector<Table::Column> heads = {{"member", Align::left},
                                      {"ops"},
                                      {"IOPS"},
                                      {fmt::format("p50 {}", unit.name)},
                                      {fmt::format("p99 {}", unit.name)},
                                      {"began after us"}};
  if (remarks) heads.push_back({"", Align::left});
  Table table(std::move(heads));
  for (const SessionMember& member : record.members) {
    std::vector<std::string> cells = {member.who,
                                      grouped(member.ops),
                                      rate_text(member.iops),
                                      percentile_text(member, record::p50, unit),
                                      percentile_text(member, record::p99, unit),
                                      start_text(member)};
    if (remarks) cells.push_back(remark_of(member));
    table.add(std::move(cells));
  }
  return {{.title = "Members", .table = std::move(table)}};
}

std::string members_table(const RunRecord& record) {
  std::string text;
  for (const SheetPart& part : members_sheet(record)) text += part.table->text(indent);
  return text;
}

}  // namespace radosload::report
