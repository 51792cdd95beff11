#include "watch/cluster_watch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <utility>

#include "base/log.h"
#include "observe/fetch_osd_map.h"
#include "observe/space.h"

#include <fmt/format.h>

namespace radosload::watch {

namespace {

using observe::Disturbance;
using observe::Harm;

// Of one kind at most this many are listed and the rest counted: a recovery may affect thousands of
// PGs.
constexpr std::size_t most_of_kind = 3;

// Between two looks the osdmap changes a few times at most, unless much else is seen as well.
constexpr std::uint64_t most_maps_between = 32;
// Of settings that were changed at once.
constexpr std::uint64_t most_settings = 100;

// Whether the mgr was not reached, or refuses this user. Any other error is an answer, because the
// balancer module may be missing.
bool says_nothing(const Error& error) {
  constexpr std::array<int, 5> silent = {ETIMEDOUT, EACCES, EPERM, ENOTCONN, ESHUTDOWN};
  return std::find(silent.begin(), silent.end(), error.errnum) != silent.end();
}

std::string why(const Error& error) {
  const std::string reason = error.reason.empty() ? errno_text(error.errnum) : error.reason;
  return error.hint.empty() ? reason : fmt::format("{}; {}", reason, error.hint);
}

}  // namespace

ClusterWatch::ClusterWatch(std::shared_ptr<AdminCommands> commands, observe::Measured measured)
    : m_commands(std::move(commands)),
      m_listed_pool(measured.pinned.empty() && measured.whole_pools.empty() ? measured.pool : -1),
      m_whole_pools(!measured.whole_pools.empty()),
      m_list_pgs(observe::all_pgs_commands(measured)),
      m_others_matter(!measured.counters_only && !measured.osds.empty()),
      m_others(measured),
      m_disturbances(std::move(measured)) {
  m_mon_poll.emplace(mon_period, [this] { return ask_mons(); });
  m_mgr_poll.emplace(mgr_period, [this] { return ask_mgr(); });
}

ClusterWatch::MonAnswer ClusterWatch::ask_mons() {
  const std::lock_guard alone(m_asking);
  const Time asked(m_now);
  const auto said = m_commands->mon(R"({"prefix": "status", "format": "json"})");
  if (!said) return {.asked = asked, .status = fail(said.error())};
  observe::ClusterStatus status;
  if (const auto parsed = observe::parse_status(*said, status); !parsed) {
    return {.asked = asked, .status = fail(parsed.error())};
  }
  m_busy = observe::busy_pgs(status) > 0;
  MonAnswer answer{.asked = asked, .status = std::move(status)};
  ask_settings(answer);
  if (answer.status->osdmap_epoch != m_epoch) ask_map(answer);
  return answer;
}

void ClusterWatch::ask_map(MonAnswer& answer) {
  auto map = observe::fetch_osd_map(*m_commands);
  if (!map) {
    answer.status = fail(map.error());
    return;
  }
  const std::uint64_t epoch = std::max(map->epoch, answer.status->osdmap_epoch);
  const std::uint64_t first = m_epoch == 0 ? epoch : m_epoch + 1;
  if (epoch - first > most_maps_between) {
    answer.unread = fmt::format("the osdmap changed {} times within one look", epoch - first + 1);
  } else {
    for (std::uint64_t at = first; at < epoch; ++at) {
      auto between = observe::fetch_osd_map(*m_commands, at);
      if (between) {
        answer.between.push_back(*std::move(between));
      } else {
        answer.unread = fmt::format("osdmap {}: {}", at, why(between.error()));
      }
    }
  }
  m_epoch = epoch;
  answer.map = *std::move(map);
}

void ClusterWatch::ask_settings(MonAnswer& answer) {
  if (!m_settings_refused.empty()) return;
  const auto last = [this](std::uint64_t count) -> Result<std::vector<observe::SettingChange>> {
    RADOSLOAD_ASSIGN(const auto said, m_commands->mon(observe::config_log_command(count)));
    return observe::parse_config_log(said);
  };
  auto changes = last(1);
  const auto newest = changes && !changes->empty() ? changes->front().version : 0;
  if (changes && m_setting != 0 && newest > m_setting + 1) {
    changes = last(std::min(newest - m_setting, most_settings));
  }
  if (changes) {
    m_setting = std::max(m_setting, newest);
    answer.settings = *std::move(changes);
  } else if (changes.error().errnum != ETIMEDOUT) {
    // A user of images alone has no rights on them.
    m_settings_refused = why(changes.error());
  }
}

ClusterWatch::MgrAnswer ClusterWatch::ask_mgr() {
  MgrAnswer answer{.asked = Time(m_now), .seen = {}};
  const auto said = m_commands->mgr(R"({"prefix": "balancer status", "format": "json"})");
  if (!said && says_nothing(said.error())) {
    answer.seen = fail(said.error());
    return answer;
  }
  if (said) {
    if (const auto balancer = observe::parse_balancer_turn(*said)) answer.balancer = *balancer;
  }
  if (m_others_matter) {
    const auto pools = m_commands->mgr(observe::pool_work_command);
    if (auto work = pools ? observe::parse_pool_work(*pools) : fail(pools.error())) {
      answer.work = *std::move(work);
    }
  }
  if (!m_busy) return answer;
  const auto listed = m_commands->mgr(observe::busy_pgs_command(m_listed_pool));
  auto busy = listed ? observe::parse_busy_pgs(*listed)
                     : Result<std::vector<observe::BusyPg>>(fail(listed.error()));
  if (busy) {
    answer.busy = *std::move(busy);
  } else {
    answer.seen = fail(busy.error());
  }
  return answer;
}

void ClusterWatch::ingest(const MonAnswer& answer) {
  if (!answer.status) {
    m_mons.unseen(answer.asked, why(answer.status.error()));
    return;
  }
  m_mons.seen(answer.asked);
  m_disturbances.add(*answer.status, answer.asked);
  if (!answer.settings.empty()) m_disturbances.add(answer.settings, answer.asked);
  // A recovery may be shorter than the period, so the mgr is asked at once.
  if (m_busy) m_mgr_poll->ask_now();
  if (!answer.map) return;
  if (!answer.unread.empty()) m_unread = answer.unread;
  m_disturbances.add_between(answer.between, *answer.map, answer.asked);
  m_disturbances.add(*answer.map, answer.asked);
  m_map_changed = true;
}

void ClusterWatch::ingest(MgrAnswer answer) {
  if (!answer.seen) {
    m_mgr.unseen(answer.asked, why(answer.seen.error()));
    return;
  }
  m_mgr.seen(answer.asked);
  if (answer.balancer) m_disturbances.add(*answer.balancer, answer.asked);
  if (!answer.work.empty()) m_others.add(std::move(answer.work), answer.asked);
  m_disturbances.add(answer.busy, answer.asked);
}

Result<std::vector<observe::ScrubbedPg>> ClusterWatch::ask_scrubs() {
  if (m_list_pgs.empty()) {
    return fail({.attempt = "list the PGs", .reason = "the run is pinned to too many OSDs"});
  }
  std::vector<observe::ScrubbedPg> all;
  for (const std::string& command : m_list_pgs) {
    RADOSLOAD_ASSIGN(const auto said, m_commands->mgr(command));
    RADOSLOAD_ASSIGN(auto pgs, observe::parse_scrubbed_pgs(said));
    std::move(pgs.begin(), pgs.end(), std::back_inserter(all));
  }
  return all;
}

void ClusterWatch::begin() {
  ingest(ask_mons());
  ingest(ask_mgr());
  m_scrubs = ask_scrubs();
}

void ClusterWatch::open(Time now) {
  m_start = now;
  m_start_wall = std::chrono::system_clock::now().time_since_epoch();
  m_disturbances.forget();
  m_map_changed = false;
  m_unread.clear();
}

std::vector<std::string> ClusterWatch::poll(Time now) {
  m_now = now.count();
  if (const auto answer = m_mon_poll->poll(now)) ingest(*answer);
  if (auto answer = m_mgr_poll->poll(now)) ingest(*std::move(answer));
  return news();
}

std::vector<std::string> ClusterWatch::news() {
  std::vector<std::string> texts;
  std::size_t more = 0;
  for (const Disturbance& found : m_disturbances.take_new()) {
    base::log_info("disturbance: {}", found.what);
    if (found.harm == Harm::noted) continue;  // the health guard reports these
    if (texts.size() < most_of_kind) {
      texts.push_back(found.what);
    } else {
      ++more;
    }
  }
  if (more > 0) texts.push_back(fmt::format("{} more such disturbances", more));
  return texts;
}

record::Grade ClusterWatch::finish(Time end, std::vector<std::string> unwatched,
                                   const observe::Work& own) {
  if (const auto answer = m_mon_poll->last()) ingest(*answer);
  if (auto answer = m_mgr_poll->last()) ingest(*std::move(answer));
  m_now = std::max(m_now.load(), end.count());
  ingest(ask_mons());
  ingest(ask_mgr());
  finish_scrubs(end);
  finish_load(end, own);
  m_disturbances.forget_moves(m_known_moves);
  if (!m_settings_refused.empty()) {
    add({.kind = "setting",
         .what = fmt::format("whether settings were changed is unknown ({})", m_settings_refused),
         .from = m_start,
         .to = end});
  }
  if (!m_unread.empty()) {
    unwatched.push_back(fmt::format("whether PGs moved and returned is unknown ({})", m_unread));
  }
  for (const Coverage* const daemons : {&m_mons, &m_mgr}) {
    auto gaps = daemons->gaps(m_start, end);
    std::move(gaps.begin(), gaps.end(), std::back_inserter(unwatched));
  }
  if (m_whole_pools && m_map_changed) {
    unwatched.emplace_back("the osdmap changed, and it is unknown whether PGs moved");
  }
  return grade_of(m_disturbances.all(), unwatched, m_start);
}

void ClusterWatch::finish_scrubs(Time end) {
  const auto now = m_scrubs ? ask_scrubs() : m_scrubs;
  if (now) {
    m_disturbances.compare_scrubs(*m_scrubs, *now,
                                  {.from = m_start, .to = end, .wall = m_start_wall});
    return;
  }
  // Where the mgr is silent, the grade has it from the other questions.
  if (says_nothing(now.error())) return;
  add({.kind = "scrub",
       .what = fmt::format("short scrubs would not have been noticed ({})", why(now.error())),
       .from = m_start,
       .to = end});
}

void ClusterWatch::finish_load(Time end, const observe::Work& own) {
  if (!m_others_matter || !m_others.needs_places()) return;
  const auto pgs = m_commands->mgr(observe::pgs_brief_command);
  if (!pgs || !m_others.place(*pgs)) return;
  if (auto load = m_others.judge(m_start, end, own, m_disturbances.pools())) add(*std::move(load));
}

std::string disturbance_text(const Disturbance& disturbance, Time start) {
  const auto whole = [start](Time time) {
    return std::chrono::floor<std::chrono::seconds>(std::max(Time(0), time - start)).count();
  };
  const auto from = whole(disturbance.from);
  const auto to = whole(disturbance.to);
  return from == to ? fmt::format("{}, at {} s", disturbance.what, from)
                    : fmt::format("{}, {} to {} s", disturbance.what, from, to);
}

record::Grade grade_of(const std::vector<Disturbance>& found,
                       const std::vector<std::string>& unwatched, Time start) {
  using record::GradeValue;
  record::Grade grade{.value = unwatched.empty() ? GradeValue::clean : GradeValue::unwatched,
                      .reasons = {}};
  for (const Harm harm : {Harm::void_run, Harm::contaminated, Harm::noted}) {
    std::map<std::string, std::size_t> of_kind;
    for (const Disturbance& one : found) {
      if (one.harm != harm) continue;
      if (harm == Harm::void_run) grade.value = std::max(grade.value, GradeValue::void_run);
      if (harm == Harm::contaminated) grade.value = std::max(grade.value, GradeValue::contaminated);
      if (++of_kind[one.kind] <= most_of_kind) {
        grade.reasons.push_back(disturbance_text(one, start));
      }
    }
    for (const auto& [kind, count] : of_kind) {
      if (count <= most_of_kind) continue;
      grade.reasons.push_back(fmt::format("{} more of the kind {}", count - most_of_kind, kind));
    }
  }
  grade.reasons.insert(grade.reasons.end(), unwatched.begin(), unwatched.end());
  return grade;
}

}  // namespace radosload::watch
