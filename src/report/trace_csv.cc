#include "report/trace_csv.h"

#include <iterator>

#include "radosload/outcome.h"

#include "report/csv.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

template <typename Value>
void add_known(std::string& text, Value value, bool known) {
  text += ',';
  if (known) fmt::format_to(std::back_inserter(text), "{}", value);
}

}  // namespace

std::string_view trace_csv_head(bool several) {
  return several ? "intended_ns,submit_ns,complete_ns,op,where,bytes,osd,pg,client,rc,error,trace\n"
                 : "intended_ns,submit_ns,complete_ns,op,where,bytes,osd,pg,client,rc,error\n";
}

void add_trace_csv(std::string& text, const trace::TraceRow& row, const std::string& file) {
  fmt::format_to(std::back_inserter(text), "{},{},{},", row.intended_ns, row.submit_ns,
                 row.complete_ns);
  if (row.op < op_kind_count) {
    text += op_kind_name(static_cast<OpKind>(row.op));
  } else {
    fmt::format_to(std::back_inserter(text), "{}", row.op);
  }
  fmt::format_to(std::back_inserter(text), ",{},{}", row.where, row.bytes);
  add_known(text, row.osd, row.osd != no_osd);
  add_known(text, row.pg, row.pg != no_pg);
  fmt::format_to(std::back_inserter(text), ",{},{},", row.client, row.rc);
  if (row.rc < 0) text += rc_name(row.rc);
  if (!file.empty()) text += ',' + csv_field(file);
  text += '\n';
}

}  // namespace radosload::report
