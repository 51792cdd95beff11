// The percentile curves.
#include <algorithm>
#include <cmath>
#include <vector>

#include "html/elements.h"
#include "html/escape.h"
#include "html/pictures.h"
#include "html/scale.h"
#include "record/ranks.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

namespace {

// 50 %, 90 %, 99 %, ... lie at equal distances, with some points between them.
constexpr double most_nines = 5;
constexpr int points_per_nine = 8;
// With more, names at the ends of the lines would cover each other.
constexpr std::size_t most_end_names = 4;

struct CurvePoint {
  double nines = 0;  // 1: 90 %, 2: 99 %
  double ns = 0;
};

struct Curve {
  std::string name;
  std::string style;
  bool thin = false;
  std::vector<CurvePoint> points;
};

// It ends before the first percentile that has too few operations, or stands among lost ones.
std::vector<CurvePoint> points_of(const record::Cell& cell) {
  std::vector<CurvePoint> points;
  const record::Ranks ranks = record::response_ranks(cell);
  // The fastest operation would stretch the scale, and says little.
  for (int i = 1; i <= static_cast<int>(most_nines) * points_per_nine; ++i) {
    const double nines = static_cast<double>(i) / points_per_nine;
    const double share = 1 - std::pow(10, -nines);
    const record::Quantile quantile{static_cast<std::uint32_t>(std::lround(share * 1e6))};
    const auto ns = ranks.percentile(quantile).exact();
    if (!ns) break;
    points.push_back({nines, static_cast<double>(*ns)});
  }
  return points;
}

std::vector<Curve> curves_of(const std::vector<NamedCell>& main,
                             const std::vector<NamedCell>& thin) {
  std::vector<Curve> curves;
  curves.reserve(thin.size() + main.size());
  for (const NamedCell& one : thin) curves.push_back({one.name, "osd", true, points_of(one.cell)});
  std::size_t next = 0;
  for (const NamedCell& one : main) {
    curves.push_back({one.name, line_style(next++), false, points_of(one.cell)});
  }
  std::erase_if(curves, [](const Curve& curve) { return curve.points.size() < 2; });
  return curves;
}

std::string nines_text(int nines) {
  if (nines == 0) return "0 %";
  if (nines <= 2) return nines == 1 ? "90 %" : "99 %";
  return "99." + std::string(static_cast<std::size_t>(nines - 2), '9') + " %";
}

std::string curve_axes(const Plot& plot, const LogScale& scale, double nines) {
  std::string body = log_axis(plot, scale);
  for (int i = 0; i <= static_cast<int>(nines); ++i) {
    const double x = plot.left + plot.width * i / nines;
    body += grid_line(x, plot.top, x, plot.bottom()) +
            label(x, plot.bottom() + 18, i == 0 ? "start" : "middle", nines_text(i));
  }
  return body;
}

std::string line_of(const Curve& curve, const Plot& plot, const LogScale& scale, double nines) {
  std::string points;
  for (const CurvePoint& point : curve.points) {
    points += fmt::format("{:.1f},{:.1f} ", plot.left + plot.width * point.nines / nines,
                          plot.bottom() - scale.share(point.ns) * plot.height);
  }
  points.pop_back();
  return fmt::format("<polyline class=\"{}\" points=\"{}\"><title>{}</title></polyline>\n",
                     curve.style, points, escaped(curve.name));
}

// Names at the ends of the lines, far enough from each other to be read.
std::string end_names(const std::vector<Curve>& curves, const Plot& plot, const LogScale& scale,
                      double nines) {
  constexpr double line_height = 13;
  constexpr std::size_t columns = 14;
  std::vector<std::pair<double, const Curve*>> ends;
  for (const Curve& curve : curves) {
    if (curve.thin) continue;
    const double y = plot.bottom() - scale.share(curve.points.back().ns) * plot.height + 4;
    ends.emplace_back(y, &curve);
  }
  std::sort(ends.begin(), ends.end(),
            [](const auto& one, const auto& other) { return one.first < other.first; });
  std::string body;
  double above = 0;
  for (const auto& [wanted, curve] : ends) {
    const double y = std::max(wanted, above + line_height);
    above = y;
    const double x = plot.left + plot.width * curve->points.back().nines / nines + 6;
    body += label(std::min(x, plot.right() + 6), y, "start", report::cut(curve->name, columns));
  }
  return body;
}

}  // namespace

std::vector<NamedCell> slowest_osds(const std::vector<record::Cell>& cells, std::size_t most) {
  std::vector<record::Cell> merged;
  for (const record::Cell& cell : cells) {
    // A pair of write and flush would count both again.
    if (cell.osd == no_osd || cell.kind == OpKind::sync) continue;
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const record::Cell& known) {
      return known.osd == cell.osd;
    });
    if (same == merged.end()) {
      merged.push_back(cell);
    } else {
      same->merge(cell);
    }
  }
  const auto mean = [](const record::Cell& cell) { return cell.latency.response().mean(); };
  std::stable_sort(merged.begin(), merged.end(),
                   [&](const auto& one, const auto& other) { return mean(one) > mean(other); });
  if (merged.size() > most) merged.resize(most);
  std::vector<NamedCell> named;
  named.reserve(merged.size());
  for (record::Cell& cell : merged) {
    named.push_back({fmt::format("osd.{}", cell.osd), std::move(cell)});
  }
  return named;
}

std::string percentile_curves(const std::string& name, const std::vector<NamedCell>& main,
                              const std::vector<NamedCell>& thin) {
  const std::vector<Curve> curves = curves_of(main, thin);
  if (curves.empty()) return {};
  std::vector<double> values;
  std::vector<LineKey> keys;
  double nines = 1;
  for (const Curve& curve : curves) {
    nines = std::max(nines, curve.points.back().nines);
    for (const CurvePoint& point : curve.points) values.push_back(point.ns);
    if (!curve.thin) keys.push_back({curve.style, curve.name});
  }
  const Plot plot{.height = 260};
  const LogScale scale(values);
  std::string body = curve_axes(plot, scale, nines);
  for (const Curve& curve : curves) body += line_of(curve, plot, scale, nines);
  double bottom = plot.bottom() + 30;
  if (keys.size() <= most_end_names) {
    body += end_names(curves, plot, scale, nines);
  } else {
    body += legend(keys, plot.left, bottom);
    bottom += legend_height(keys.size());
  }
  return svg(name, "Response time by percentile",
             fmt::format("{}; response time on a log scale over the percentile",
                         report::counted(curves.size(), "curve")),
             bottom, body);
}

std::string percentile_table(const std::vector<NamedCell>& cells) {
  std::vector<FigureRow> rows;
  for (const NamedCell& one : cells) {
    const record::Ranks ranks = record::response_ranks(one.cell);
    FigureRow row{.cells = {one.name, report::grouped(one.cell.ops())}};
    for (const record::Quantile quantile :
         {record::p50, record::p90, record::p99, record::p999, record::p9999}) {
      row.cells.push_back(report::ranked_text(ranks.percentile(quantile)));
    }
    row.cells.push_back(report::ranked_text(ranks.max()));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return {};
  return figure_table("Percentiles", "Response times; - where there are too few operations",
                      {"", "operations", "p50", "p90", "p99", "p99.9", "p99.99", "max"}, rows);
}

}  // namespace radosload::html
