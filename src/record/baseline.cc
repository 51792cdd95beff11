#include "record/baseline.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "radosload/printable.h"

#include "record/codec.h"
#include "record/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

using codec::Json;

namespace {

double share_at(const Json& json, const char* key, double most) {
  const double value = codec::number_at(json, key);
  if (!std::isfinite(value) || value < 0 || value >= most) {
    codec::refuse(fmt::format("its {} is out of range", key));
  }
  return value;
}

Baseline baseline_from(const Json& json) {
  if (codec::string_at(json, "schema") != baseline_schema) {
    codec::refuse(fmt::format("its schema is not {}", baseline_schema));
  }
  constexpr double most_threshold = 10.01;  // 1,000 %
  Baseline baseline{.name = codec::string_at(json, "name"),
                    .kept = codec::string_at(json, "kept"),
                    .program = codec::string_at(json, "program"),
                    .primary = codec::string_at(json, "primary"),
                    .threshold = share_at(json, "threshold", most_threshold),
                    .level = share_at(json, "level", 1),
                    .objections = json.at("objections").get<std::vector<std::string>>(),
                    .runs = {}};
  if (!is_baseline_name(baseline.name)) codec::refuse("its name is not that of a baseline");
  for (const Json& run : json.at("runs")) baseline.runs.push_back(codec::record_from(run));
  if (baseline.runs.empty()) codec::refuse("it has no runs");
  return baseline;
}

}  // namespace

bool is_baseline_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  const auto is_word = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9');
  };
  return !text.empty() && text.size() <= longest && is_word(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char letter) {
           return is_word(letter) || letter == '.' || letter == '_' || letter == '-';
         });
}

std::string to_json(const Baseline& baseline) {
  Json json = {{"schema", baseline_schema},   {"name", baseline.name},
               {"kept", baseline.kept},       {"program", baseline.program},
               {"primary", baseline.primary}, {"threshold", baseline.threshold},
               {"level", baseline.level},     {"objections", baseline.objections},
               {"runs", Json::array()}};
  for (const RunRecord& run : baseline.runs) json["runs"].push_back(codec::record_json(run));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Baseline> baseline_from_json(std::string_view text, const std::string& subject) {
  try {
    return baseline_from(codec::parsed(text));
  } catch (const std::exception& error) {
    return fail({.attempt = "read the baseline",
                 .subject = subject,
                 .reason = codec::reason_of(error),
                 .hint = "restore the file from a backup, or keep the runs again with 'radosload "
                         "baseline keep NAME RUN... --overwrite'"});
  }
}

Result<BaselineStore> BaselineStore::beside(const Store& runs) {
  return BaselineStore(folder_beside(runs, "baselines"));
}

bool BaselineStore::holds(const std::string& name) const {
  std::error_code unknown;
  return is_baseline_name(name) && std::filesystem::exists(document_path(name), unknown);
}

Error BaselineStore::no_such(const std::string& name) const {
  const auto names = list();
  const bool any = names && !names->empty();
  return {.attempt = "find the baseline",
          .subject = printable(name),
          .reason = any ? "there is no baseline of this name" : "no baseline has been kept yet",
          .hint = any ? printable(fmt::format("the baselines are: {}", fmt::join(*names, ", ")))
                      : "keep one: radosload baseline keep NAME RUN...",
          .exit = Exit::usage};
}

Result<Baseline> BaselineStore::load(const std::string& name) const {
  if (!holds(name)) return fail(no_such(name));
  const std::string path = document_path(name).string();
  RADOSLOAD_ASSIGN(const auto text, read_file(path));
  RADOSLOAD_ASSIGN(auto baseline, baseline_from_json(text, path));
  if (baseline.name == name) return baseline;
  return fail({.attempt = "read the baseline",
               .subject = path,
               .reason = fmt::format("it is baseline {}, not {}", baseline.name, name),
               .hint = "give the file the name of its baseline"});
}

Status BaselineStore::save(const Baseline& baseline, Existing existing) const {
  RADOSLOAD_TRY(create());
  return record::save(document_path(baseline.name), to_json(baseline), existing);
}

Status BaselineStore::remove(const std::string& name) const {
  if (!holds(name)) return fail(no_such(name));
  std::error_code code;
  std::filesystem::remove(document_path(name), code);
  if (!code) return {};
  return fail({.attempt = "remove the baseline",
               .subject = document_path(name).string(),
               .hint = "remove the file by hand",
               .errnum = code.value()});
}

}  // namespace radosload::record
