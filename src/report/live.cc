#include "report/live.h"

#include <algorithm>
#include <cmath>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

constexpr std::size_t bar_width = 20;
constexpr std::size_t stuck_lines = 3;
constexpr double bytes_per_mib = 1024.0 * 1024.0;

// "0:23", "1:02:07"
std::string clock_text(Time time) {
  const auto total = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (total >= 3600) {
    return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
  }
  return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string progress_text(const LiveState& state) {
  std::string text = fmt::format("{:<7}", state.phase);
  if (state.done >= 0) text += " " + progress_bar(state.done, bar_width);
  text += " " + clock_text(state.elapsed);
  if (state.total.count() > 0) text += "/" + clock_text(state.total);
  return text;
}

// In the order in which they matter: what does not fit is left out from the end.
std::vector<std::string> figures(const LiveState& state, const record::TimelineRow& last) {
  const double length = std::max(seconds(last.length), 1e-9);
  const bool any = last.all.ops > 0;
  std::vector<std::string> parts = {
      fmt::format("{:>7} IOPS", rate_text(static_cast<double>(last.all.ops) / length))};
  if (state.failed > 0) parts.push_back(counted(state.failed, "error"));
  parts.push_back(fmt::format(
      "{:>7} MiB/s", rate_text(static_cast<double>(last.all.bytes) / bytes_per_mib / length)));
  parts.push_back(fmt::format("p50 {:>7}", time_text(last.all.p50)));
  parts.push_back(fmt::format("p99 {:>7}", time_text(last.all.p99)));
  parts.push_back(fmt::format("max {:>7}", any ? human_text(last.all.max) : "-"));
  if (state.late > 0) parts.push_back(fmt::format("{} late", grouped(state.late)));
  return parts;
}

// Cut to the width without leaving half a character of UTF-8.
std::string cut(std::string text, std::size_t columns) {
  if (text.size() <= columns) return text;
  std::size_t end = columns;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  text.resize(end);
  return text;
}

}  // namespace

std::string progress_bar(double done, std::size_t width) {
  const double share = std::isfinite(done) ? std::clamp(done, 0.0, 1.0) : 0;
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  return "[" + std::string(full, '#') + std::string(width - full, '-') + "]";
}

std::vector<std::string> live_frame(const LiveState& state, const record::TimelineRow& last,
                                    std::size_t columns) {
  std::string line = cut(progress_text(state), columns);
  for (const std::string& part : figures(state, last)) {
    if (line.size() + 2 + part.size() > columns) break;
    line += "  " + part;
  }
  std::vector<std::string> lines = {std::move(line)};
  for (std::size_t i = 0; i < std::min(state.stuck.size(), stuck_lines); ++i) {
    lines.push_back(cut("  waiting for " + state.stuck[i], columns));
  }
  if (state.stuck.size() > stuck_lines) {
    lines.push_back(
        cut(fmt::format("  and for {} more", state.stuck.size() - stuck_lines), columns));
  }
  return lines;
}

}  // namespace radosload::report
