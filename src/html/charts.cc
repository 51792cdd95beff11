#include "html/charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace radosload::html {

namespace {

constexpr std::string_view chart_tag = R"(<div class="chart" data-length=")";

// Whole nanoseconds; nothing where nothing was measured.
std::string ns_or_nothing(const std::optional<double>& ns) {
  return ns ? fmt::format("{:.0f}", *ns) : "";
}

// "0,7921,4670000,12800000": a bucket's begin in seconds, IOPS, p99 and slowest operation in ns.
std::string chart_row(double begin_s, const Bucket& bucket) {
  const double iops = bucket.seconds > 0 ? static_cast<double>(bucket.ops) / bucket.seconds : 0;
  return fmt::format("{:.6g},{:.4g},{},{}", begin_s, iops, ns_or_nothing(bucket.p99),
                     ns_or_nothing(bucket.max));
}

}  // namespace

std::string chart_element(const Buckets& buckets, const std::vector<report::Mark>& marks) {
  const auto& all = buckets.all.buckets;
  if (all.empty()) return {};
  const double width = buckets.length_s / static_cast<double>(all.size());
  std::string rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    rows += (i == 0 ? "" : ";") + chart_row(width * static_cast<double>(i), all[i]);
  }
  std::string events;
  for (const report::Mark& mark : marks) {
    events += fmt::format("{}{:.6g}", events.empty() ? "" : ",", mark.at_s);
  }
  return fmt::format("{}{:.9g}\" data-events=\"{}\" data-rows=\"{}\" hidden></div>\n", chart_tag,
                     buckets.length_s, events, rows);
}

bool has_charts(std::string_view body) {
  return body.find(chart_tag) != std::string_view::npos;
}

}  // namespace radosload::html
