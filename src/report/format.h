// The formats of `--format`, by name: how a finished run is printed on stdout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "record/series.h"
#include "report/style.h"

namespace radosload::report {

enum class Format : std::uint8_t {
  text,
  json,
  csv,
  prometheus,
  rados_bench,
  rados_bench_json,
  fio_json,
};

// "text", "json", "csv", "prometheus", "rados-bench", "rados-bench-json", "fio-json"; any other
// name is a usage error that lists these.
Result<Format> parse_format(std::string_view name);

// All of them, "text" first.
std::vector<std::string> format_names();

// saved_as: the path of the record, for the text; empty when it was not saved. style: for the text.
std::string render(const record::RunRecord& record, Format format, const std::string& saved_as,
                   const Style& style = {});

// The formats of a series: "text", "json" and "csv".
bool is_series_format(std::string_view name);
std::string render(const record::Series& series, std::string_view format,
                   const std::string& saved_as);

}  // namespace radosload::report
