// The percentile curves.
#include <algorithm>
#include <cmath>
#include <vector>

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
constexpr std::size_t most_osd_curves = 20;
constexpr std::size_t colours = 6;

struct CurvePoint {
  double nines = 0;  // 1: 90 %, 2: 99 %
  double ns = 0;
};

struct Curve {
  std::string name;
  std::string style;
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

// All kinds of operations of each OSD; the OSDs with the highest means.
std::vector<record::Cell> slowest_osds(const record::RunRecord& record) {
  std::vector<record::Cell> merged;
  for (const record::Cell& cell : record.osds) {
    // A pair of write and flush would count both again.
    if (cell.osd == no_osd || cell.kind == OpKind::sync) continue;
    if (merged.empty() || merged.back().osd != cell.osd) {
      merged.push_back(cell);
    } else {
      merged.back().merge(cell);
    }
  }
  const auto mean = [](const record::Cell& cell) { return cell.latency.response().mean(); };
  std::stable_sort(merged.begin(), merged.end(),
                   [&](const auto& one, const auto& other) { return mean(one) > mean(other); });
  if (merged.size() > most_osd_curves) merged.resize(most_osd_curves);
  return merged;
}

std::vector<Curve> curves_of(const record::RunRecord& record) {
  std::vector<Curve> curves;
  for (const record::Cell& cell : slowest_osds(record)) {
    curves.push_back({fmt::format("osd.{}", cell.osd), "osd", points_of(cell)});
  }
  std::size_t next = 0;
  for (const record::Cell& cell : record.kinds) {
    curves.push_back({std::string(op_kind_name(cell.kind)),
                      fmt::format("series{}", next++ % colours), points_of(cell)});
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

}  // namespace

std::string percentile_curves(const record::RunRecord& record) {
  const std::vector<Curve> curves = curves_of(record);
  if (curves.empty()) return {};
  std::vector<double> values;
  double nines = 1;
  for (const Curve& curve : curves) {
    nines = std::max(nines, curve.points.back().nines);
    for (const CurvePoint& point : curve.points) values.push_back(point.ns);
  }
  const Plot plot{.height = 260};
  const LogScale scale(values);
  std::string body = curve_axes(plot, scale, nines);
  for (const Curve& curve : curves) {
    std::string points;
    for (const CurvePoint& point : curve.points) {
      points += fmt::format("{:.1f},{:.1f} ", plot.left + plot.width * point.nines / nines,
                            plot.bottom() - scale.share(point.ns) * plot.height);
    }
    points.pop_back();
    const CurvePoint& last = curve.points.back();
    body += fmt::format("<polyline class=\"{}\" points=\"{}\"><title>{}</title></polyline>\n",
                        curve.style, points, curve.name);
    if (curve.style != "osd") {
      body += label(std::min(plot.left + plot.width * last.nines / nines + 6, plot.right() + 6),
                    plot.bottom() - scale.share(last.ns) * plot.height + 4, "start", curve.name);
    }
  }
  return svg("curves", "Response time by percentile",
             fmt::format("{}; response time on a log scale over the percentile",
                         report::counted(curves.size(), "curve")),
             plot.bottom() + 30, body);
}

}  // namespace radosload::html
