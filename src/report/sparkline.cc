#include "report/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace radosload::report {

namespace {

constexpr std::size_t heights = 8;
constexpr std::array<std::string_view, heights> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, heights> letters = {"_", ".", ":", "-", "=", "+", "*", "#"};
// Bars of one to eight eighths of a column.
constexpr std::array<std::string_view, heights> eighths = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

std::string_view point_text(const std::optional<double>& point, double top, const Style& style) {
  if (!point || !std::isfinite(*point)) return " ";
  if (*point <= 0) return "0";
  const double share = top > 0 ? std::clamp(*point / top, 0.0, 1.0) : 1;
  const double level = std::clamp(std::ceil(share * heights), 1.0, double{heights});
  return (style.unicode ? blocks : letters).at(static_cast<std::size_t>(level) - 1);
}

}  // namespace

double highest(const Points& points) {
  double top = 0;
  for (const auto& point : points) {
    if (point && std::isfinite(*point)) top = std::max(top, *point);
  }
  return top;
}

std::string sparkline(const Points& points, double top, const Style& style) {
  std::string text;
  for (const auto& point : points) text += point_text(point, top, style);
  return text;
}

std::string share_bar(double share, std::size_t columns, const Style& style) {
  if (!(share > 0) || columns == 0) return {};
  const double length = std::min(share, 1.0) * static_cast<double>(columns);
  if (!style.unicode) {
    const auto full = static_cast<std::size_t>(std::lround(length));
    return full == 0 ? "|" : std::string(full, '#');
  }
  const auto parts = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::lround(length * static_cast<double>(heights))));
  std::string text;
  for (std::size_t i = 0; i < parts / heights; ++i) text += eighths.back();
  if (parts % heights > 0) text += eighths.at(parts % heights - 1);
  return text;
}

}  // namespace radosload::report
