#include "watch/op_memory.h"

#include <algorithm>
#include <utility>

namespace radosload::watch {

namespace {

using observe::OsdOp;

Time duration_of(const OsdOp& op) {
  return op.last() - op.initiated;
}

}  // namespace

void OpMemory::add(std::int32_t osd, observe::OsdOps told, Time asked, Time answered) {
  note_answer(osd, asked, answered);
  if (told.now && asked <= answered) {
    narrow(osd, {.least = *told.now - answered, .most = *told.now - asked, .at = answered});
  }
  for (OsdOp& op : told.ops) {
    if (!m_clients.contains(op.client)) continue;
    OsdOp& kept = m_ops[{osd, op.part, op.client, op.tid}];
    // The report with more events is the later one.
    if (kept.events.size() <= op.events.size()) kept = std::move(op);
  }
  if (m_ops.size() > most_kept) forget_short_ones();
}

// A later answer narrows the bounds, unless the clock was set meanwhile.
void OpMemory::narrow(std::int32_t osd, ClockBounds found) {
  const auto [place, first] = m_clocks.emplace(osd, found);
  if (first) return;
  ClockBounds& known = place->second;
  const Time drift = (found.at - known.at) / drift_divisor;
  const ClockBounds both{.least = std::max(found.least, known.least - drift),
                         .most = std::min(found.most, known.most + drift),
                         .at = found.at};
  known = both.least <= both.most ? both : found;
}

void OpMemory::forget_short_ones() {
  std::vector<Time> durations;
  durations.reserve(m_ops.size());
  for (const auto& [key, op] : m_ops) durations.push_back(duration_of(op));
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  std::size_t surplus = durations.size() / 2;
  std::erase_if(m_ops, [&](const auto& entry) {
    const bool gone = surplus > 0 && duration_of(entry.second) <= *middle;
    surplus -= gone ? 1 : 0;
    return gone;
  });
}

void OpMemory::add_silence(std::int32_t osd, Time asked, Time given_up) {
  std::vector<Silence>& silences = m_silences[osd];
  if (!silences.empty() && silences.back().goes_on) {
    silences.back().until = given_up;
  } else if (silences.size() < most_silences) {
    silences.push_back({.from = asked, .until = given_up, .goes_on = true});
  }
}

// A request to a paused OSD is answered when the OSD continues, so a slow answer counts as a
// silence.
void OpMemory::note_answer(std::int32_t osd, Time asked, Time answered) {
  std::vector<Silence>& silences = m_silences[osd];
  const bool prompt = answered - asked <= prompt_answer;
  if (!silences.empty() && silences.back().goes_on) {
    if (!prompt) silences.back().until = answered;
    silences.back().goes_on = false;
  } else if (!prompt && silences.size() < most_silences) {
    silences.push_back({.from = asked, .until = answered});
  }
}

std::vector<const OsdOp*> OpMemory::ops_on(std::int32_t osd) const {
  std::vector<const OsdOp*> found;
  for (auto entry = m_ops.lower_bound({osd, false, 0, 0});
       entry != m_ops.end() && std::get<0>(entry->first) == osd && !std::get<1>(entry->first);
       ++entry) {
    found.push_back(&entry->second);
  }
  return found;
}

const OsdOp* OpMemory::part_on(std::int32_t osd, const OsdOp& op) const {
  const auto found = m_ops.find({osd, true, op.client, op.tid});
  return found == m_ops.end() ? nullptr : &found->second;
}

std::optional<ClockBounds> OpMemory::clock_of(std::int32_t osd) const {
  const auto found = m_clocks.find(osd);
  if (found == m_clocks.end()) return std::nullopt;
  return found->second;
}

Time OpMemory::silence(std::int32_t osd, Time from, Time until) const {
  Time sum{0};
  const auto found = m_silences.find(osd);
  if (found == m_silences.end()) return sum;
  for (const Silence& one : found->second) {
    sum += std::max(Time(0), std::min(one.until, until) - std::max(one.from, from));
  }
  return sum;
}

}  // namespace radosload::watch
