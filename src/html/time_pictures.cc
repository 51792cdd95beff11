// Throughput and latency over time, and the heat map.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "html/escape.h"
#include "html/pictures.h"
#include "html/scale.h"
#include "report/layout.h"
#include "report/timeline_picture.h"

#include <fmt/format.h>

namespace radosload::html {

namespace {

// The longer the run, the larger the unit.
std::string seconds_text(double at_s, double length_s) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  constexpr double day = 24 * hour;
  if (length_s >= 4 * day) return fmt::format("{:.1f} d", at_s / day);
  if (at_s < 2 * minute) return fmt::format("{:.0f} s", at_s);
  if (at_s < 2 * hour) return fmt::format("{:.0f} min", at_s / minute);
  return fmt::format("{:.1f} h", at_s / hour);
}

std::string time_axis(const Plot& plot, double length_s) {
  constexpr int parts = 4;
  std::string body;
  for (int i = 0; i <= parts; ++i) {
    const double x = plot.left + plot.width * i / parts;
    body += grid_line(x, plot.top, x, plot.bottom()) +
            label(x, plot.bottom() + 18, "middle", seconds_text(length_s * i / parts, length_s));
  }
  return body;
}

std::string throughput_part(const Plot& plot, const Buckets& buckets) {
  std::vector<double> rates;
  for (const Bucket& bucket : buckets.all.buckets) {
    rates.push_back(bucket.seconds > 0 ? static_cast<double>(bucket.ops) / bucket.seconds : 0);
  }
  const double top = round_top(*std::max_element(rates.begin(), rates.end()));
  std::string body;
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = plot.bottom() - share * plot.height;
    body += grid_line(plot.left, y, plot.right(), y) +
            label(plot.left - 6, y + 4, "end", report::rate_text(share * top));
  }
  const double width = plot.width / static_cast<double>(rates.size());
  std::string path = fmt::format("M{:.1f} {:.1f}", plot.left, plot.bottom());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double x = plot.left + width * static_cast<double>(i);
    const double y = plot.bottom() - rates[i] / top * plot.height;
    path += fmt::format("L{:.1f} {:.1f}H{:.1f}", x, y, x + width);
  }
  path += fmt::format("V{:.1f}Z", plot.bottom());
  return body + fmt::format("<path class=\"area\" d=\"{}\"/>\n", path) +
         label(plot.left, plot.top - 8, "start", "operations a second");
}

// Buckets without operations interrupt the line.
std::string latency_line_of(const Plot& plot, const LogScale& scale, const Buckets& buckets,
                            std::optional<double> Bucket::*value, const std::string& style) {
  const auto& all = buckets.all.buckets;
  const double width = plot.width / static_cast<double>(all.size());
  std::string path;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<double> here = all[i].*value;
    if (!here) continue;
    const double x = plot.left + width * static_cast<double>(i);
    const double y = plot.bottom() - scale.share(*here) * plot.height;
    const bool joined = i > 0 && (all[i - 1].*value).has_value();
    path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", joined ? "L" : "M", x, y, x + width);
  }
  if (path.empty()) return {};
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", style, path);
}

std::string latency_part(const Plot& plot, const Buckets& buckets) {
  std::vector<double> values;
  for (const Bucket& bucket : buckets.all.buckets) {
    if (bucket.max) values.push_back(*bucket.max);
    if (bucket.p99) values.push_back(*bucket.p99);
  }
  const LogScale scale(values);
  return log_axis(plot, scale) + latency_line_of(plot, scale, buckets, &Bucket::max, "series1") +
         latency_line_of(plot, scale, buckets, &Bucket::p99, "series0") +
         label(plot.left, plot.top - 8, "start",
               "response time: p99 of a second (solid), slowest operation (dashed)");
}

std::string event_lines(const Plot& plot, double bottom, const std::vector<report::Mark>& marks,
                        double length_s) {
  constexpr std::size_t most = 20;
  std::string body;
  for (std::size_t i = 0; i < std::min(marks.size(), most); ++i) {
    const double share = std::clamp(marks[i].at_s / length_s, 0.0, 1.0);
    const double x = plot.left + plot.width * share;
    body += fmt::format(
        "<line class=\"event\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\">"
        "<title>{3}</title></line>\n",
        x, plot.top, bottom, escaped(marks[i].text));
    body += label(x + 3, plot.top + 10, "start", fmt::format("{}", i + 1));
  }
  return body;
}

constexpr std::size_t heat_levels = 8;

// Steps of a log scale from the fastest bucket to the slowest.
std::size_t level_of(double ns, double low, double high) {
  if (!(high > low)) return heat_levels - 1;
  const double share = std::log(ns / low) / std::log(high / low);
  return static_cast<std::size_t>(
      std::clamp(share * heat_levels, 0.0, static_cast<double>(heat_levels - 1)));
}

std::string heat_row(const BucketRow& row, const Plot& plot, double low, double high) {
  std::array<std::string, heat_levels> paths;
  const double width = plot.width / static_cast<double>(row.buckets.size());
  for (std::size_t i = 0; i < row.buckets.size(); ++i) {
    const std::optional<double> max = row.buckets[i].max;
    if (!max || !(*max > 0)) continue;
    paths[level_of(*max, low, high)] += fmt::format("M{:.1f} {:.0f}h{:.1f}v{:.0f}h-{:.1f}z",
                                                    plot.left + width * static_cast<double>(i),
                                                    plot.top, width, plot.height, width);
  }
  std::string body;
  for (std::size_t level = 0; level < heat_levels; ++level) {
    if (paths[level].empty()) continue;
    body += fmt::format("<path class=\"heat{}\" d=\"{}\"/>\n", level, paths[level]);
  }
  return body;
}

}  // namespace

std::string time_picture(const std::string& name, const std::vector<report::Mark>& marks,
                         const Buckets& buckets) {
  const auto& all = buckets.all.buckets;
  const bool empty = std::all_of(all.begin(), all.end(),
                                 [](const Bucket& bucket) { return !(bucket.seconds > 0); });
  if (empty) return {};
  const Plot above{.top = 24, .height = 130};
  const Plot below{.top = 200, .height = 170};
  const std::string body = time_axis(below, buckets.length_s) + throughput_part(above, buckets) +
                           latency_part(below, buckets) +
                           event_lines(above, below.bottom(), marks, buckets.length_s);
  return svg(
      name, "Throughput and response time over time",
      fmt::format("{} of {:.3g} s each", report::counted(buckets.all.buckets.size(), "bucket"),
                  buckets.length_s / static_cast<double>(buckets.all.buckets.size())),
      below.bottom() + 30, body);
}

std::string heat_map(const Buckets& buckets) {
  std::vector<BucketRow> rows = buckets.osds;
  rows.push_back(buckets.all);
  double low = 0;
  double high = 0;
  for (const BucketRow& row : rows) {
    for (const Bucket& bucket : row.buckets) {
      if (!bucket.max || !(*bucket.max > 0)) continue;
      low = low == 0 ? *bucket.max : std::min(low, *bucket.max);
      high = std::max(high, *bucket.max);
    }
  }
  if (high == 0) return {};
  Plot plot{.top = 6, .width = 790, .height = 16};
  std::string body;
  for (const BucketRow& row : rows) {
    const double text_y = plot.top + 13;
    body += label(plot.left - 6, text_y, "end",
                  row.osd == no_osd ? "all" : fmt::format("osd.{}", row.osd)) +
            heat_row(row, plot, low, high) +
            label(plot.right() + 6, text_y, "start",
                  human_text(Time(std::llround(row.max().value_or(0)))));
    plot.top += plot.height + 2;
  }
  const Plot axis{.top = plot.top, .width = plot.width, .height = 0};
  body += time_axis(axis, buckets.length_s);
  return svg("heat", "Slowest operation of each OSD over time",
             fmt::format("violet: fast ({}); red: slow ({}); at the right the slowest of the row",
                         human_text(Time(std::llround(low))), human_text(Time(std::llround(high)))),
             plot.top + 30, body);
}

}  // namespace radosload::html
