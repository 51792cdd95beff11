#include "observe/other_load.h"

#include <algorithm>
#include <array>
#include <utility>

#include "observe/json.h"
#include "placement/pgs_brief.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

// OSDs report what they served every 5 s, and the mgr adds it up every 2 s. So what is new in a
// look was done within this time before it.
constexpr Time latest_report = std::chrono::seconds(7);
constexpr Time between_reports = std::chrono::seconds(5);

// Less than this share of what the run does, or of this in a second, does not matter: modules of
// the mgr read and write a little in pools of their own.
constexpr double least_share = 0.05;
constexpr double least_rate = 10;

// An operation costs an OSD about as much as this many bytes more.
constexpr double bytes_like_an_operation = 64 * 1024;

double cost(const Work& work) {
  return work.ops + work.bytes / bytes_like_an_operation;
}

// "0 to 500 operations and 0.0 to 2.0 MB a second"
std::string range_text(const Work& low, const Work& high) {
  constexpr double million = 1e6;
  const auto range = [](const std::string& from, const std::string& to) {
    return from == to ? to : fmt::format("{} to {}", from, to);
  };
  const auto count = [](const Work& work) { return fmt::format("{:.0f}", work.ops); };
  const auto size = [](const Work& work) { return fmt::format("{:.1f}", work.bytes / million); };
  return fmt::format("{} operations and {} MB a second", range(count(low), count(high)),
                     range(size(low), size(high)));
}

}  // namespace

// Of a steady client, 8 s hold one report of each OSD or two, and 12 s hold two or three: only more
// than that is a change.
struct OtherLoad::Change {
  Time window;
  double factor;
};
const std::array<OtherLoad::Change, 2> OtherLoad::changes = {
    {{.window = std::chrono::seconds(8), .factor = 3},
     {.window = std::chrono::seconds(12), .factor = 2}}};

struct OtherLoad::Judged {
  Time from;
  Time to;
  double own_rate;
  std::string whose;

  double notable() const { return std::max(least_rate, least_share * own_rate); }
  double percent_of_all(double others) const {
    constexpr double percent = 100;
    return percent * others / (others + own_rate);
  }
};

Result<PoolWork> parse_pool_work(const std::string& json) {
  constexpr double bytes_in_kb = 1024;
  RADOSLOAD_ASSIGN(const auto dump, parse_object("pg dump pools", json));
  PoolWork work;
  for (const Json& pool : member(dump, "pool_stats")) {
    const Json& sum = member(pool, "stat_sum");
    const auto both = [&sum](const char* reads, const char* writes) {
      return static_cast<double>(number(sum, reads)) + static_cast<double>(number(sum, writes));
    };
    work[static_cast<std::int64_t>(number(pool, "poolid"))] = {
        .ops = both("num_read", "num_write"),
        .bytes = bytes_in_kb * both("num_read_kb", "num_write_kb")};
  }
  return work;
}

OtherLoad::OtherLoad(const Measured& measured)
    : m_osds(measured.osds), m_own(measured.whole_pools) {
  m_own.insert({measured.pool, measured.header_pool});
}

void OtherLoad::add(PoolWork work, Time asked) {
  // A new mgr has counts of the OSDs that have reported so far.
  const auto falls_short = [&work](const auto& before) {
    const auto now = work.find(before.first);
    return now != work.end() && now->second.ops < before.second.ops;
  };
  if (!m_looks.empty() &&
      std::any_of(m_looks.back().work.begin(), m_looks.back().work.end(), falls_short)) {
    return;
  }
  m_looks.push_back({.at = asked, .work = std::move(work)});
}

std::vector<std::int64_t> OtherLoad::used() const {
  std::vector<std::int64_t> pools;
  if (m_looks.empty()) return pools;
  const PoolWork& before = m_looks.front().work;
  for (const auto& [pool, work] : m_looks.back().work) {
    const auto then = before.find(pool);
    const double known = then == before.end() ? 0 : then->second.ops;
    if (!m_own.contains(pool) && work.ops > known) pools.push_back(pool);
  }
  return pools;
}

bool OtherLoad::needs_places() const {
  return !m_osds.empty() && !used().empty();
}

Status OtherLoad::place(const std::string& pgs) {
  struct Count {
    double all = 0;
    double ours = 0;
  };
  std::map<std::int64_t, Count> counts;
  RADOSLOAD_TRY(placement::read_pgs_brief(pgs, [&](const placement::BriefPg& pg) {
    // Operations are counted where they are led, and writes burden every replica.
    const bool ours = std::any_of(pg.acting.begin(), pg.acting.end(),
                                  [this](std::int32_t osd) { return m_osds.contains(osd); });
    counts[pg.pool].all += 1;
    counts[pg.pool].ours += ours ? 1 : 0;
  }));
  for (const auto& [pool, count] : counts) m_shares[pool] = count.ours / count.all;
  return {};
}

OtherLoad::Window OtherLoad::between(const Look& first, const Look& last) const {
  Window window{.from = first.at, .to = last.at};
  const double length = seconds(last.at - first.at);
  for (const std::int64_t pool : used()) {
    const auto share = m_shares.find(pool);
    const auto now = last.work.find(pool);
    if (share == m_shares.end() || now == last.work.end() || length <= 0) continue;
    const auto then = first.work.find(pool);
    const Work before = then == first.work.end() ? Work() : then->second;
    window.rate.ops += share->second * std::max(0.0, now->second.ops - before.ops) / length;
    window.rate.bytes += share->second * std::max(0.0, now->second.bytes - before.bytes) / length;
  }
  return window;
}

std::vector<OtherLoad::Window> OtherLoad::windows(Time first, Time length) const {
  std::vector<Window> found;
  for (auto begin = m_looks.begin(); begin != m_looks.end(); ++begin) {
    if (begin->at < first) continue;
    const auto end = std::find_if(begin, m_looks.end(),
                                  [&](const Look& look) { return look.at - begin->at >= length; });
    if (end == m_looks.end()) break;
    found.push_back(between(*begin, *end));
  }
  return found;
}

std::string OtherLoad::whose(const std::map<std::int64_t, std::string>& names) const {
  std::string listed;
  for (const std::int64_t pool : used()) {
    const auto share = m_shares.find(pool);
    if (share == m_shares.end() || share->second <= 0) continue;
    const auto name = names.find(pool);
    listed += listed.empty() ? "" : ", ";
    listed += name == names.end() ? fmt::format("{}", pool) : name->second;
  }
  return listed;
}

std::optional<Disturbance> OtherLoad::uneven(const Change& change, const Judged& judged) const {
  const auto all = windows(judged.from + latest_report, change.window);
  if (all.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(
      all.begin(), all.end(),
      [](const Window& a, const Window& b) { return cost(a.rate) < cost(b.rate); });
  const double least = cost(low->rate);
  const double most = cost(high->rate);
  if (most < judged.notable() || most <= change.factor * least) return std::nullopt;
  const auto loaded = [middle = (least + most) / 2](const Window& window) {
    return cost(window.rate) > middle;
  };
  return Disturbance{.harm = Harm::contaminated,
                     .kind = "load",
                     .what = fmt::format("other clients (pool {}) loaded the OSDs of the run "
                                         "unevenly: {}, up to {:.0f} % of the load",
                                         judged.whose, range_text(low->rate, high->rate),
                                         judged.percent_of_all(most)),
                     .from = std::find_if(all.begin(), all.end(), loaded)->from,
                     .to = std::min(judged.to, std::find_if(all.rbegin(), all.rend(), loaded)->to)};
}

std::optional<Disturbance> OtherLoad::steady(const Look& first, const Judged& judged) const {
  Window whole = between(first, m_looks.back());
  // A shorter time may hold a whole report.
  const double reports = seconds(whole.to - whole.from) / seconds(between_reports);
  whole.rate.ops *= std::min(1.0, reports);
  whole.rate.bytes *= std::min(1.0, reports);
  if (cost(whole.rate) < judged.notable()) return std::nullopt;
  return Disturbance{.kind = "load",
                     .what = fmt::format("other clients (pool {}) did {} on the OSDs of the run, "
                                         "{:.0f} % of the load",
                                         judged.whose, range_text(whole.rate, whole.rate),
                                         judged.percent_of_all(cost(whole.rate))),
                     .from = judged.from,
                     .to = judged.to};
}

std::optional<Disturbance> OtherLoad::judge(
    Time from, Time to, const Work& own, const std::map<std::int64_t, std::string>& names) const {
  if (to <= from) return std::nullopt;
  const Judged judged{
      .from = from, .to = to, .own_rate = cost(own) / seconds(to - from), .whose = whose(names)};
  // What is reported before may have been done before: by a client that has ended, or by
  // radosload's own last run.
  const auto first = std::find_if(m_looks.begin(), m_looks.end(), [&judged](const Look& look) {
    return look.at >= judged.from + latest_report;
  });
  if (first == m_looks.end() || judged.whose.empty()) return std::nullopt;
  for (const Change& change : changes) {
    if (auto found = uneven(change, judged)) return found;
  }
  return steady(*first, judged);
}

}  // namespace radosload::observe
