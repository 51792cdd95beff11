#include "report/list.h"

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {
// "complete", or "complete, void": a grade that says nothing is not worth the room.
std::string state_text(const record::RunRecord& run) {
  std::string text(record::status_name(run.status));
  if (run.grade.value != record::GradeValue::unwatched) {
    text += fmt::format(", {}", record::grade_name(run.grade.value));
  }
  return text;
}
}  // namespace

std::string list_text(const std::vector<record::RunRecord>& runs) {
  if (runs.empty()) return "no saved runs\n";
  Table table({{"run", Align::left},
               {"pool", Align::left},
               {"pattern", Align::left},
               {"measured"},
               {"IOPS"},
               {"MiB/s"},
               {"p99"},
               {"errors"},
               {"state", Align::left}});
  for (const record::RunRecord& run : runs) {
    const record::Cell total = record::total_of(run.kinds);
    const std::string pool = run.header.plan.text_at("pool");
    table.add({run.header.run_id, pool.empty() ? "-" : pool, run.header.plan.text_at("pattern"),
               fmt::format("{:.0f} s", seconds(run.measured)), rate_text(record::iops(run, total)),
               rate_text(record::mib_per_s(run, total)), time_text(record::figures_of(total).p99),
               grouped(total.failed()), state_text(run)});
  }
  return table.text(0);
}

}  // namespace radosload::report
