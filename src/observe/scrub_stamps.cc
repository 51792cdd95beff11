// Scrubs that were over before a look could show them: the stamps of PGs before and after.

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "observe/disturbances.h"
#include "observe/json.h"
#include "observe/osd_timing.h"
#include "placement/pgs_brief.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

// Of more OSDs the lists would be long, and the question costs more than its answer is worth.
constexpr std::size_t most_listed_osds = 64;

struct MissedScrub {
  const ScrubbedPg* pg = nullptr;
  bool deep = false;
  Time ended{0};  // since 1970
};

std::optional<MissedScrub> scrub_between(const ScrubbedPg& before, const ScrubbedPg& after) {
  const bool deep = before.deep_scrubbed != after.deep_scrubbed;
  if (!deep && before.scrubbed == after.scrubbed) return std::nullopt;
  const auto ended = parse_stamp(deep ? after.deep_scrubbed : after.scrubbed);
  if (!ended) return std::nullopt;
  return MissedScrub{.pg = &after, .deep = deep, .ended = *ended};
}

std::string text_of(const MissedScrub& scrub) {
  std::string text = fmt::format("PG {} was {} (osd.{})", pg_name(scrub.pg->pool, scrub.pg->seed),
                                 scrub.deep ? "deep-scrubbed" : "scrubbed", scrub.pg->primary);
  return scrub.pg->took ? fmt::format("{} for {}", text, human_text(*scrub.pg->took)) : text;
}

}  // namespace

std::vector<std::string> all_pgs_commands(const Measured& measured) {
  std::vector<std::string> commands;
  const auto of_pool = [&commands](std::int64_t pool) {
    commands.push_back(Json{{"prefix", "pg ls"}, {"pool", pool}, {"format", "json"}}.dump());
  };
  const auto& chosen = measured.chosen();
  if (!measured.whole_pools.empty()) {
    for (const std::int64_t pool : measured.whole_pools) of_pool(pool);
  } else if (chosen.empty()) {
    of_pool(measured.pool);
  } else if (chosen.size() <= most_listed_osds) {
    for (const std::int32_t osd : chosen) {
      commands.push_back(Json{
          {"prefix", "pg ls-by-osd"},
          {"osd", fmt::format("{}", osd)},
          {"format", "json"}}.dump());
    }
  }
  return commands;
}

Result<std::vector<ScrubbedPg>> parse_scrubbed_pgs(const std::string& json) {
  std::vector<ScrubbedPg> pgs;
  RADOSLOAD_TRY(placement::read_pgs_brief(json, [&](const placement::BriefPg& pg) {
    if (pg.pool < 0) return;
    pgs.push_back({.pool = pg.pool,
                   .seed = pg.seed,
                   .primary = pg.primary,
                   .acting = {pg.acting.begin(), pg.acting.end()},
                   .scrubbed = std::string(pg.scrubbed),
                   .deep_scrubbed = std::string(pg.deep_scrubbed),
                   .took = pg.scrub_took});
  }));
  return pgs;
}

void Disturbances::compare_scrubs(const std::vector<ScrubbedPg>& before,
                                  const std::vector<ScrubbedPg>& after, const Span& span) {
  std::map<std::pair<std::int64_t, std::uint32_t>, const ScrubbedPg*> known;
  for (const ScrubbedPg& pg : before) known[{pg.pool, pg.seed}] = &pg;
  std::vector<MissedScrub> missed;
  for (const ScrubbedPg& pg : after) {
    const auto then = known.find({pg.pool, pg.seed});
    if (then == known.end() || !concerns(pg.pool, pg.seed, pg.acting)) continue;
    const auto scrub = scrub_between(*then->second, pg);
    if (!scrub || scrub->ended < span.wall) continue;
    const bool shown = std::any_of(m_found.begin(), m_found.end(), [&](const Disturbance& one) {
      return one.kind == "scrub" && one.pg == pg_name(pg.pool, pg.seed);
    });
    if (!shown) missed.push_back(*scrub);
    known.erase(then);  // the PGs of two OSDs may be listed twice
  }
  Time sum{0};
  bool unknown = false;
  for (const MissedScrub& scrub : missed) {
    sum += scrub.pg->took.value_or(Time(0));
    unknown |= !scrub.pg->took;
  }
  constexpr int percent = 100;
  const bool harmful = unknown || percent * sum >= span.to - span.from;
  for (const MissedScrub& scrub : missed) {
    const Time at = std::clamp(span.from + scrub.ended - span.wall, span.from, span.to);
    note({.harm = harmful ? Harm::contaminated : Harm::noted,
          .kind = "scrub",
          .what = text_of(scrub),
          .pg = pg_name(scrub.pg->pool, scrub.pg->seed),
          .osd = scrub.pg->primary,
          .from = at});
  }
}

}  // namespace radosload::observe
