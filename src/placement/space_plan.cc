#include "placement/space_plan.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace radosload::placement {

namespace {

// BlueStore's default since Pacific; older OSDs have 64 KiB on disks, which their metadata tells.
constexpr Bytes usual_allocation = kib(4);
// What RocksDB keeps of an object besides its data: its onode with extents and checksums, and its
// part of the PG log. An estimate for objects of a few MiB; a small object takes about half.
constexpr Bytes onode = kib(1);
// RocksDB holds values a second time until the next compaction has thrown the old ones away.
constexpr std::uint64_t omap_copies = 2;
// The manifest and the index.
constexpr std::uint64_t our_objects = 2;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return divide_up(value, unit) * unit;
}

// What one object puts on one of the OSDs of its PG.
std::uint64_t footprint_of(const Pool& pool, const SpaceDemand& demand, Bytes allocation) {
  if (demand.omap) return demand.object_size.count * omap_copies + onode.count;
  std::uint64_t shard = demand.object_size.count;
  if (pool.erasure) {
    const std::uint64_t width = std::max<std::uint64_t>(pool.stripe_width.count, pool.k);
    shard = divide_up(demand.object_size.count, width) * divide_up(width, pool.k);
  }
  return round_up(shard, std::max<std::uint64_t>(1, allocation.count)) + onode.count;
}

Bytes whole(double bytes) {
  constexpr double most = 9e18;  // below 2^63, for every plan
  return Bytes{static_cast<std::uint64_t>(std::clamp(bytes, 0.0, most))};
}

// The part of the pool's objects that each OSD holds a replica or shard of.
std::map<std::int32_t, double> shares(const SpaceView& view, const SpaceDemand& demand) {
  std::map<std::int32_t, double> found;
  const double one = 1.0 / static_cast<double>(std::max<std::size_t>(1, demand.pgs.size()));
  for (const std::uint32_t seed : demand.pgs) {
    const auto pg = view.pgs.find(seed);
    if (!pg) continue;
    for (const std::int32_t osd : pg->acting) {
      if (osd != no_shard && osd >= 0) found[osd] += one;
    }
  }
  if (!demand.pgs.empty()) return found;
  for (std::size_t i = 0; i < view.pgs.size(); ++i) {
    const Pg pg = view.pgs.at(i);
    for (const std::int32_t osd : pg.acting) {
      if (osd != no_shard && osd >= 0) found[osd] += pg_share(pg.seed, view.pool.pg_num);
    }
  }
  return found;
}

OsdSpace osd_space(const SpaceView& view, const SpaceDemand& demand, const OsdUsage& usage,
                   double share) {
  const auto known = view.allocation.find(usage.id);
  const Bytes allocation = known == view.allocation.end() ? usual_allocation : known->second;
  const auto each = static_cast<double>(footprint_of(view.pool, demand, allocation));
  const auto objects = static_cast<double>(demand.objects);
  const double part = std::min(share, 1.0);
  const double mean = objects * part;
  // Each object falls onto this OSD's PGs or not: binomial.
  const double likely_most = std::min(objects, mean + 3 * std::sqrt(mean * (1 - part)));
  OsdSpace space{.id = usage.id,
                 .device_class = usage.device_class,
                 .total = usage.total,
                 .used = usage.used,
                 .expected = whole(mean * each),
                 .at_most = whole(std::ceil(likely_most) * each)};
  if (usage.total.count > 0) {
    space.ratio_after = static_cast<double>(usage.used.count + space.at_most.count) /
                        static_cast<double>(usage.total.count);
  }
  return space;
}

std::string way_out(const SpacePlan& plan) {
  if (plan.fits == 0)
    return "free space first ('radosload cleanup' removes what killed runs have left)";
  const Bytes size{plan.fits / plan.demand.loads * plan.demand.object_size.count};
  if (size.count == 0) return fmt::format("objects={} fits", plan.fits);
  return fmt::format("use a smaller working set: --size {} fits", option_text(size));
}

tl::unexpected<Error> refuse(const SpacePlan& plan, std::string reason, std::string hint = {}) {
  if (hint.empty()) {
    hint = way_out(plan);
  }
  return fail({.attempt = "fill",
               .subject = fmt::format("pool {} with {} in {} objects", plan.pool,
                                      human_text(plan.data), plan.demand.objects),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::refused});
}

Status check_pool(const SpacePlan& plan) {
  const Pool& pool = plan.state;
  if (pool.full) {
    return refuse(plan, "the pool is flagged full: writes to it would wait forever",
                  "free space in it or raise its quota; 'radosload cleanup' works in a full pool");
  }
  if (pool.quota_objects > 0 &&
      pool.objects + plan.demand.objects + our_objects >= pool.quota_objects) {
    return refuse(plan, fmt::format("it holds {} objects and its quota is {}", pool.objects,
                                    pool.quota_objects));
  }
  const Bytes stored = pool.stored.value_or(Bytes{});
  if (pool.quota_bytes.count > 0 && stored.count + plan.data.count >= pool.quota_bytes.count) {
    return refuse(plan, fmt::format("it holds {} and its quota is {}", human_text(stored),
                                    human_text(pool.quota_bytes)));
  }
  if (pool.max_avail && plan.data > *pool.max_avail) {
    return refuse(plan, fmt::format("it has room for {} until the first of its OSDs is full",
                                    human_text(*pool.max_avail)));
  }
  return {};
}

// So many objects that no cluster takes them, and few enough that their bytes can be counted.
std::uint64_t beyond_any_cluster(const SpaceDemand& demand) {
  constexpr std::uint64_t bytes = std::uint64_t{1} << 56U;  // times replicas, below 2^64
  const std::uint64_t each = std::max(demand.object_size.count, usual_allocation.count);
  return std::max(bytes / each, demand.objects + 1);
}

// An OSD that holds PGs of the pool.
struct Holder {
  const OsdUsage* usage;
  double share;
};

std::vector<Holder> holders_of(const SpaceView& view, const SpaceDemand& demand) {
  const auto share = shares(view, demand);
  std::vector<Holder> holders;
  for (const OsdUsage& usage : view.osds) {
    const auto found = share.find(usage.id);
    if (found != share.end()) holders.push_back({&usage, found->second});
  }
  std::sort(holders.begin(), holders.end(),
            [](const Holder& a, const Holder& b) { return a.usage->id < b.usage->id; });
  return holders;
}

// All but the OSDs.
SpacePlan plan_of_pool(const SpaceView& view, const SpaceDemand& demand) {
  SpacePlan plan{.pool = view.pool.name,
                 .demand = demand,
                 .data = Bytes{demand.objects * demand.object_size.count},
                 .nearfull_ratio = view.nearfull_ratio,
                 .state = view.pool,
                 .unseen = view.unseen};
  plan.raw =
      Bytes{demand.objects * view.pool.size * footprint_of(view.pool, demand, usual_allocation)};
  return plan;
}

// The most objects for which every limit allows it. Makes no plan for each trial: a cluster may
// have 10,000 OSDs.
std::uint64_t most_that_fit(const SpaceView& view, const std::vector<Holder>& holders,
                            SpaceDemand demand) {
  const std::uint64_t wanted = demand.objects;
  const std::uint64_t too_many = beyond_any_cluster(demand);
  const auto fits = [&](std::uint64_t objects) {
    demand.objects = objects;
    return check_pool(plan_of_pool(view, demand)) &&
           std::all_of(holders.begin(), holders.end(), [&](const Holder& one) {
             return osd_space(view, demand, *one.usage, one.share).ratio_after <
                    view.nearfull_ratio;
           });
  };
  // More objects never need less, so the border between what fits and what does not is one.
  const bool enough = fits(wanted);
  std::uint64_t good = enough ? wanted : 0;
  std::uint64_t bad = enough ? too_many : wanted;
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

SpacePlan plan_space(const SpaceView& view, const SpaceDemand& demand) {
  const auto holders = holders_of(view, demand);
  SpacePlan plan = plan_of_pool(view, demand);
  for (const Holder& one : holders) {
    plan.osds.push_back(osd_space(view, demand, *one.usage, one.share));
  }
  plan.fits = most_that_fit(view, holders, demand);
  return plan;
}

Status check_space(const SpacePlan& plan) {
  if (auto pool = check_pool(plan); !pool) return pool;
  const auto fullest = std::max_element(
      plan.osds.begin(), plan.osds.end(),
      [](const OsdSpace& a, const OsdSpace& b) { return a.ratio_after < b.ratio_after; });
  if (fullest == plan.osds.end() || fullest->ratio_after < plan.nearfull_ratio) return {};
  return refuse(plan,
                fmt::format("osd.{} holds {} of {} and would reach {:.1f} %; it is near full "
                            "at {:.1f} %",
                            fullest->id, human_text(fullest->used), human_text(fullest->total),
                            100 * fullest->ratio_after, 100 * plan.nearfull_ratio));
}

}  // namespace radosload::placement
