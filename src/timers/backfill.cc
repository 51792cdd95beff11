#include "timers/backfill.h"

#include <algorithm>

#include <fmt/format.h>

namespace radosload::timers {

namespace {

// As often as the mgr's statistics change.
constexpr std::chrono::seconds backfill_poll(5);
constexpr std::size_t parts_of_range = 4;

std::optional<Time> time_for(double amount, double rate) {
  constexpr double ten_years = 3.15e8;
  if (!(rate > 0) || amount / rate > ten_years) return std::nullopt;
  return std::chrono::duration_cast<Time>(std::chrono::duration<double>(amount / rate));
}

std::optional<Spans> spans(double amount, const Rates& rates) {
  const auto low = time_for(amount, rates.high);
  if (!low) return std::nullopt;
  return Spans{.low = *low, .high = time_for(amount, rates.low)};
}

}  // namespace

void BackfillWatch::see(const observe::RecoveryLeft& left, Time since) {
  m_samples.push_back({.since = since, .left = left});
}

double BackfillWatch::rate_between(std::size_t first, std::size_t last) const {
  const double time = seconds(m_samples[last].since - m_samples[first].since);
  if (!(time > 0)) return 0;
  return (static_cast<double>(m_samples[first].left.copies()) -
          static_cast<double>(m_samples[last].left.copies())) /
         time;
}

std::optional<Rates> BackfillWatch::quarters() const {
  const std::size_t steps = m_samples.empty() ? 0 : m_samples.size() - 1;
  if (steps < parts_of_range) return std::nullopt;
  std::optional<Rates> range;
  for (std::size_t part = 0; part < parts_of_range; ++part) {
    const double rate =
        rate_between(part * steps / parts_of_range, (part + 1) * steps / parts_of_range);
    if (!range) range = Rates{.low = rate, .high = rate};
    range->low = std::min(range->low, rate);
    range->high = std::max(range->high, rate);
  }
  return range;
}

BackfillTimes BackfillWatch::times(Bytes convert) const {
  BackfillTimes times{.convert_bytes = convert};
  if (m_samples.empty()) return times;
  const observe::RecoveryLeft& last = m_samples.back().left;
  times.at_start = m_samples.front().left.copies();
  times.left = last.copies();
  times.watched = m_samples.back().since - m_samples.front().since;
  times.shown_bytes = last.bytes_per_second;
  times.sustained = rate_between(0, m_samples.size() - 1);
  const double object =
      last.objects == 0 ? 0
                        : static_cast<double>(last.data.count) / static_cast<double>(last.objects);
  times.sustained_bytes = times.sustained * object;
  times.range = quarters();
  if (!times.range) return times;
  if (times.left > 0) times.eta = spans(static_cast<double>(times.left), *times.range);
  if (convert.count > 0 && object > 0) {
    times.cost = spans(static_cast<double>(convert.count) / object, *times.range);
  }
  return times;
}

Row watch_backfill(const World& world, const BackfillWish& wish) {
  Row row{.began = world.wall()};
  const Time start = world.now();
  BackfillWatch watch;
  std::string unseen;
  for (;;) {
    const auto left = observe::fetch_recovery(world.commands);
    const Time since = world.now() - start;
    if (left) {
      watch.see(*left, since);
    } else {
      unseen = one_line(left.error());
    }
    if (watch.done() || world.interrupted() || since >= wish.limit) break;
    if (left) {
      world.progress(fmt::format("{} copies of objects are left", left->copies()));
    }
    world.sleep(std::min<Time>(backfill_poll, wish.limit - since));
  }
  row.elapsed = world.now() - start;
  row.backfill = watch.times(wish.convert_bytes);
  row.backfill->convert = wish.convert;
  if (row.backfill->at_start == 0 && row.backfill->watched == Time{0} && !watch.done()) {
    row.failure = unseen;
  }
  return row;
}

}  // namespace radosload::timers
