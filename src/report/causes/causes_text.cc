#include "report/causes/causes_text.h"

#include "radosload/printable.h"

#include "report/facts.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

constexpr std::size_t cause_indent = 5;
constexpr std::size_t cause_label = 9;

std::string cause_part(std::string_view label, const std::string& text) {
  return paragraph(label, text, cause_indent, cause_label);
}

// A command stays on one line, so that it can be copied.
std::string command_line(const std::string& command) {
  return fmt::format("{:{}}{:<{}}{}\n", "", cause_indent, "refute", cause_label,
                     printable(command));
}

std::string cause_text(const Cause& cause, std::size_t number) {
  std::string text = "\n" + paragraph(fmt::format("{}", number), cause_line(cause), indent, 3);
  std::string_view label = "evidence";
  for (const std::string& evidence : cause.evidence) {
    text += cause_part(label, evidence);
    label = "";
  }
  return text + command_line(cause.command) +
         cause_part("", fmt::format("refuted if, {}", cause.refuted_if));
}

// The mean of the kinds, to which the sizes refer.
std::string means_text(const record::RunRecord& record) {
  std::vector<std::string> parts;
  for (const record::Cell& cell : record.kinds) {
    if (cell.ops() == 0 || cell.kind == OpKind::sync) continue;
    const auto mean = static_cast<Time::rep>(cell.latency.response().mean());
    parts.push_back(fmt::format("{} {}", op_kind_name(cell.kind), human_text(Time(mean))));
  }
  return joined(parts, ", ");
}

}  // namespace

std::string cause_line(const Cause& cause) {
  if (!cause.size) return cause.claim;
  return fmt::format("{}: {}", cause.claim, size_text(*cause.size));
}

std::string explanation_text(const record::RunRecord& record) {
  const Explanation explanation = explain(record);
  std::string text =
      printable(fmt::format("run {}, {}", record.header.run_id, record.header.started)) + "\n\n";
  text += line("where", where_text(record.header.plan, record.header.environment)) +
          line("pattern", pattern_text(record.header.plan)) +
          line("load", load_text(record.header.plan)) + line("grade", grade_text(record.grade)) +
          line("mean", means_text(record));
  std::size_t number = 0;
  for (const Cause& cause : explanation.causes) text += cause_text(cause, ++number);
  text += "\n";
  if (explanation.causes.empty()) {
    text += line("nothing", explanation.unseen.empty()
                                ? "no known cause took a large part of the time"
                                : "no cause was found in what could be examined");
  }
  for (const std::string& unseen : explanation.unseen) text += line("unseen", unseen);
  return text;
}

Sheet explanation_sheet(const record::RunRecord& record) {
  const Explanation explanation = explain(record);
  if (explanation.causes.empty()) return {};
  Sheet sheet;
  for (const Cause& cause : explanation.causes) {
    sheet.push_back({.title = "cause", .text = cause_line(cause)});
    sheet.push_back({.title = "evidence", .text = joined(cause.evidence, "; ")});
    sheet.push_back({.title = "to refute it", .text = cause.command});
    sheet.push_back({.title = "refuted if", .text = cause.refuted_if});
  }
  for (const std::string& unseen : explanation.unseen) {
    sheet.push_back({.title = "unseen", .text = unseen});
  }
  return sheet;
}

Sheet causes_sheet(const record::RunRecord& record) {
  Sheet sheet;
  for (const Cause& cause : explain(record).causes) {
    sheet.push_back({.title = "cause", .text = cause_line(cause)});
  }
  return sheet;
}

}  // namespace radosload::report
