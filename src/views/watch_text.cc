#include "views/watch_text.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "report/counters_text.h"
#include "report/facts.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

constexpr std::size_t watch_columns = 80;

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The newest, and how many there were before.
std::string disturbed_text(const std::vector<std::string>& disturbed) {
  const std::size_t before = disturbed.size() - 1;
  return fmt::format("contaminated: {}{}", disturbed.back(),
                     before == 0 ? "" : fmt::format(", and {} before", before));
}

// What a clock would show: whole seconds.
std::string clock_text(Time time) {
  constexpr Time minutes = std::chrono::minutes(2);
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  return time < minutes ? fmt::format("{} s", whole.count()) : human_text(Time(whole));
}

}  // namespace

std::string watch_text(const Watched& watched) {
  std::string text = report::paragraph(
      "",
      fmt::format(
          "What {} counted over {} from {} on, for all their clients.",
          watched.windows.size() == 1 ? "one OSD" : fmt::format("{} OSDs", watched.windows.size()),
          human_text(watched.length), watched.started),
      0, 0, watch_columns);
  if (watched.interrupted) text += "The watch was interrupted before its time.\n";
  text += "\n" + report::counters_text(watched.windows);
  constexpr std::size_t label_width = 7;
  text += "\n" + report::paragraph("grade", report::grade_text(watched.grade), 0, label_width,
                                   watch_columns);
  for (const std::string& note : watched.notes) {
    text += report::paragraph("note", note, 0, label_width, watch_columns);
  }
  return text;
}

std::vector<std::string> watch_frame(const WatchFrame& frame, std::size_t osds, std::size_t columns,
                                     std::size_t rows) {
  const std::string what = frame.windows.empty()
                               ? fmt::format("first figures after {}", clock_text(frame.interval))
                               : fmt::format("figures of the last {}", clock_text(frame.interval));
  std::vector<std::string> lines = {
      report::cut(fmt::format("{} of {}, {}; {}. Ctrl-C ends the watch.", clock_text(frame.elapsed),
                              clock_text(frame.length), report::counted(osds, "OSD"), what),
                  columns)};
  constexpr std::size_t fewest_rows = 3;  // header, what is left out, and the cursor
  if (!frame.disturbed.empty() && rows > fewest_rows) {
    lines.push_back(report::cut(disturbed_text(frame.disturbed), columns));
  }
  if (frame.windows.empty() || rows < fewest_rows) return lines;
  std::vector<std::string> figures = lines_in(report::counters_text(frame.windows));
  const std::size_t room = rows - fewest_rows + 1 - lines.size();
  if (figures.size() > room) {
    const std::size_t left_out = figures.size() - room;
    figures.resize(room);
    figures.push_back(
        fmt::format("... {} more in the table at the end", report::counted(left_out, "line")));
  }
  for (const std::string& line : figures) lines.push_back(report::cut(line, columns));
  return lines;
}

}  // namespace radosload::views
