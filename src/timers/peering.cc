#include "timers/peering.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

namespace radosload::timers {

namespace {

constexpr std::chrono::milliseconds peering_poll(250);
// The mgr has to print every PG of the OSD.
constexpr std::chrono::seconds pgs_poll(1);

// One restart, watched until its PGs are clean.
class Restart {
 public:
  Restart(const World& world, std::int32_t osd, const PeeringWish& wish)
      : m_world(world), m_osd(osd), m_wish(wish) {}

  void run(Row& row) {
    const auto before = observe::fetch_osd_life(m_world.commands, m_osd);
    const auto pgs = observe::fetch_pgs_on(m_world.commands, m_osd);
    if (!before || !pgs) {
      row.failure = one_line(before ? pgs.error() : before.error());
      return;
    }
    if (!before->up) {
      row.failure = fmt::format("osd.{} is down", m_osd);
      return;
    }
    m_watch.emplace(*before, *pgs);
    row.began = m_world.wall();
    m_start = m_world.now();
    row.failure = stop();
    while (row.failure.empty() && !m_watch->is_clean()) {
      poll();
      row.failure = ended();
      if (row.failure.empty() && !m_watch->is_clean()) m_world.sleep(peering_poll);
    }
    row.elapsed = since();
    row.peering = m_watch->times();
  }

 private:
  Time since() const { return m_world.now() - m_start; }

  // Why that failed; empty: it is under way.
  std::string stop() {
    if (m_wish.restart.empty()) {
      const auto down =
          m_world.commands.mon(fmt::format(R"({{"prefix": "osd down", "ids": ["{}"]}})", m_osd));
      return down ? std::string() : one_line(down.error());
    }
    m_job = m_world.start_command(restart_command(m_wish.restart, m_osd));
    return {};
  }

  void poll() {
    if (const auto life = observe::fetch_osd_life(m_world.commands, m_osd)) {
      m_watch->see(*life, since(), m_world.wall());
    }
    if (!m_watch->is_up() || since() < m_next_pgs) return;
    m_next_pgs = since() + pgs_poll;
    if (const auto pgs = observe::fetch_pgs_on(m_world.commands, m_osd)) {
      m_watch->see(*pgs, since(), m_world.wall());
    }
    m_world.progress(fmt::format("osd.{}: up again, {} of {} PGs are active", m_osd,
                                 m_watch->active(), m_watch->times().pgs));
  }

  // Why it ends before all is measured.
  std::string ended() {
    if (m_job) {
      if (const auto done = m_job->poll()) {
        m_job.reset();
        if (!*done) return one_line(done->error());
      }
    }
    if (m_watch->is_clean()) return {};
    if (m_world.interrupted()) {
      return m_job ? "interrupted; the restart command is still running" : "interrupted";
    }
    if (since() < m_wish.limit) return {};
    const std::string limit = human_text(m_wish.limit);
    if (!m_watch->is_up()) return fmt::format("the OSD did not return within {}", limit);
    if (!m_watch->times().active) {
      return fmt::format("{} of {} PGs were active within {}", m_watch->active(),
                         m_watch->times().pgs, limit);
    }
    return fmt::format("the PGs were active, and not clean within {}", limit);
  }

  const World& m_world;
  std::int32_t m_osd;
  const PeeringWish& m_wish;
  std::optional<PeeringWatch> m_watch;
  std::unique_ptr<Job> m_job;
  Time m_start{0};
  Time m_next_pgs{0};
};

}  // namespace

PeeringWatch::PeeringWatch(const observe::OsdLife& before, const Pgs& pgs)
    : m_old_up_from(before.up_from) {
  for (const observe::PgTiming& pg : pgs) m_pgs[pg.pgid] = {};
  m_times.pgs = m_pgs.size();
}

void PeeringWatch::see(const observe::OsdLife& now, Time since, Time wall) {
  if (!now.up) {
    if (!m_times.down) m_times.down = since;
  } else if (now.up_from > m_old_up_from && !m_times.up) {
    m_times.up = since;
    m_up_from = now.up_from;
    m_up_wall = wall;
  }
}

Time PeeringWatch::happened(std::optional<Time> stamp, Time since, Time wall) {
  constexpr Time tolerance = std::chrono::seconds(1);
  const bool credible = stamp && *stamp >= m_up_wall - tolerance && *stamp <= wall + tolerance;
  m_times.by_stamps = m_times.by_stamps && credible;
  return credible ? since - (wall - *stamp) : since;
}

void PeeringWatch::see(const Pgs& now, Time since, Time wall) {
  if (!m_times.up) return;
  for (const observe::PgTiming& pg : now) {
    const auto found = m_pgs.find(pg.pgid);
    if (found == m_pgs.end() || pg.reported_epoch < m_up_from) continue;
    One& one = found->second;
    const bool active = pg.is("active");
    if (active && !one.active) one.active = happened(pg.became_active, since, wall);
    if (!active || !pg.is("clean")) {
      one.clean.reset();
    } else if (!one.clean) {
      one.clean = happened(pg.changed, since, wall);
    }
  }
  const auto last = [this](std::optional<Time> One::*when) -> std::optional<Time> {
    Time latest = *m_times.up;
    for (const auto& [id, one] : m_pgs) {
      if (!(one.*when)) return std::nullopt;
      latest = std::max(latest, *(one.*when));
    }
    return latest;
  };
  m_times.active = last(&One::active);
  if (const auto clean = last(&One::clean)) m_times.clean = std::max(*clean, *m_times.active);
}

std::uint64_t PeeringWatch::active() const {
  return static_cast<std::uint64_t>(std::count_if(
      m_pgs.begin(), m_pgs.end(), [](const auto& pg) { return pg.second.active.has_value(); }));
}

Row time_peering(const World& world, std::int32_t osd, const PeeringWish& wish) {
  Row row{.osd = osd, .began = world.wall()};
  const auto noout = footprint::set_noout(world.commands, osd, wish.note);
  if (!noout) {
    row.failure = one_line(noout.error());
    return row;
  }
  Restart(world, osd, wish).run(row);
  if (row.peering) row.peering->noout_was_there = *noout == footprint::Noout::there;
  if (*noout == footprint::Noout::there) return row;
  if (const auto unset = footprint::unset_noout(world.commands, osd, wish.note); !unset) {
    row.failure += (row.failure.empty() ? "" : "; ") + one_line(unset.error());
  }
  return row;
}

std::string restart_command(const std::string& given, std::int32_t osd) {
  constexpr std::string_view place = "{osd}";
  const std::string id = std::to_string(osd);
  std::string command = given;
  for (std::size_t at = command.find(place); at != std::string::npos;
       at = command.find(place, at + id.size())) {
    command.replace(at, place.size(), id);
  }
  return command;
}

}  // namespace radosload::timers
