#include "report/live.h"

#include <algorithm>
#include <cmath>

#include "radosload/printable.h"

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

constexpr std::size_t widest_bar = 20;
constexpr std::size_t narrowest_bar = 5;
constexpr std::size_t stuck_lines = 3;
constexpr std::size_t phase_width = 8;
constexpr double bytes_per_mib = 1024.0 * 1024.0;

// "0:23", "1:02:07"
std::string clock_text(Time time) {
  const auto total = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (total >= 3600) {
    return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
  }
  return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string time_part(const record::Progress& now) {
  std::string text = clock_text(now.elapsed);
  if (now.total.count() > 0) text += "/" + clock_text(now.total);
  return text;
}

// Both lists begin with the most important part; parts that do not fit are dropped from the end.
std::vector<std::string> rates(const record::Progress& now) {
  constexpr double shortest_s = 1e-9;  // avoids dividing by zero
  const double length = std::max(seconds(now.last.length), shortest_s);
  const auto rate = [&](double amount) { return rate_text(amount / length); };
  std::vector<std::string> parts;
  parts.push_back(fmt::format("{:>6} IOPS", rate(static_cast<double>(now.last.all.ops))));
  parts.push_back(
      fmt::format("{:>6} MiB/s", rate(static_cast<double>(now.last.all.bytes) / bytes_per_mib)));
  if (now.failed > 0) parts.push_back(counted(now.failed, "error"));
  return parts;
}

std::vector<std::string> latencies(const record::Progress& now) {
  std::vector<std::string> parts;
  if (now.last.all.max > Time(0)) {
    parts.push_back(fmt::format("p50 {:>7}", time_text(now.last.all.p50)));
    parts.push_back(fmt::format("p99 {:>7}", time_text(now.last.all.p99)));
    parts.push_back(fmt::format("max {:>7}", human_text(now.last.all.max)));
  }
  parts.push_back(fmt::format("{} in flight", grouped(now.in_flight)));
  if (now.late > 0) parts.push_back(fmt::format("{} late", grouped(now.late)));
  return parts;
}

// The text and as many of the parts as fit behind it.
std::string with_parts(std::string text, const std::vector<std::string>& parts,
                       std::size_t columns) {
  for (const std::string& part : parts) {
    if (text.size() + 2 + part.size() > columns) break;
    text += "  " + part;
  }
  return text;
}

}  // namespace

std::string step_text(const std::string& step, Time left) {
  if (left <= Time(0)) return printable(step);
  const Time whole = std::chrono::ceil<std::chrono::seconds>(left);
  return fmt::format("{}, about {} left", printable(step), human_text(whole));
}

std::string progress_bar(double done, std::size_t width) {
  const double share = std::isfinite(done) ? std::clamp(done, 0.0, 1.0) : 0;
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  return "[" + std::string(full, '#') + std::string(width - full, '-') + "]";
}

std::vector<std::string> live_frame(const record::Progress& now, std::size_t columns) {
  const std::string head = fmt::format("{:<{}}", now.phase, phase_width);
  const std::size_t room = columns - std::min(columns, head.size());
  // While the run only cleans up, there are no operations of the load.
  const bool loaded = now.phase != "clean up";
  const std::string tail =
      with_parts(" " + time_part(now), loaded ? rates(now) : std::vector<std::string>(), room);
  std::string bar;
  const std::size_t used = head.size() + tail.size() + 3;  // a space and the brackets
  if (now.done >= 0 && columns >= used + narrowest_bar) {
    bar = " " + progress_bar(now.done, std::min(widest_bar, columns - used));
  }
  std::string line = cut(head + bar + tail, columns);
  std::vector<std::string> lines;
  if (!now.step.empty()) lines.push_back(cut(step_text(now.step, now.left), columns));
  lines.push_back(std::move(line));
  if (loaded) {
    const std::string below(phase_width - 1, ' ');
    lines.push_back(cut(with_parts(below, latencies(now), columns), columns));
  }
  if (!now.session.empty()) lines.push_back(cut(printable(now.session), columns));
  for (std::size_t i = 0; i < std::min(now.stuck.size(), stuck_lines); ++i) {
    lines.push_back(cut("  waiting for " + now.stuck[i], columns));
  }
  if (now.stuck.size() > stuck_lines) {
    lines.push_back(cut(fmt::format("  and for {} more", now.stuck.size() - stuck_lines), columns));
  }
  return lines;
}

}  // namespace radosload::report
