// Journals, records and histograms from a disk that may hold anything. The first byte chooses.
#include <sstream>
#include <string>

#include "fuzz/target.h"
#include "record/hdr_codec.h"
#include "record/journal.h"
#include "record/record_codec.h"
#include "record/series.h"
#include "report/compare.h"
#include "report/fio_logs.h"
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
  static_cast<void>(report::list_text({}, {*parsed}));
  static_cast<void>(report::compare_series_text({*parsed, *parsed}));
}

// Depth is a dimension of its own: more levels than inputs have bytes. The first two bytes say how
// many, the third what kind of document follows; each null in it stands for so many of them.
void deep(const std::string& text) {
  if (text.size() < 3) return;
  const auto byte = [&text](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[i]));
  };
  const std::size_t levels = byte(0) * 256 + byte(1);
  const std::string nested = std::string(levels, '[') + std::string(levels, ']');
  std::string document = text.substr(3);
  for (std::size_t at = 0; (at = document.find("null", at)) != std::string::npos;) {
    document.replace(at, 4, nested);
    at += nested.size();
    if (document.size() > 1'000'000) return;
  }
  if (text[2] == 'r') run_record(document);
  if (text[2] == 's') series(document);
  if (text[2] == 'j') journal(document);
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(radosload::fuzz::text_of(data + 1, size - 1));
  switch (data[0]) {
    case 'j':
      radosload::journal(text);
      break;
    case 'r':
      radosload::run_record(text);
      break;
    case 's':
      radosload::series(text);
      break;
    case 'd':
      radosload::deep(text);
      break;
    case 'h':
      static_cast<void>(radosload::record::decode_hdr(text));
      break;
    default:
      break;
  }
  return 0;
}
