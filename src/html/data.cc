#include "html/data.h"

#include <algorithm>
#include <utility>

#include "base/json_reading.h"
#include "html/reduced.h"
#include "record/packing.h"
#include "record/record_codec.h"
#include "views/json_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::html {

using record::RunRecord;

namespace {

using DataJson = nlohmann::ordered_json;

constexpr std::string_view begin_tag = R"(<script type="application/json" id="radosload-data">)";
constexpr std::string_view end_tag = "</script>";

// Longer documents are packed: a person would not read them anyway.
constexpr std::size_t most_plain_bytes = 100U << 10U;
// No figure of a timeline takes less in a document, so more of them are not written to see it.
constexpr std::size_t least_figure_bytes = 100;
// Packed data beyond this is reduced further.
constexpr std::size_t most_packed_bytes = 240U << 10U;
// Of all timelines of a page together.
constexpr std::size_t most_timeline_figures = 4000;
constexpr std::size_t most_timeline_rows = 240;
constexpr std::size_t least_timeline_rows = 4;

// ---- writing ----

std::string dumped(const DataJson& json) {
  return json.dump(-1, ' ', false, DataJson::error_handler_t::replace);
}

// Texts of a record could end the element or begin a comment. These letters stand in strings only,
// and JSON knows them by number too.
std::string without_markup(const std::string& json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (const char letter : json) {
    switch (letter) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text += letter;
    }
  }
  return text;
}

DataJson comparison_json(const KeptComparison& kept, const std::vector<std::string>& arms) {
  DataJson figures = DataJson::array();
  for (const study::ArmFigure& one : kept.figures) {
    figures.push_back({one.arm, one.unit, one.round, one.metric, one.value,
                       one.lower_is_better ? "lower" : "higher"});
    if (one.at_least) figures.back().push_back("at least");
  }
  return {{"threshold", kept.rules.threshold}, {"level", kept.rules.level},
          {"primary", kept.rules.primary},     {"withheld", kept.withheld},
          {"warnings", kept.warnings},         {"arms", arms},
          {"figures", std::move(figures)}};
}

DataJson page_json(const EmbeddedRecords& embedded) {
  DataJson json = {{"schema", page_schema}, {"documents", DataJson::array()}};
  const auto add = [&json](const std::string& document) {
    json["documents"].push_back(DataJson::parse(document, nullptr, false));
  };
  if (embedded.series != nullptr) add(record::to_json(*embedded.series));
  for (const RunRecord* const run : embedded.runs) add(record::to_json(*run));
  if (embedded.comparison != nullptr) {
    json["comparison"] = comparison_json(*embedded.comparison, embedded.arms);
  }
  return json;
}

// How many figures all timelines hold, and how many rows the longest has.
struct Timelines {
  std::size_t figures = 0;
  std::size_t rows = 0;
  void add(const RunRecord& run) {
    figures += timeline_figures(run);
    rows = std::max(rows, run.timeline.size());
  }
  // As many rows as leave most_timeline_figures, if all runs are alike.
  std::size_t allowed() const {
    std::size_t most = most_timeline_rows;
    if (figures > most_timeline_figures) {
      most = std::min(most, rows * most_timeline_figures / figures);
    }
    return std::max(most, least_timeline_rows);
  }
};

Timelines timelines_of(const EmbeddedRecords& embedded) {
  Timelines timelines;
  for (const RunRecord* const run : embedded.runs) timelines.add(*run);
  if (embedded.series == nullptr) return timelines;
  for (const record::SeriesStep& step : embedded.series->steps) {
    if (step.record) timelines.add(*step.record);
  }
  return timelines;
}

// Copies of the records, with at most so many rows.
struct Reduced {
  std::vector<RunRecord> runs;
  std::optional<record::Series> series;

  Reduced(const EmbeddedRecords& embedded, std::size_t rows) {
    runs.reserve(embedded.runs.size());
    for (const RunRecord* const run : embedded.runs) runs.push_back(with_rows(*run, rows));
    if (embedded.series != nullptr) series = *embedded.series;
    if (!series) return;
    for (record::SeriesStep& step : series->steps) {
      if (step.record) step.record = with_rows(*step.record, rows);
    }
  }
  void make_coarse() {
    for (RunRecord& run : runs) run = with_coarse_latencies(std::move(run));
    if (!series) return;
    for (record::SeriesStep& step : series->steps) {
      if (step.record) step.record = with_coarse_latencies(*std::move(step.record));
    }
  }
  // In place of what they were made of.
  EmbeddedRecords in(EmbeddedRecords embedded) const {
    for (std::size_t i = 0; i < runs.size(); ++i) embedded.runs[i] = &runs[i];
    if (series) embedded.series = &*series;
    return embedded;
  }
};

std::string packed_data(const std::string& json) {
  return dumped({{"schema", page_schema}, {"packed", record::packed(json)}});
}

// The longest form that is short enough.
std::string data_of(const EmbeddedRecords& embedded) {
  const Timelines timelines = timelines_of(embedded);
  if (timelines.figures <= most_plain_bytes / least_figure_bytes) {
    std::string whole = dumped(page_json(embedded));
    if (whole.size() <= most_plain_bytes) return whole;
  }
  Reduced reduced(embedded, timelines.allowed());
  std::string json = dumped(page_json(reduced.in(embedded)));
  if (json.size() <= most_plain_bytes) return json;
  std::string packed = packed_data(json);
  if (packed.size() <= most_packed_bytes) return packed;
  reduced.make_coarse();
  return packed_data(dumped(page_json(reduced.in(embedded))));
}

// ---- reading ----

tl::unexpected<Error> unreadable_page(const std::string& subject, std::string reason,
                                      std::string hint = {}) {
  if (hint.empty()) {
    hint = "give a page that 'radosload report' or 'radosload compare' wrote, or the saved runs";
  }
  return fail({.attempt = "read the data of the HTML page",
               .subject = subject,
               .reason = std::move(reason),
               .hint = std::move(hint)});
}

Result<std::string_view> data_text(std::string_view page, const std::string& subject) {
  const std::size_t tag = page.find(begin_tag);
  if (tag == std::string_view::npos) {
    return unreadable_page(subject, "it has no data of radosload in it");
  }
  const std::size_t begin = tag + begin_tag.size();
  const std::size_t end = page.find(end_tag, begin);
  if (end == std::string_view::npos) {
    return unreadable_page(subject, "the file is cut off within its data");
  }
  return page.substr(begin, end - begin);
}

std::string schema_of(const DataJson& json) {
  if (!json.is_object()) return {};
  const auto found = json.find("schema");
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Result<DataJson> read_data(std::string_view text, const std::string& subject) {
  auto json = read_ordered_json(text);
  if (!json) return unreadable_page(subject, json.error().reason);
  if (schema_of(*json) == page_schema) return std::move(*json);
  return unreadable_page(subject, fmt::format("the schema of its data is not {}", page_schema));
}

Result<DataJson> unpacked_data(DataJson json, const std::string& subject) {
  const auto packed = json.find("packed");
  if (packed == json.end()) return json;
  const auto text = packed->is_string()
                        ? record::unpacked(packed->get_ref<const std::string&>(), most_page_bytes)
                        : std::nullopt;
  if (!text) return unreadable_page(subject, "its packed data is damaged, or too large");
  return read_data(*text, subject);
}

Status take_document(const DataJson& document, const std::string& subject, Kept& kept) {
  const std::string schema = schema_of(document);
  const std::string text = dumped(document);
  if (schema == record::series_schema && !kept.series) {
    RADOSLOAD_ASSIGN(kept.series, record::series_from_json(text, subject));
    return {};
  }
  if (schema != record::record_schema) {
    return unreadable_page(subject, "it holds a document that is neither a run nor one series");
  }
  RADOSLOAD_ASSIGN(auto run, record::from_json(text, subject));
  kept.runs.push_back(std::move(run));
  return {};
}

// Throws what the library throws for a value of another type.
KeptComparison comparison_from(const DataJson& json, std::vector<std::string>& arms) {
  KeptComparison kept;
  kept.rules.threshold = json.at("threshold").get<double>();
  kept.rules.level = json.at("level").get<double>();
  kept.rules.primary = json.at("primary").get<std::string>();
  kept.withheld = json.at("withheld").get<bool>();
  kept.warnings = json.at("warnings").get<std::vector<std::string>>();
  arms = json.at("arms").get<std::vector<std::string>>();
  for (const DataJson& one : json.at("figures")) {
    kept.figures.push_back({.arm = one.at(0).get<std::string>(),
                            .unit = one.at(1).get<std::string>(),
                            .round = one.at(2).get<std::string>(),
                            .metric = one.at(3).get<std::string>(),
                            .value = one.at(4).get<double>(),
                            .lower_is_better = one.at(5).get<std::string>() == "lower",
                            .at_least = one.size() > 6});
  }
  return kept;
}

// What the figures of a file must be like, too: the statistics take logarithms of them.
bool is_sound(const KeptComparison& kept) {
  const stats::ArmRules& rules = kept.rules;
  const bool figures = std::all_of(kept.figures.begin(), kept.figures.end(),
                                   [](const auto& figure) { return figure.value > 0; });
  return figures && kept.figures.size() <= study::most_csv_rows && rules.level >= 0.5 &&
         rules.level < 1 && rules.threshold >= 0 && rules.threshold <= 10;
}

Status take_comparison(const DataJson& json, const std::string& subject, Kept& kept) {
  const auto found = json.find("comparison");
  if (found == json.end()) return {};
  try {
    kept.comparison = comparison_from(*found, kept.arms);
  } catch (const DataJson::exception&) {
    return unreadable_page(subject, "its comparison lacks a key, or has a value of another type");
  }
  if (is_sound(*kept.comparison) && kept.arms.size() == kept.runs.size()) return {};
  return unreadable_page(subject, "its comparison has impossible figures");
}

}  // namespace

bool is_page(std::string_view beginning) {
  return beginning.starts_with("<!DOCTYPE html>");
}

std::string data_element(const EmbeddedRecords& embedded) {
  return std::string(begin_tag) + without_markup(data_of(embedded)) + std::string(end_tag) + "\n";
}

Result<Kept> kept_in(std::string_view page, const std::string& subject) {
  if (page.size() > most_page_bytes) {
    return unreadable_page(subject,
                           fmt::format("it is larger than {} MiB", most_page_bytes >> 20U));
  }
  RADOSLOAD_ASSIGN(const auto text, data_text(page, subject));
  RADOSLOAD_ASSIGN(auto outer, read_data(text, subject));
  RADOSLOAD_ASSIGN(const auto json, unpacked_data(std::move(outer), subject));
  const auto documents = json.find("documents");
  if (documents == json.end() || !documents->is_array()) {
    return unreadable_page(subject, "its data has no list of documents");
  }
  Kept kept;
  for (const DataJson& document : *documents) {
    RADOSLOAD_TRY(take_document(document, subject, kept));
  }
  RADOSLOAD_TRY(take_comparison(json, subject, kept));
  if (kept.series && !kept.runs.empty()) {
    return unreadable_page(subject, "it holds a series and runs, which no page does");
  }
  if (!kept.series && kept.runs.empty() && !kept.comparison) {
    return unreadable_page(subject, "it holds no run");
  }
  return kept;
}

}  // namespace radosload::html
