#include "html/scale.h"

#include <algorithm>
#include <cmath>

#include "html/escape.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

LogScale::LogScale(const std::vector<double>& values) {
  double low = 0;
  double high = 0;
  for (const double value : values) {
    if (!(value > 0)) continue;
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
  if (low == 0) return;
  m_low = std::floor(std::log10(low));
  m_high = std::max(m_low + 1, std::ceil(std::log10(high)));
}

double LogScale::share(double ns) const {
  if (!(ns > 0)) return 0;
  return std::clamp((std::log10(ns) - m_low) / (m_high - m_low), 0.0, 1.0);
}

std::vector<double> LogScale::ticks() const {
  std::vector<double> result;
  // Both are whole.
  const int last = static_cast<int>(m_high);
  for (int power = static_cast<int>(m_low); power <= last; ++power) {
    result.push_back(std::pow(10, power));
  }
  return result;
}

std::string tick_text(double ns) {
  constexpr double us = 1e3;
  constexpr double ms = 1e6;
  constexpr double s = 1e9;
  if (ns >= s) return fmt::format("{:g} s", ns / s);
  if (ns >= ms) return fmt::format("{:g} ms", ns / ms);
  if (ns >= us) return fmt::format("{:g} us", ns / us);
  return fmt::format("{:g} ns", ns);
}

double round_top(double highest) {
  if (!(highest > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(highest)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= highest) return step * power;
  }
  return 10 * power;
}

std::string svg(const std::string& name, const std::string& title, const std::string& description,
                double height, const std::string& body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 {0:g}\" role=\"img\" "
      "aria-labelledby=\"{1}-title {1}-text\">\n<title id=\"{1}-title\">{2}</title>\n"
      "<desc id=\"{1}-text\">{3}</desc>\n{4}</svg>\n",
      height, name, escaped(title), escaped(description), body);
}

std::string label(double x, double y, const std::string& anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::string log_axis(const Plot& plot, const LogScale& scale) {
  std::string body;
  for (const double tick : scale.ticks()) {
    const double y = plot.bottom() - scale.share(tick) * plot.height;
    body += grid_line(plot.left, y, plot.right(), y) +
            label(plot.left - 6, y + 4, "end", tick_text(tick));
  }
  return body;
}

std::string grid_line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1,
      x2, y2);
}

std::string line_style(std::size_t n) {
  constexpr std::size_t colours = 6;
  const std::size_t dashes = n / colours % 3;
  return fmt::format("series{}{}", n % colours, dashes == 0 ? "" : fmt::format(" dash{}", dashes));
}

namespace {

constexpr std::size_t legend_columns = 4;
constexpr double legend_row = 18;

}  // namespace

double legend_height(std::size_t keys) {
  const std::size_t rows = (keys + legend_columns - 1) / legend_columns;
  return legend_row * static_cast<double>(rows) + 8;
}

std::string legend(const std::vector<LineKey>& keys, double left, double top) {
  constexpr double column_width = 220;
  constexpr double line_length = 26;
  constexpr std::size_t name_columns = 26;
  std::string body;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double x = left + column_width * static_cast<double>(i % legend_columns);
    const std::size_t row = i / legend_columns;
    const double y = top + legend_row * static_cast<double>(row) + 8;
    body += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}h{:g}\"/>\n", keys[i].style, x, y,
                        line_length) +
            label(x + line_length + 6, y + 4, "start", report::cut(keys[i].name, name_columns));
  }
  return body;
}

}  // namespace radosload::html
