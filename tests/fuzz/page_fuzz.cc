// HTML pages that somebody forwarded: the records in them are read, shown and written again. The
// first byte chooses: p, a whole page; e, the data in a page; u, the same, which is packed first.
// Behind a d, the second byte does, and the document is as deep as the next two say.
#include <string>
#include <string_view>

#include "fuzz/depth.h"
#include "fuzz/target.h"
#include "html/charts.h"
#include "html/data.h"
#include "html/page.h"
#include "record/packing.h"
#include "record/record_codec.h"

namespace radosload {

// The script says nothing about what is read.
std::string_view html::chart_script() {
  return "chart()";
}
std::string_view html::chart_script_source() {
  return "'none'";
}
std::string_view html::chart_style() {
  return {};
}

namespace {

std::string around(std::string_view data) {
  return R"(<!DOCTYPE html><script type="application/json" id="radosload-data">)" +
         std::string(data) + "</script>";
}

html::EmbeddedRecords embedded_of(const html::Kept& kept) {
  html::EmbeddedRecords embedded;
  for (const record::RunRecord& run : kept.runs) embedded.runs.push_back(&run);
  embedded.arms = kept.arms;
  if (kept.series) embedded.series = &*kept.series;
  if (kept.comparison) embedded.comparison = &*kept.comparison;
  return embedded;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Texts that were read open no element.
void shown(const std::string& page) {
  const bool charts = html::has_charts(page);
  fuzz::require(count_of(page, "<script") == (charts ? 2U : 1U));
  fuzz::require(count_of(page, "<h1>") == 1);
  fuzz::require(html::kept_in(page, "shown.html").has_value());
}

void read(const std::string& page) {
  const auto kept = html::kept_in(page, "page.html");
  if (!kept) return;
  // What can be read can be written, and read again.
  fuzz::require(html::kept_in(html::data_element(embedded_of(*kept)), "again.html").has_value());
  if (kept->series) shown(html::page(*kept->series));
  if (!kept->runs.empty()) shown(html::page(kept->runs));
}

void read_as(char kind, const std::string& text) {
  switch (kind) {
    case 'p':
      return read(text);
    case 'e':
      return read(around(text));
    case 'u':
      return read(
          around(R"({"schema":"radosload.page/1","packed":")" + record::packed(text) + "\"}"));
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
