#include "watch/coverage.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace radosload::watch {

void Coverage::seen(Time at) {
  if (!m_last || at - *m_last > most_between) {
    m_gaps.push_back({.from = m_last, .to = at, .why = m_why});
  }
  m_last = at;
  m_why.clear();
}

void Coverage::unseen(Time, std::string why) {
  if (m_why.empty()) m_why = std::move(why);
}

std::vector<std::string> Coverage::gaps(Time from, Time to) const {
  std::vector<std::string> texts;
  for (const Gap& gap : m_gaps) {
    const Time start = gap.from ? std::max(from, *gap.from) : from;
    const Time end = std::min(to, gap.to);
    // A daemon that was first seen before the start has no gap at the start.
    const bool open = gap.from ? end - start > most_between : end > start;
    if (open) texts.push_back(text_of({.from = start, .to = end, .why = gap.why}, from, to));
  }
  if (!m_last || *m_last < to) {
    const Time start = m_last ? std::max(from, *m_last) : from;
    texts.push_back(text_of({.from = start, .to = to, .why = m_why}, from, to));
  }
  return texts;
}

std::string Coverage::text_of(const Gap& gap, Time from, Time to) const {
  const auto whole = [](Time time) {
    return std::chrono::ceil<std::chrono::seconds>(time).count();
  };
  const Time start = gap.from.value_or(from);
  const std::string why = gap.why.empty() ? "" : fmt::format(" ({})", gap.why);
  if (start == from && gap.to == to) return fmt::format("{} was not watched{}", m_who, why);
  return fmt::format("{} was not watched for {} s at {} s{}", m_who, whole(gap.to - start),
                     std::chrono::floor<std::chrono::seconds>(start - from).count(), why);
}

}  // namespace radosload::watch
