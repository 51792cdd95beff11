#include "placement/scratch_layout.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::placement {

namespace {

// Enough of them that an OSD's PG lock is not what is measured, and few enough to be made quickly.
constexpr std::uint32_t pgs_for_each = 8;

bool is_below(const Osd& osd, const CrushTake& take) {
  if (!take.device_class.empty() && osd.device_class != take.device_class) return false;
  return std::any_of(osd.location.begin(), osd.location.end(),
                     [&](const auto& level) { return level.second == take.bucket; });
}

bool are_below(const std::vector<const Osd*>& osds, const CrushTake& take) {
  return std::all_of(osds.begin(), osds.end(),
                     [&](const Osd* osd) { return is_below(*osd, take); });
}

// The type that stands at the top of nearly every tree.
std::string root_of(const Osd& osd) {
  const auto root = osd.location.find("root");
  return root == osd.location.end() ? std::string() : root->second;
}

tl::unexpected<Error> no_take(const std::vector<const Osd*>& osds) {
  std::vector<std::string> places;
  places.reserve(osds.size());
  for (const Osd* const osd : osds) {
    const std::string root = root_of(*osd);
    places.push_back(fmt::format("osd.{} {}", osd->id,
                                 root.empty() ? "is under no root" : "is under root " + root));
  }
  return fail({.attempt = "bind one pool to these OSDs",
               .reason = fmt::format("{}", fmt::join(places, ", ")),
               .hint = "a CRUSH rule starts at one root: create one pool for the OSDs of each root",
               .exit = Exit::refused});
}

// Those of the OSDs that would get more PGs than they may have.
std::vector<std::string> too_full(const OsdInventory& inventory, const PgNumWish& wish,
                                  std::uint32_t pg_num) {
  std::vector<std::string> texts;
  if (wish.most == 0) return texts;
  const auto count = static_cast<std::uint32_t>(wish.osds.size());
  const std::uint32_t more = (pg_num + count - 1) / count;
  for (const std::int32_t id : wish.osds) {
    const Osd* const osd = inventory.find(id);
    if (osd == nullptr || !osd->pgs || *osd->pgs + more <= wish.most) continue;
    texts.push_back(fmt::format("osd.{} has {} PGs", id, *osd->pgs));
  }
  return texts;
}

tl::unexpected<Error> no_room(const std::vector<std::string>& full, std::uint32_t pg_num,
                              std::uint32_t most) {
  return fail({.attempt = fmt::format("create {} PGs", pg_num),
               .subject = "on these OSDs",
               .reason = fmt::format("per-OSD limit reached: {}; mon_max_pg_per_osd allows {}",
                                     fmt::join(full, ", "), most),
               .hint = "use a smaller --pg-num, or raise the limit for now: ceph config set global "
                       "mon_max_pg_per_osd N",
               .exit = Exit::refused});
}

}  // namespace

std::string take_text(const CrushTake& take) {
  return take.device_class.empty() ? take.bucket : take.bucket + "~" + take.device_class;
}

CrushTake take_named(std::string_view text) {
  const std::size_t tilde = std::min(text.find('~'), text.size());
  return {.bucket = std::string(text.substr(0, tilde)),
          .device_class = std::string(text.substr(std::min(tilde + 1, text.size())))};
}

Result<CrushTake> take_for(const OsdInventory& inventory, const std::vector<std::int32_t>& osds,
                           const std::vector<CrushTake>& known) {
  std::vector<const Osd*> wanted;
  std::set<std::string> classes;
  std::set<std::string> roots;
  for (const std::int32_t id : osds) {
    const Osd* const osd = inventory.find(id);
    if (osd == nullptr) continue;
    wanted.push_back(osd);
    classes.insert(osd->device_class);
    roots.insert(root_of(*osd));
  }
  const auto below = [&](const CrushTake& take) {
    return std::count_if(inventory.osds.begin(), inventory.osds.end(),
                         [&](const Osd& osd) { return is_below(osd, take); });
  };
  std::optional<CrushTake> best;
  for (const CrushTake& take : known) {
    if (are_below(wanted, take) && (!best || below(take) < below(*best))) best = take;
  }
  if (best) return *best;
  if (roots.size() != 1 || roots.begin()->empty()) return no_take(wanted);
  return CrushTake{.bucket = *roots.begin(),
                   .device_class = classes.size() == 1 ? *classes.begin() : std::string()};
}

bool has_others(const OsdInventory& inventory, const CrushTake& take,
                const std::vector<std::int32_t>& osds) {
  return std::any_of(inventory.osds.begin(), inventory.osds.end(), [&](const Osd& osd) {
    return osd.in && is_below(osd, take) &&
           std::find(osds.begin(), osds.end(), osd.id) == osds.end();
  });
}

Result<std::uint32_t> pg_num_for(const OsdInventory& inventory, const PgNumWish& wish) {
  const auto count = static_cast<std::uint32_t>(wish.osds.size());
  const std::uint32_t least = std::bit_ceil(count);
  std::uint32_t pg_num = wish.named > 0 ? wish.named : std::bit_ceil(count * pgs_for_each);
  if (wish.named > 0 && (wish.named < count || !std::has_single_bit(wish.named))) {
    return fail(
        {.attempt = fmt::format("use --pg-num {}", wish.named),
         .reason = wish.named < count
                       ? fmt::format("{} OSDs need at least one PG each", count)
                       : "PGs have equal sizes only when their number is a power of two",
         .hint = fmt::format("for example --pg-num {}", std::bit_ceil(count * pgs_for_each)),
         .exit = Exit::usage});
  }
  std::vector<std::string> full = too_full(inventory, wish, pg_num);
  while (!full.empty() && wish.named == 0 && pg_num > least) {
    pg_num /= 2;
    full = too_full(inventory, wish, pg_num);
  }
  if (!full.empty()) return no_room(full, pg_num, wish.most);
  return pg_num;
}

std::vector<std::int32_t> shared_out(std::uint32_t pg_num, const std::vector<std::int32_t>& osds) {
  std::vector<std::int32_t> shares;
  shares.reserve(pg_num);
  for (std::uint32_t pg = 0; pg < pg_num; ++pg) shares.push_back(osds[pg % osds.size()]);
  return shares;
}

Settled settled(const PgMap& map, std::int64_t pool, const std::vector<std::int32_t>& wanted) {
  Settled result;
  for (std::uint32_t seed = 0; seed < wanted.size(); ++seed) {
    const auto pg = map.find(seed);
    const bool there = pg && pg->acting.size() == 1 && pg->acting[0] == wanted[seed] &&
                       pg->primary == wanted[seed];
    if (there && pg->active && pg->clean) {
      ++result.pgs;
    } else if (result.waiting.empty()) {
      const std::string name = fmt::format("PG {}.{:x}", pool, seed);
      if (!pg) {
        result.waiting = name + " is not reported yet";
      } else if (there) {
        result.waiting = fmt::format("{} on osd.{} is not active+clean yet", name, wanted[seed]);
      } else {
        result.waiting =
            fmt::format("{} is on {} instead of osd.{}", name, acting_words(*pg), wanted[seed]);
      }
    }
  }
  return result;
}

}  // namespace radosload::placement
