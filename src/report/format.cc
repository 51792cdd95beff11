#include "report/format.h"

#include <array>

#include "record/record_codec.h"
#include "report/compat/fio_json.h"
#include "report/compat/rados_bench.h"
#include "report/csv.h"
#include "report/prometheus.h"
#include "report/series_text.h"
#include "report/text.h"

namespace radosload::report {

namespace {
// By Format.
constexpr std::array<std::string_view, 7> names = {
    "text", "json", "csv", "prometheus", "rados-bench", "rados-bench-json", "fio-json"};
}  // namespace

Result<Format> parse_format(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.at(i) == name) return static_cast<Format>(i);
  }
  return fail({.attempt = "print as",
               .subject = std::string(name),
               .reason = "there is no such format",
               .hint = "text, json, csv, prometheus, rados-bench, rados-bench-json or fio-json",
               .exit = Exit::usage});
}

std::vector<std::string> format_names() {
  return {names.begin(), names.end()};
}

std::string render(const record::RunRecord& record, Format format, const std::string& saved_as,
                   const Style& style) {
  switch (format) {
    case Format::text:
      return text(record, saved_as, style);
    case Format::json:
      return record::to_json(record);
    case Format::csv:
      return run_csv(record);
    case Format::prometheus:
      return prometheus_text(record);
    case Format::rados_bench:
      return rados_bench_text(record);
    case Format::rados_bench_json:
      return rados_bench_json(record);
    case Format::fio_json:
      return fio_json(record);
  }
  return {};
}

bool is_series_format(std::string_view name) {
  return name == "text" || name == "json" || name == "csv";
}

std::string render(const record::Series& series, std::string_view format,
                   const std::string& saved_as) {
  if (format == "json") return record::to_json(series);
  if (format == "csv") return series_csv(series);
  return series_text(series, saved_as);
}

}  // namespace radosload::report
