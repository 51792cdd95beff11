#include "views/preview_text.h"

#include "plan/warmup.h"
#include "report/facts.h"
#include "report/layout.h"
#include "views/space_text.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using report::indent;
using report::line;

std::string working_set_text(const workload::Layout& layout) {
  if (layout.object_size.count == 0) return report::counted(layout.objects, "object");
  return fmt::format("{} in {} of {}", human_text(layout.total()),
                     report::counted(layout.objects, "object"), human_text(layout.object_size));
}

std::string prefill_text(const prepare::Preview& preview) {
  const workload::Layout& layout = preview.layout;
  if (!preview.reused.empty()) {
    return fmt::format("none: the run uses the objects of run {}", preview.reused);
  }
  switch (layout.prefill) {
    case workload::Prefill::nothing:
      return preview.header.plan.target == TargetKind::block
                 ? "none: the content is used as it is"
                 : "none: the pattern creates its own objects";
    case workload::Prefill::empty:
      return fmt::format("{} without content", report::counted(layout.objects, "object"));
    case workload::Prefill::data:
      return fmt::format("{} in writes of {}", human_text(layout.prefill_bytes()),
                         human_text(layout.prefill_chunk));
    case workload::Prefill::omap:
      return fmt::format("{} of omap values", human_text(layout.prefill_bytes()));
  }
  return {};
}

// What is on a drive and what would become of it; nothing for other targets.
std::string drive_lines(const prepare::Preview& preview) {
  const RunPlan& plan = preview.header.plan;
  const auto& drive = preview.header.environment.drive;
  if (!drive) return {};
  std::string writes = "nothing";
  if (preview.layout.prefill == workload::Prefill::data) {
    writes = fmt::format("all {} of the file", human_text(preview.layout.total()));
  } else if (plan.pattern.writes_data()) {
    writes = fmt::format("the first {} of the drive; what is there is lost",
                         human_text(preview.layout.total()));
  }
  return line("serial", drive->serial) + line("content", report::joined(drive->content, ", ")) +
         line("used", report::joined(drive->uses, "; ")) +
         line("writes", preview.refusal ? "refused: " + preview.refusal->reason : writes);
}

std::string length_text(const RunPlan& plan) {
  const Extent& extent = plan.extent;
  std::vector<std::string> ends;
  if (extent.time != Time(0)) ends.push_back(option_text(extent.time));
  if (extent.ops != 0) ends.push_back(fmt::format("{} operations", extent.ops));
  if (extent.bytes.count != 0) ends.push_back(option_text(extent.bytes));
  return fmt::format("{} after {}", report::joined(ends, " or "), plan::warmup_words(plan));
}

std::string osds_text(const prepare::Preview& preview) {
  constexpr std::size_t most = 16;
  std::vector<std::string> texts;
  for (const prepare::PlannedOsd& osd : preview.osds) {
    if (texts.size() == most) break;
    texts.push_back(fmt::format("osd.{}: {} in {}", osd.osd, report::counted(osd.objects, "object"),
                                report::counted(osd.pgs, "PG")));
  }
  if (preview.osds.size() > most) {
    texts.push_back(fmt::format("{} more", preview.osds.size() - most));
  }
  return report::joined(texts, "; ");
}

std::string operations_table(const prepare::Preview& preview) {
  const bool placed = preview.layout.locations != nullptr;
  std::vector<report::Table::Column> columns = {
      {"client"}, {"operation", report::Align::left}, {"object"}, {"offset"}, {"length"}};
  if (placed) columns.push_back({"OSD"});
  report::Table table(columns);
  for (const prepare::PlannedOperation& planned : preview.operations) {
    const Op& op = planned.op;
    const bool moves = op.length > 0;
    std::vector<std::string> row = {
        std::to_string(planned.lane), std::string(op_kind_name(op.kind)), std::to_string(op.object),
        moves ? std::to_string(op.offset) : "-", moves ? std::to_string(op.length) : "-"};
    if (placed) row.push_back(op.osd == no_osd ? "-" : fmt::format("osd.{}", op.osd));
    table.add(std::move(row));
  }
  return table.text(indent);
}

}  // namespace

std::string preview_text(const prepare::Preview& preview) {
  const RunPlan& plan = preview.header.plan;
  std::string text = "What the run would do; nothing has been written.\n\n";
  text +=
      line("where", report::where_text(plan, preview.header.environment) +
                        (plan.target == TargetKind::rados ? ", namespace " + plan.nspace : "")) +
      line("cluster", preview.header.environment.fsid) + drive_lines(preview) +
      line("pattern", report::pattern_text(plan)) + line("load", report::load_text(plan)) +
      line("clients", fmt::format("{}", plan.clients)) +
      line("data", working_set_text(preview.layout)) + line("pinned", osds_text(preview)) +
      line("prefill", prefill_text(preview)) + line("measured", length_text(plan)) +
      line("seed", fmt::format("{}", plan.seed));
  for (const std::string& warning : preview.warnings) text += line("warning", warning);
  if (preview.space) text += "\n" + space_text(*preview.space);
  text += "\nThe first operations, after prefill, with this seed:\n" + operations_table(preview);
  return text;
}

}  // namespace radosload::views
