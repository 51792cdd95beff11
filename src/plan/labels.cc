#include "plan/labels.h"

#include <algorithm>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

bool is_key(std::string_view text) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !text.empty() && text.size() <= longest_label_key &&
         text.find_first_not_of(allowed) == std::string_view::npos;
}

Refusal wrong_label(std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) {
    return {fmt::format("'{}' is not key=value", printable(item)),
            "for example --label rack=3; a comma separates labels, so a value cannot have one"};
  }
  if (!is_key(item.substr(0, equals))) {
    return {fmt::format("'{}' is not a key of a label", printable(item.substr(0, equals))),
            fmt::format("a key has 1 to {} letters, digits, '_', '.' and '-'", longest_label_key)};
  }
  const std::string_view value = item.substr(equals + 1);
  if (value.empty()) {
    return {fmt::format("the label '{}' has no value", item.substr(0, equals)),
            "write key=value, for example --label rack=3"};
  }
  if (value.size() > longest_label_value || printable(value) != value) {
    return {fmt::format("the value of the label '{}' is not taken", item.substr(0, equals)),
            fmt::format("a value has 1 to {} bytes of text, without control characters",
                        longest_label_value)};
  }
  return {};
}

}  // namespace

std::string labels_text(const Labels& labels) {
  std::string text;
  for (const auto& [key, value] : labels) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
  }
  return text;
}

Refusal read_labels(Labels& labels, std::string_view text) {
  Labels read;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    if (Refusal wrong = wrong_label(item); !wrong.empty()) return wrong;
    const std::size_t equals = item.find('=');
    read[std::string(item.substr(0, equals))] = item.substr(equals + 1);
  }
  if (read.size() > most_labels) {
    return {fmt::format("{} labels are given", read.size()),
            fmt::format("give a run at most {}", most_labels)};
  }
  labels = std::move(read);
  return {};
}

bool has_labels(const Labels& labels, const Labels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
    const auto found = labels.find(one.first);
    return found != labels.end() && found->second == one.second;
  });
}

}  // namespace radosload::plan
