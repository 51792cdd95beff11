#include "base/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload {

namespace {

// The optimal string alignment distance, row by row.
std::size_t changes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string_view only_word_with_prefix(std::string_view prefix,
                                       std::span<const std::string_view> known) {
  constexpr std::size_t fewest_letters = 3;
  std::string_view found;
  if (prefix.size() < fewest_letters) return found;
  for (const std::string_view candidate : known) {
    if (!candidate.starts_with(prefix)) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  // A third of the letters, and at least one: "qb" is near "qd", "foo" is near nothing.
  std::size_t allowed = std::max<std::size_t>(word.size() / 3, 1);
  for (const std::string_view candidate : known) {
    const std::size_t changes = changes_between(word, candidate);
    if (changes < allowed || (changes == allowed && best.empty())) {
      best = candidate;
      allowed = changes;
    }
  }
  return best.empty() ? only_word_with_prefix(word, known) : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view nearest = nearest_word(word, known);
  return nearest.empty() ? std::string() : fmt::format("did you mean {}?", nearest);
}

std::string values_hint(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = did_you_mean(word, known);
  return near.empty() ? "write " + one_of(known) : fmt::format("{} Write {}", near, one_of(known));
}

std::string one_of(std::span<const std::string_view> words) {
  if (words.empty()) return {};
  if (words.size() == 1) return std::string(words.front());
  return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

}  // namespace radosload
