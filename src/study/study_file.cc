#include "study/study_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <utility>

#include "radosload/printable.h"

#include "plan/options.h"
#include "plan/steps.h"
#include "study/arm_figures.h"
#include "study/study_rows.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

// Sweeps are written out; timers come after the patterns.
Result<StudyPlan> finished(Draft draft, const Reading& reading) {
  const auto patterns = swept(draft.patterns, draft.sweep);
  if (!patterns) return reading.pass_on(draft.sweep_line, "sweep", patterns.error());
  std::set<std::string> names;
  draft.plan.works = *patterns;
  draft.plan.works.insert(draft.plan.works.end(), draft.timers.begin(), draft.timers.end());
  for (const Work& work : draft.plan.works) {
    if (names.insert(work.name).second) continue;
    return reading.refuse(0, fmt::format("two loads have the name '{}'", printable(work.name)),
                          "give one of them another: patterns: {NAME: PATTERN}");
  }
  return std::move(draft.plan);
}

Draft draft_of(const StudyPlan& plan) {
  Draft draft{.plan = plan};
  for (const Work& work : plan.works) {
    (work.what == Work::What::timer ? draft.timers : draft.patterns).push_back(work);
  }
  return draft;
}

std::string stem_of(const std::string& subject) {
  std::string stem = std::filesystem::path(subject).stem().string();
  std::replace_if(
      stem.begin(), stem.end(), [](char c) { return c >= 0 && c < ' '; }, '_');
  return stem.empty() ? "study" : stem;
}

struct KeyAndValue {
  std::string key;
  std::string entry;  // behind the dot
  std::string value;
};

Result<KeyAndValue> parts_of(std::string_view text, const Reading& reading) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return reading.refuse(0, "it is not KEY=VALUE", "for example --set rounds=5");
  }
  KeyAndValue parts{.key = std::string(text.substr(0, equals)),
                    .entry = {},
                    .value = std::string(text.substr(equals + 1))};
  const std::size_t dot = parts.key.find('.');
  if (dot == std::string::npos) return parts;
  parts.entry = parts.key.substr(dot + 1);
  parts.key.resize(dot);
  if (parts.entry.empty())
    return reading.refuse(0, "the key ends in a dot", "write KEY.NAME=VALUE");
  return parts;
}

bool holds_text(std::string_view key) {
  return key == "question" || key == "primary" || key == "name";
}

Status set_key(Draft& draft, const KeyAndValue& parts, const Reading& reading) {
  YamlNode node{.kind = YamlNode::Kind::scalar, .key = parts.key, .text = parts.value};
  const StudyRow* const row = find_row(parts.key);
  if (row == nullptr) return unknown_key(node, reading);
  if (!parts.entry.empty()) {
    node.key = parts.entry;
    return set_entry(draft, parts.key, node, reading);
  }
  if (!holds_text(parts.key)) {
    RADOSLOAD_ASSIGN(node, parse_yaml(parts.value, reading));
    node.key = parts.key;
  }
  return row->read(draft, node, reading);
}

}  // namespace

Result<StudyPlan> read_study(std::string_view text, const std::string& subject) {
  const Reading reading{.attempt = "read the study", .subject = printable(subject)};
  RADOSLOAD_ASSIGN(const YamlNode root, parse_yaml(text, reading));
  if (root.kind != YamlNode::Kind::map) {
    return reading.refuse(root, "it has no keys", "'radosload help studies' explains the file");
  }
  Draft draft;
  draft.plan.name = stem_of(subject);
  for (const YamlNode& entry : root.items) {
    const StudyRow* const row = find_row(entry.key);
    if (row == nullptr) return unknown_key(entry, reading);
    RADOSLOAD_TRY(row->read(draft, entry, reading));
  }
  // A steady drift weighs on both of two arms alike when they take turns.
  if (!draft.names_order && draft.plan.arms.size() == 2) draft.plan.order = Order::abba;
  return finished(std::move(draft), reading);
}

Result<StudyPlan> read_study_file(const std::filesystem::path& path) {
  const auto unreadable = [&](std::string reason, int errnum) {
    return fail({.attempt = "read the study",
                 .subject = printable(path.string()),
                 .reason = std::move(reason),
                 .errnum = errnum,
                 .exit = Exit::usage});
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return unreadable("it is a folder", 0);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable("", errno == 0 ? EIO : errno);
  // One byte more than the limit is enough to refuse it.
  std::string text(most_study_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return unreadable("", errno == 0 ? EIO : errno);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return read_study(text, path.string());
}

Status apply_arm(StudyPlan& plan, std::string_view text) {
  const Reading reading{
      .attempt = "use", .subject = fmt::format("--arm {}", printable(text)), .lines = false};
  RADOSLOAD_TRY(check_text(text, reading));
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return reading.refuse(0, "it is not NAME=OPTIONS",
                          "for example --arm 'hdd=--pool hdd --osd 0-3'");
  }
  const YamlNode node{.kind = YamlNode::Kind::scalar,
                      .key = std::string(text.substr(0, equals)),
                      .text = std::string(text.substr(equals + 1))};
  Draft draft = draft_of(plan);
  RADOSLOAD_TRY(set_entry(draft, "arms", node, reading));
  plan.arms = std::move(draft.plan.arms);
  return {};
}

Status apply_setting(StudyPlan& plan, std::string_view text) {
  const Reading reading{
      .attempt = "use", .subject = fmt::format("--set {}", printable(text)), .lines = false};
  RADOSLOAD_TRY(check_text(text, reading));
  RADOSLOAD_ASSIGN(const auto parts, parts_of(text, reading));
  Draft draft = draft_of(plan);
  RADOSLOAD_TRY(set_key(draft, parts, reading));
  RADOSLOAD_ASSIGN(plan, finished(std::move(draft), reading));
  return {};
}

}  // namespace radosload::study
