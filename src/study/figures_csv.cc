#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "radosload/printable.h"

#include "study/arm_figures.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

struct CsvRow {
  std::size_t line = 0;  // where it begins
  std::vector<std::string> fields;
};

tl::unexpected<Error> csv_error(const std::string& subject, std::size_t line, std::string reason,
                                std::string hint) {
  return fail({.attempt = "read figures from",
               .subject = fmt::format("{}, line {}", subject, line),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

// Rows of RFC 4180, one by one. Lines end with LF or CRLF, the last one may lack it.
class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& subject) : m_text(text), m_subject(subject) {
    constexpr std::string_view bom = "\xef\xbb\xbf";
    if (m_text.starts_with(bom)) m_text.remove_prefix(bom.size());
  }

  // False at the end. Empty lines are passed over.
  Result<bool> next(CsvRow& row) {
    while (at_line_end()) take_line_end();
    if (m_text.empty()) return false;
    row.line = m_line;
    row.fields.clear();
    while (true) {
      RADOSLOAD_ASSIGN(auto field, next_field());
      row.fields.push_back(std::move(field));
      if (m_text.empty() || at_line_end()) break;
      m_text.remove_prefix(1);  // the comma
    }
    if (!m_text.empty()) take_line_end();
    return true;
  }

 private:
  bool at_line_end() const { return m_text.starts_with('\n') || m_text.starts_with("\r\n"); }
  void take_line_end() {
    m_text.remove_prefix(m_text[0] == '\r' ? 2U : 1U);
    ++m_line;
  }

  Result<std::string> next_field() {
    if (m_text.starts_with('"')) return quoted_field();
    std::string field;
    while (!m_text.empty() && m_text[0] != ',' && !at_line_end()) {
      if (m_text[0] == '"') {
        return csv_error(m_subject, m_line,
                         "a quote is inside a field that does not begin with one",
                         "put the whole field into quotes, and double each quote in it");
      }
      field += m_text[0];
      m_text.remove_prefix(1);
    }
    return field;
  }

  Result<std::string> quoted_field() {
    const std::size_t begun = m_line;
    std::string field;
    m_text.remove_prefix(1);
    while (true) {
      if (m_text.empty()) {
        return csv_error(m_subject, begun, "a quoted field has no closing quote",
                         "add the quote; a quote inside the field is written twice");
      }
      if (m_text.starts_with("\"\"")) {
        m_text.remove_prefix(1);
      } else if (m_text[0] == '"') {
        m_text.remove_prefix(1);
        break;
      }
      if (m_text[0] == '\n') ++m_line;
      field += m_text[0];
      m_text.remove_prefix(1);
    }
    if (m_text.empty() || m_text[0] == ',' || at_line_end()) return field;
    return csv_error(m_subject, m_line, "text follows the closing quote of a field",
                     "end the field with a comma or the end of the line");
  }

  std::string_view m_text;
  const std::string& m_subject;
  std::size_t m_line = 1;
};

constexpr std::array<std::string_view, 6> csv_columns = {"arm",    "unit",  "round",
                                                         "metric", "value", "better"};
constexpr std::size_t optional_column = 5;

class FigureReader {
 public:
  FigureReader(std::string_view text, const std::string& subject)
      : m_subject(subject), m_rows(text, subject) {}

  Result<std::vector<ArmFigure>> read() {
    CsvRow row;
    RADOSLOAD_ASSIGN(const bool any, m_rows.next(row));
    if (!any) return csv_error(m_subject, 1, "the file is empty", header_hint());
    RADOSLOAD_TRY(take_header(row));
    while (true) {
      RADOSLOAD_ASSIGN(const bool more, m_rows.next(row));
      if (!more) break;
      if (m_figures.size() == most_csv_rows) {
        return csv_error(
            m_subject, row.line,
            fmt::format("there are more than {} rows, which is the limit", most_csv_rows),
            "give one figure for each unit, round and metric, not one for each "
            "operation");
      }
      RADOSLOAD_TRY(take_row(row));
    }
    return check_arms(row.line);
  }

 private:
  static std::string header_hint() {
    return "begin the file with the line arm,unit,round,metric,value or "
           "arm,unit,round,metric,value,better";
  }

  Status take_header(const CsvRow& row) {
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      const auto* const found = std::find(csv_columns.begin(), csv_columns.end(), row.fields[i]);
      if (found == csv_columns.end()) {
        return csv_error(m_subject, row.line,
                         fmt::format("there is no column '{}'", printable(row.fields[i])),
                         header_hint());
      }
      const auto column = static_cast<std::size_t>(found - csv_columns.begin());
      if (!m_place.emplace(column, i).second) {
        return csv_error(m_subject, row.line, fmt::format("the column {} occurs twice", *found),
                         header_hint());
      }
    }
    for (std::size_t column = 0; column < optional_column; ++column) {
      if (m_place.contains(column)) continue;
      return csv_error(m_subject, row.line,
                       fmt::format("the column {} is missing", csv_columns.at(column)),
                       header_hint());
    }
    m_width = row.fields.size();
    return {};
  }

  std::string field(const CsvRow& row, std::size_t column) const {
    const auto place = m_place.find(column);
    return place == m_place.end() ? std::string() : row.fields[place->second];
  }

  Status take_row(const CsvRow& row) {
    if (row.fields.size() != m_width) {
      return csv_error(m_subject, row.line,
                       fmt::format("{} fields instead of {}", row.fields.size(), m_width),
                       "give every row as many fields as the first line; quote a field with a "
                       "comma in it");
    }
    ArmFigure figure{.arm = field(row, 0),
                     .unit = field(row, 1),
                     .round = field(row, 2),
                     .metric = field(row, 3)};
    for (const std::size_t column : {0U, 1U, 3U}) {
      if (!field(row, column).empty()) continue;
      return csv_error(m_subject, row.line, fmt::format("{} is empty", csv_columns.at(column)),
                       "only round and better may be empty");
    }
    RADOSLOAD_ASSIGN(figure.value, value_of(row));
    RADOSLOAD_ASSIGN(figure.lower_is_better, direction_of(row, figure.metric));
    const auto [before, fresh] =
        m_seen.emplace(std::tuple(figure.arm, figure.unit, figure.round, figure.metric), row.line);
    if (!fresh) {
      return csv_error(
          m_subject, row.line,
          fmt::format("line {} has the same arm, unit, round and metric", before->second),
          "give each round its own name, or remove one of the two lines");
    }
    m_figures.push_back(std::move(figure));
    return {};
  }

  Result<double> value_of(const CsvRow& row) const {
    const std::string text = field(row, 4);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    if (!whole || !std::isfinite(value)) {
      return csv_error(m_subject, row.line,
                       fmt::format("the value '{}' is not a number", printable(text)),
                       "write it like 12.5 or 1e-3, without a unit");
    }
    if (value > 0) return value;
    return csv_error(m_subject, row.line,
                     fmt::format("the value {} is not above 0", printable(text)),
                     "ratios need values above 0; leave out what was not measured");
  }

  Result<bool> direction_of(const CsvRow& row, const std::string& metric) {
    const std::string better = field(row, optional_column);
    if (!better.empty() && better != "lower" && better != "higher") {
      return csv_error(m_subject, row.line, fmt::format("better is '{}'", printable(better)),
                       "write lower or higher, or leave it empty for a known metric");
    }
    const auto built_in = lower_is_better(metric);
    if (better.empty() && !built_in) {
      return csv_error(
          m_subject, row.line,
          fmt::format("it is not known whether less of '{}' is better", printable(metric)),
          "add the column better, with lower or higher");
    }
    const bool lower = better.empty() ? *built_in : better == "lower";
    const auto [said, fresh] = m_directions.emplace(metric, std::pair(lower, row.line));
    if (!fresh && said->second.first != lower) {
      return csv_error(m_subject, row.line,
                       fmt::format("better of '{}' differs from line {}", printable(metric),
                                   said->second.second),
                       "give a metric the same better in all rows");
    }
    return lower;
  }

  Result<std::vector<ArmFigure>> check_arms(std::size_t last_line) {
    std::set<std::string> arms;
    for (const ArmFigure& figure : m_figures) arms.insert(figure.arm);
    if (arms.size() >= 2) return std::move(m_figures);
    return csv_error(m_subject, last_line,
                     arms.empty()
                         ? "there are no figures below the first line"
                         : fmt::format("all lines have the arm '{}'", printable(*arms.begin())),
                     "give figures of at least two arms; the first one is the base");
  }

  const std::string& m_subject;
  CsvReader m_rows;
  std::size_t m_width = 0;
  std::map<std::size_t, std::size_t> m_place;  // of a column in a row
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> m_seen;
  std::map<std::string, std::pair<bool, std::size_t>> m_directions;
  std::vector<ArmFigure> m_figures;
};

}  // namespace

Result<std::vector<ArmFigure>> figures_of_csv(std::string_view text, const std::string& subject) {
  if (text.size() > most_csv_bytes) {
    return fail(
        {.attempt = "read figures from",
         .subject = subject,
         .reason = fmt::format("it has more than {} bytes, which is the limit", most_csv_bytes),
         .hint = "give one figure for each unit, round and metric, not one for each "
                 "operation",
         .exit = Exit::usage});
  }
  return FigureReader(text, subject).read();
}

}  // namespace radosload::study
