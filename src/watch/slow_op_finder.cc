#include "watch/slow_op_finder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "placement/pg_map.h"
#include "watch/ask_osds.h"

#include <fmt/format.h>

namespace radosload::watch {

namespace {

// The time limit for one OSD and one of the two requests.
constexpr Time ops_patience = std::chrono::seconds(1);

struct AnsweredOps {
  Time asked{0};
  Time answered{0};
  Result<observe::OsdOps> ops;
};

}  // namespace

SlowOpFinder::WallClock SlowOpFinder::system_wall() {
  return [] { return std::chrono::system_clock::now().time_since_epoch(); };
}

SlowOpFinder::SlowOpFinder(std::shared_ptr<AdminCommands> commands, std::vector<std::int32_t> osds,
                           std::set<std::uint64_t> clients, OurObjects ours, WallClock wall)
    : m_commands(std::move(commands)),
      m_osds(std::move(osds)),
      m_ours(std::move(ours)),
      m_wall(std::move(wall)),
      m_memory(std::move(clients)) {
  for (const std::int32_t osd : m_osds) m_readers.try_emplace(osd);
  m_poll.emplace(period, [this] {
    ask(m_next);
    return true;
  });
}

void SlowOpFinder::enter(Phase phase, Time now) {
  m_measuring = phase != Phase::warmup;
  poll(now, Time(0));
}

void SlowOpFinder::poll(Time now, Time oldest) {
  m_next = oldest >= observe::OsdOpsReader::slow ? Among::all : Among::ended;
  if (m_measuring) m_poll->poll(now);
}

void SlowOpFinder::ask(Among among) {
  auto answers = ask_osds(m_osds, [this, among](std::int32_t osd) -> Result<AnsweredOps> {
    const Time asked = m_wall();
    auto& reader = m_readers.at(osd);
    auto ops = among == Among::all ? reader.fetch_all(*m_commands, osd)
                                   : reader.fetch_ended(*m_commands, osd);
    return AnsweredOps{.asked = asked, .answered = m_wall(), .ops = std::move(ops)};
  });
  const std::lock_guard lock(m_mutex);
  for (auto& [osd, told] : answers) {
    if (!told) continue;  // it was not asked, because another OSD took too long
    if (told->ops) {
      m_memory.add(osd, *std::move(told->ops), told->asked, told->answered);
      continue;
    }
    if (m_trouble.empty()) m_trouble = one_line(told->ops.error());
    m_unheard.insert(osd);
    if (told->ops.error().errnum == ETIMEDOUT) {
      m_memory.add_silence(osd, told->asked, told->answered);
    }
  }
}

std::string SlowOpFinder::missing(const std::vector<record::SlowOp>& slowest,
                                  std::uint64_t matched) const {
  if (matched == slowest.size()) return {};
  if (!m_trouble.empty()) {
    return fmt::format(
        "{}{}", m_trouble,
        m_unheard.size() > 1 ? fmt::format("; the same for {} OSDs in all", m_unheard.size()) : "");
  }
  return "an OSD remembers only its longest operations of ten minutes, from all clients";
}

record::SlowSearch SlowOpFinder::finish(std::vector<record::SlowOp>& slowest) {
  m_poll.reset();
  record::SlowSearch search;
  if (!slowest.empty()) {
    ask(Among::all);
    search.matched = match(slowest, m_memory, m_ours);
    search.missing = missing(slowest, search.matched);
  }
  for (const auto& [osd, clock] : m_memory.clocks()) {
    search.clocks.push_back({.osd = osd, .ahead = clock.middle(), .within = clock.half()});
  }
  return search;
}

std::vector<std::int32_t> osds_to_ask(const prepare::ClusterSession& session,
                                      const ObjectPlacement& locations) {
  std::set<std::uint32_t> pgs(locations.pgs().begin(), locations.pgs().end());
  std::set<std::int32_t> primaries;
  std::set<std::int32_t> others;
  for (const std::uint32_t pg : pgs) {
    if (locations.osd_of(pg) >= 0) primaries.insert(locations.osd_of(pg));
    const auto place = session.space.pgs.find(pg);
    if (!place) continue;
    for (const std::int32_t osd : place->acting) {
      if (osd != placement::no_shard && osd >= 0) others.insert(osd);
    }
  }
  std::vector<std::int32_t> osds(primaries.begin(), primaries.end());
  std::set_difference(others.begin(), others.end(), primaries.begin(), primaries.end(),
                      std::back_inserter(osds));
  osds.resize(std::min(osds.size(), SlowOpFinder::most_osds));
  return osds;
}

std::unique_ptr<SlowOpFinder> find_slow_ops(
    const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
    const std::shared_ptr<const ObjectPlacement>& locations) {
  if (!session.observer || !locations || !names.name_of) return nullptr;
  return std::make_unique<SlowOpFinder>(
      session.observer->within(ops_patience), osds_to_ask(session, *locations),
      std::set(session.instances.begin(), session.instances.end()),
      OurObjects{.pool = names.pool, .nspace = names.nspace});
}

}  // namespace radosload::watch
