#include "html/forest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "html/escape.h"
#include "html/scale.h"
#include "html/verdict_words.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using stats::Finding;

namespace {

constexpr double row_height = 24;
constexpr double forest_percents = 100;

// Ratios on a log scale, the same distance up and down: halved lies as far from 1 as doubled.
class RatioScale {
 public:
  RatioScale(const Plot& plot, double widest_log) : m_plot(plot), m_reach(widest_log) {}
  double x(double ratio) const {
    const double share = std::clamp(std::log(ratio) / m_reach, -1.0, 1.0);
    return m_plot.left + m_plot.width * (1 + share) / 2;
  }
  bool holds(double ratio) const { return std::abs(std::log(ratio)) <= m_reach; }
  // Those of 1, 1.1, 1.25, ... that fit, and one over each.
  std::vector<double> ticks() const {
    constexpr std::array<double, 9> steps = {1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 100};
    std::vector<double> ticks = {1};
    double last = 0;
    for (const double step : steps) {
      const double here = std::log(step) / m_reach;
      // Labels need room.
      if (here > 1 || here - last < 0.2) continue;
      last = here;
      ticks.push_back(step);
      ticks.push_back(1 / step);
    }
    return ticks;
  }

 private:
  Plot m_plot;
  double m_reach;
};

std::array<const Finding*, 2> scopes_of(const study::Contest& contest) {
  return {&contest.answer.this_kind, &contest.answer.these_osds};
}

// The widest logarithm that is drawn. One wild interval does not squeeze all others.
double reach_of(const std::vector<study::Contest>& contests, double threshold) {
  constexpr double most_reach = 2.4;  // a factor of 11
  double reach = 2 * std::log1p(threshold);
  for (const study::Contest& contest : contests) {
    for (const Finding* const finding : scopes_of(contest)) {
      if (finding->ratio) reach = std::max(reach, std::abs(std::log(*finding->ratio)));
      if (!finding->interval) continue;
      for (const double end : {finding->interval->low, finding->interval->high}) {
        if (end > 0) reach = std::max(reach, std::min(most_reach, std::abs(std::log(end))));
      }
    }
  }
  return std::max(reach * 1.08, 0.05);
}

// An end beyond the picture is an arrow.
std::string interval_line(const RatioScale& scale, const Finding& finding, double y,
                          std::string_view style) {
  if (!finding.interval) return {};
  const double low = std::max(finding.interval->low, 1e-12);
  const double high = std::max(finding.interval->high, 1e-12);
  const double left = scale.x(low);
  const double right = scale.x(high);
  std::string path = fmt::format("M{:.1f} {:.1f}H{:.1f}", left, y, right);
  path += scale.holds(low) ? fmt::format("M{:.1f} {:.1f}v8", left, y - 4)
                           : fmt::format("M{:.1f} {:.1f}l-6 4l6 4", left + 6, y - 4);
  path += scale.holds(high) ? fmt::format("M{:.1f} {:.1f}v8", right, y - 4)
                            : fmt::format("M{:.1f} {:.1f}l6 4l-6 4", right - 6, y - 4);
  return fmt::format("<path class=\"interval {}\" d=\"{}\"/>\n", style, path);
}

std::string ratio_words(const Finding& finding) {
  if (!finding.ratio) return std::string(stats::arm_verdict_name(finding.told));
  if (!finding.interval) {
    return fmt::format("{:.3f}  {}", *finding.ratio, stats::arm_verdict_name(finding.told));
  }
  return fmt::format("{:.3f} ({:.3f} to {:.3f})  {}", *finding.ratio, finding.interval->low,
                     finding.interval->high, stats::arm_verdict_name(finding.told));
}

std::string_view style_of(stats::ArmVerdict told) {
  switch (told) {
    case stats::ArmVerdict::faster:
      return "faster";
    case stats::ArmVerdict::slower:
      return "slower";
    case stats::ArmVerdict::equivalent:
      return "equivalent";
    case stats::ArmVerdict::inconclusive:
    case stats::ArmVerdict::not_assessable:
      break;
  }
  return "inconclusive";
}

std::string finding_row(const RatioScale& scale, const Plot& plot, const study::Contest& contest,
                        const Finding& finding, double y) {
  constexpr std::size_t metric_columns = 30;
  const std::string_view style = style_of(finding.told);
  std::string row = interval_line(scale, finding, y, style);
  if (finding.ratio) {
    row += fmt::format(
        "<rect class=\"mark {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\"/>\n", style,
        scale.x(*finding.ratio) - 4, y - 4);
  }
  const std::string name = fmt::format("{}, {}", report::cut(contest.answer.metric, metric_columns),
                                       scope_words(finding.scope));
  return row + label(plot.left - 10, y + 4, "end", name) +
         label(plot.right() + 10, y + 4, "start", ratio_words(finding));
}

// The band of changes that do not matter, the line of no change, and the ticks.
std::string background(const RatioScale& scale, const Plot& plot, double threshold) {
  const double left = scale.x(1 / (1 + threshold));
  const double right = scale.x(1 + threshold);
  std::string body = fmt::format(
      "<rect class=\"band\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", left,
      plot.top, right - left, plot.height);
  for (const double tick : scale.ticks()) {
    const double x = scale.x(tick);
    body += tick == 1 ? fmt::format(
                            "<line class=\"one\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" "
                            "x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
                            x, plot.top, plot.bottom())
                      : grid_line(x, plot.top, x, plot.bottom());
    body += label(x, plot.bottom() + 18, "middle", fmt::format("{:.3g}", tick));
  }
  return body;
}

}  // namespace

std::string forest_plot(const std::string& name, const std::vector<study::Contest>& contests,
                        const stats::ArmRules& rules) {
  const bool any = std::any_of(contests.begin(), contests.end(), [](const auto& contest) {
    return contest.answer.this_kind.ratio || contest.answer.these_osds.ratio;
  });
  if (!any) return {};
  std::size_t rows = 0;
  for (const study::Contest& contest : contests) {
    for (const Finding* const finding : scopes_of(contest)) rows += finding->ratio ? 1U : 0U;
  }
  const Plot plot{
      .left = 250, .top = 26, .width = 420, .height = row_height * static_cast<double>(rows)};
  const RatioScale scale(plot, reach_of(contests, rules.threshold));
  const study::Contest& first = contests.front();
  std::string body = background(scale, plot, rules.threshold);
  body += label(plot.left, plot.top - 8, "start", "<- lower in " + report::cut(first.other, 20));
  body +=
      label(plot.right(), plot.top - 8, "end", "higher in " + report::cut(first.other, 20) + " ->");
  double y = plot.top + row_height / 2;
  for (const study::Contest& contest : contests) {
    for (const Finding* const finding : scopes_of(contest)) {
      // What is not assessable is in the table.
      if (!finding->ratio) continue;
      body += finding_row(scale, plot, contest, *finding, y);
      y += row_height;
    }
  }
  return svg(name, fmt::format("Ratios of {} to {}", first.other, first.base),
             fmt::format("{}, each a ratio of {} to {} with its {:.4g} % interval; the line marks "
                         "equal arms, the band is the threshold of {:.4g} %",
                         report::counted(rows, "finding"), first.other, first.base,
                         rules.level * forest_percents, rules.threshold * forest_percents),
             plot.bottom() + 30, body);
}

}  // namespace radosload::html
