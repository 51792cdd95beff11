#include "observe/osd_ops_reader.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::observe {

namespace {

constexpr std::string_view age_key = "\"age\":";

// The texts of the dump's operations; none of them are parsed. Empty if the text ends too early.
std::optional<std::vector<std::string_view>> texts_of(std::string_view json) {
  constexpr std::string_view key = "\"ops\":[";
  const std::size_t found = json.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> texts;
  std::size_t depth = 0;
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t i = found + key.size(); i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (depth++ == 0) start = i;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return texts;
      if (--depth == 0) texts.push_back(json.substr(start, i + 1 - start));
    }
  }
  return std::nullopt;
}

bool has_ended(std::string_view op) {
  return op.find(R"("event":"done")") != std::string_view::npos;
}

// What is the same in each dump: its description, and when it was received.
std::size_t identity_of(std::string_view op) {
  return std::hash<std::string_view>()(op.substr(0, op.find(age_key)));
}

// True for one without a readable age as well.
bool is_slow(std::string_view op) {
  const std::size_t found = op.find(age_key);
  if (found == std::string_view::npos) return true;
  const std::string_view number = op.substr(found + age_key.size());
  double age = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), age);
  return error != std::errc() || age >= seconds(OsdOpsReader::slow);
}

// Parses the first of the dump's operations, and those that `wanted` chooses.
template <typename Wanted>
Result<OsdOps> parse_some(const std::string& json, const Wanted& wanted) {
  // What is not a dump is refused there, with the reason.
  const auto texts = json.size() > longest_dump ? std::nullopt : texts_of(json);
  if (!texts) return parse_osd_ops(json);
  std::vector<std::string_view> chosen;
  for (const std::string_view text : *texts) {
    // Asked for each of them: `wanted` may take note.
    const bool is_wanted = wanted(text);
    if (is_wanted || text.data() == texts->front().data()) chosen.push_back(text);
  }
  return parse_osd_ops(fmt::format(R"({{"ops":[{}]}})", fmt::join(chosen, ",")));
}

Result<std::string> dump_of(AdminCommands& commands, std::int32_t osd, const char* name) {
  return commands.osd(osd, fmt::format(R"({{"prefix": "{}", "format": "json"}})", name));
}

}  // namespace

Result<OsdOps> OsdOpsReader::read_ended(const std::string& json) {
  std::unordered_set<std::size_t> ended;
  auto read = parse_some(json, [&](std::string_view op) {
    if (!has_ended(op)) return true;
    const std::size_t identity = identity_of(op);
    if (ended.size() < most_ops_read) ended.insert(identity);
    return !m_ended.contains(identity);
  });
  if (read) m_ended = std::move(ended);
  return read;
}

Result<OsdOps> OsdOpsReader::read_in_flight(const std::string& json) {
  return parse_some(json, is_slow);
}

Result<OsdOps> OsdOpsReader::fetch_ended(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto history, dump_of(commands, osd, "dump_historic_ops"));
  return read_ended(history);
}

Result<OsdOps> OsdOpsReader::fetch_all(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto in_flight, dump_of(commands, osd, "dump_ops_in_flight"));
  RADOSLOAD_ASSIGN(auto slow_ones, read_in_flight(in_flight));
  RADOSLOAD_ASSIGN(auto all, fetch_ended(commands, osd));
  std::move(slow_ones.ops.begin(), slow_ones.ops.end(), std::back_inserter(all.ops));
  if (slow_ones.now) all.now = std::max(all.now.value_or(*slow_ones.now), *slow_ones.now);
  return all;
}

}  // namespace radosload::observe
