#include "run/energy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/ratio.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

using Sources = std::vector<watch::PowerReadings>;

// A second counts when the power of each source is known for at least this share of it.
constexpr double least_known = 0.9;

// Of all sources together; empty where one is not known.
std::optional<double> watts_between(const Sources& sources, Time from, Time to) {
  double sum = 0;
  for (const watch::PowerReadings& source : sources) {
    const auto part = source.curve.between(from, to);
    if (!(seconds(part.known) >= least_known * seconds(to - from))) return std::nullopt;
    sum += part.watts();
  }
  return sum;
}

// The power without load, and how well it is known: from its single seconds.
struct Idle {
  std::optional<double> watts;
  std::optional<double> variance;
  double degrees = 1;
};

double rounding_variance(const Sources& sources) {
  constexpr double of_a_digit = 1.0 / 12;  // the truth is as likely anywhere within it
  double sum = 0;
  for (const watch::PowerReadings& source : sources) {
    sum += source.curve.resolution_w() * source.curve.resolution_w() * of_a_digit;
  }
  return sum;
}

Idle idle_of(const Sources& sources, const PowerTimes& times) {
  constexpr Time step = std::chrono::seconds(1);
  Idle idle;
  if (times.idle_end <= times.idle_begin) return idle;
  idle.watts = watts_between(sources, times.idle_begin, times.idle_end);
  std::vector<double> watts;
  for (Time at = times.idle_begin; at + step <= times.idle_end; at += step) {
    if (const auto one = watts_between(sources, at, at + step)) watts.push_back(*one);
  }
  if (watts.size() < 2) return idle;
  const auto count = static_cast<double>(watts.size());
  const double mean = std::accumulate(watts.begin(), watts.end(), 0.0) / count;
  double squares = 0;
  for (const double one : watts) squares += (one - mean) * (one - mean);
  // Rounded to a digit, a mean may be off by half of it, however often it is read; so may the power
  // under load that it is subtracted from.
  const double rounding = rounding_variance(sources);
  idle.variance = std::max(squares / (count - 1) / count, rounding) + rounding;
  idle.degrees = count - 1;
  return idle;
}

std::optional<record::Estimated> estimated(const std::optional<stats::Ratio>& ratio) {
  if (!ratio) return std::nullopt;
  return record::Estimated{.value = ratio->value, .low = ratio->low, .high = ratio->high};
}

// "3.0 of 10.0 s, from 7.0 s on: Permission denied (EACCES)"
std::string missing_text(const watch::PowerReadings& source, Time begin, Time measured) {
  const auto first = source.curve.first_unknown(begin, begin + measured);
  if (!first) return {};
  const Time known = source.curve.between(begin, begin + measured).known;
  return fmt::format("{:.1f} of {:.1f} s, from {:.1f} s on{}{}", seconds(measured - known),
                     seconds(measured), seconds(*first - begin), source.failure.empty() ? "" : ": ",
                     source.failure);
}

record::PowerSource source_of(const watch::PowerReadings& source, const PowerTimes& times,
                              Time measured) {
  const auto mean = [&](Time from, Time to) -> std::optional<double> {
    const auto part = source.curve.between(from, to);
    return part.known > Time(0) ? std::optional(part.watts()) : std::nullopt;
  };
  return {.name = source.name,
          .idle_w = mean(times.idle_begin, times.idle_end),
          .mean_w = mean(times.begin, times.begin + measured),
          .missing = missing_text(source, times.begin, measured)};
}

// A row may end after the measured phase, because its timer was late. This many of its
// operations were answered there: all drained ones but those of the rows after it.
std::uint64_t drained_in_last_row(const MeasuredOps& run) {
  std::uint64_t later = 0;
  for (const record::TimelineRow& row : run.timeline) {
    if (row.start >= run.measured) later += row.all.ops;
  }
  return run.drained - std::min(run.drained, later);
}

std::uint64_t measured_ops(const record::TimelineRow& row, const MeasuredOps& run) {
  if (row.start + row.length <= run.measured) return row.all.ops;
  return row.all.ops - std::min(row.all.ops, drained_in_last_row(run));
}

}  // namespace

record::Energy energy_of(const Sources& sources, const PowerTimes& times, const MeasuredOps& run) {
  const Idle idle = idle_of(sources, times);
  record::Energy energy{.idle_length = std::max(Time(0), times.idle_end - times.idle_begin),
                        .idle_w = idle.watts};
  for (const watch::PowerReadings& source : sources) {
    energy.sources.push_back(source_of(source, times, run.measured));
  }
  std::vector<stats::RatioPart> parts;
  Time start = Time(0);
  for (const record::TimelineRow& row : run.timeline) {
    if (row.start < Time(0)) continue;
    // From the end of the row before: the timer of the first row may start late on a busy machine,
    // and that row has the operations answered until then. What ends later was answered during
    // the drain.
    const Time from = times.begin + start;
    const Time length = std::min(row.start + row.length, run.measured) - start;
    if (length <= Time(0)) continue;
    start += length;
    const auto watts = watts_between(sources, from, from + length);
    if (!watts) continue;
    energy.known += length;
    energy.joules += *watts * seconds(length);
    const std::uint64_t ops = measured_ops(row, run);
    energy.ops += ops;
    parts.push_back({.seconds = seconds(length),
                     .over = *watts * seconds(length),
                     .under = static_cast<double>(ops)});
  }
  energy.joules_per_op = estimated(stats::ratio_of_sums(parts));
  if (idle.watts) {
    energy.net_joules_per_op = estimated(stats::ratio_of_sums(
        parts, {.per_second = *idle.watts, .variance = idle.variance, .degrees = idle.degrees}));
  }
  return energy;
}

}  // namespace radosload::run
