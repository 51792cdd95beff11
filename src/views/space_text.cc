#include "views/space_text.h"

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

std::string pool_line(const placement::SpacePlan& plan) {
  const placement::Pool& pool = plan.state;
  std::string text =
      fmt::format("{} in {} objects, {} on the OSDs of pool {}", human_text(plan.data),
                  plan.demand.objects, human_text(plan.raw), printable(plan.pool));
  if (pool.max_avail) text += fmt::format("; room for {}", human_text(*pool.max_avail));
  if (pool.quota_bytes.count > 0) {
    text += fmt::format("; quota {}, {} of it used", human_text(pool.quota_bytes),
                        human_text(pool.stored.value_or(Bytes{})));
  }
  if (pool.quota_objects > 0) {
    text += fmt::format("; quota {} objects, {} of them used", pool.quota_objects, pool.objects);
  }
  return text + "\n";
}

double percent(Bytes part, Bytes whole) {
  return whole.count == 0
             ? 0
             : 100 * static_cast<double>(part.count) / static_cast<double>(whole.count);
}

}  // namespace

std::string space_text(const placement::SpacePlan& plan) {
  std::string text = pool_line(plan);
  if (!plan.osds.empty()) {
    text += fmt::format("{:>7}  {:6} {:>10} {:>7} {:>10} {:>10} {:>7}   (near full at {:.1f} %)\n",
                        "osd", "class", "size", "used", "adds", "at most", "then",
                        100 * plan.nearfull_ratio);
  }
  for (const placement::OsdSpace& osd : plan.osds) {
    text += fmt::format("{:>7}  {:6} {:>10} {:>5.1f} % {:>10} {:>10} {:>5.1f} %\n",
                        fmt::format("osd.{}", osd.id), printable(osd.device_class),
                        human_text(osd.total), percent(osd.used, osd.total),
                        human_text(osd.expected), human_text(osd.at_most), 100 * osd.ratio_after);
  }
  for (const std::string& unseen : plan.unseen) text += "not seen: " + unseen + "\n";
  return text;
}

}  // namespace radosload::views
