// Journals, records and histograms from a disk that may hold anything. The first byte chooses;
// behind a d, the second does, and the document is as deep as the next two say.
#include <sstream>
#include <string>

#include "fuzz/depth.h"
#include "fuzz/target.h"
#include "record/hdr_codec.h"
#include "record/journal.h"
#include "record/record_codec.h"
#include "record/series.h"
#include "report/compare.h"
#include "report/compat/fio_logs.h"
#include "report/format.h"
#include "report/list.h"
#include "report/series_compare.h"
#include "report/series_text.h"

namespace radosload {
namespace {

void journal(const std::string& text) {
  record::JournalContents contents;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto decoded = record::decode_line(line, "the line");
    if (!decoded) return;
    // What can be read can be written, and read again.
    fuzz::require(record::decode_line(record::encode_line(*decoded), "again").has_value());
    contents.lines.push_back(*std::move(decoded));
  }
  static_cast<void>(record::fold_journal(contents, "the journal"));
}

void run_record(const std::string& text) {
  const auto parsed = record::from_json(text, "the record");
  if (!parsed) return;
  for (const char* const name : {"text", "json", "rados-bench", "rados-bench-json", "fio-json"}) {
    static_cast<void>(report::render(*parsed, *report::parse_format(name), ""));
  }
  static_cast<void>(report::fio_log_files(*parsed));
  static_cast<void>(report::compare({*parsed, *parsed}));
}

void series(const std::string& text) {
  const auto parsed = record::series_from_json(text, "the series");
  if (!parsed) return;
  fuzz::require(record::series_from_json(record::to_json(*parsed), "again").has_value());
  static_cast<void>(report::series_text(*parsed, ""));
  static_cast<void>(report::list_text(report::list_rows({}, {.series = {*parsed}})));
  static_cast<void>(report::compare_series_text({*parsed, *parsed}));
}

void read_as(char kind, const std::string& text) {
  switch (kind) {
    case 'j':
      return journal(text);
    case 'r':
      return run_record(text);
    case 's':
      return series(text);
    case 'h':
      static_cast<void>(record::decode_hdr(text));
      break;
    default:
      break;
  }
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return radosload::fuzz::read_by_letter(radosload::fuzz::text_of(data, size), 'd',
                                         radosload::read_as);
}
