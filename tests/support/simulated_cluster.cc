#include "support/simulated_cluster.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace radosload::test {

namespace {

// As cluster::Admin says it.
Error no_answer(const std::string& daemon, const std::string& prefix, int errnum, Time limit) {
  return {
      .attempt = fmt::format("get '{}' from", prefix),
      .subject = daemon,
      .reason = errnum == ETIMEDOUT ? fmt::format("no answer within {}", human_text(limit)) : "",
      .hint = errnum == EACCES ? "give this user the caps" : "",
      .errnum = errnum,
      .exit = Exit::no_cluster};
}

}  // namespace

class SimulatedCluster::Connection final : public AdminConnection {
 public:
  Connection(SimulatedCluster& cluster, Time limit) : m_cluster(cluster), m_limit(limit) {}

  std::unique_ptr<AdminCommands> within(Time limit) const override {
    return std::make_unique<Connection>(m_cluster, std::min(limit, m_limit));
  }
  Result<std::string> mon(const std::string& command) override {
    return ask("the mons", command, [this](const Json& asked) {
      return std::pair(m_cluster.m_mons_errnum, m_cluster.mon_answer(asked));
    });
  }
  Result<std::string> mgr(const std::string& command) override {
    return ask("the mgr", command, [this](const Json& asked) {
      return std::pair(m_cluster.m_mgr_errnum, m_cluster.mgr_answer(asked));
    });
  }
  Result<std::string> osd(int id, const std::string& command) override {
    return ask(fmt::format("osd.{}", id), command, [this, id](const Json& asked) {
      const Osd& osd = m_cluster.m_osds.at(id);
      return std::pair(osd.up ? osd.errnum : ENXIO, m_cluster.osd_answer(osd, asked));
    });
  }

 private:
  // `answer`: from the command to an errno, and the answer where that is 0.
  Result<std::string> ask(const std::string& daemon, const std::string& command, auto answer) {
    const Json asked = Json::parse(command);
    const std::string prefix = asked["prefix"];
    const std::lock_guard lock(m_cluster.m_mutex);
    ++m_cluster.m_asked[prefix];
    const auto [errnum, said] = answer(asked);
    if (errnum != 0) return fail(no_answer(daemon, prefix, errnum, m_limit));
    if (said.is_null()) return fail(no_answer(daemon, prefix, EINVAL, m_limit));
    return said.dump();
  }

  SimulatedCluster& m_cluster;
  Time m_limit;
};

SimulatedCluster::SimulatedCluster(Shape shape) : m_shape(shape) {
  std::uint64_t nonce = 100;
  for (std::int32_t osd = 0; osd < shape.osds; ++osd) m_osds[osd].nonce = nonce++;
  for (const std::int64_t id : {pool, other_pool}) {
    for (std::uint32_t pg = 0; pg < shape.pgs; ++pg) {
      auto& home = m_pools[id][pg].home;
      for (std::uint32_t replica = 0; replica < shape.replicas; ++replica) {
        home.push_back(static_cast<std::int32_t>(pg + replica) % shape.osds);
      }
      m_pools[id][pg].crush = m_pools[id][pg].mapped = home;
    }
  }
}

std::unique_ptr<AdminConnection> SimulatedCluster::connect() {
  return std::make_unique<Connection>(*this, std::chrono::seconds(15));
}

int SimulatedCluster::asked(const std::string& prefix) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_asked.find(prefix);
  return found == m_asked.end() ? 0 : found->second;
}

std::vector<std::int32_t> SimulatedCluster::acting(std::uint32_t pg) const {
  const std::lock_guard lock(m_mutex);
  return acting(m_pools.at(pool).at(pg));
}

bool SimulatedCluster::has_pool() const {
  const std::lock_guard lock(m_mutex);
  return m_pools.contains(pool);
}

std::vector<std::int32_t> SimulatedCluster::acting(const Pg& pg) const {
  std::vector<std::int32_t> osds = pg.home;
  std::erase_if(osds, [this](std::int32_t osd) { return !m_osds.at(osd).up; });
  return osds;
}

void SimulatedCluster::next_epoch() {
  m_past_maps[m_epoch] = osd_dump();
  ++m_epoch;
}

void SimulatedCluster::change_osd(std::int32_t osd, bool up, bool other_process) {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  Osd& changed = m_osds.at(osd);
  if (up) changed.up_from = m_epoch;
  changed.up = up;
  if (!other_process) return;
  changed.nonce += 100;
  changed.operations = changed.compactions = 0;
}

void SimulatedCluster::osd_goes_down(std::int32_t osd) {
  change_osd(osd, false, false);
}

void SimulatedCluster::osd_comes_back(std::int32_t osd) {
  change_osd(osd, true, false);
}

void SimulatedCluster::osd_restarts(std::int32_t osd) {
  change_osd(osd, true, true);
}

void SimulatedCluster::pg_moves(std::int64_t of_pool, std::uint32_t pg,
                                std::vector<std::int32_t> to) {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  Pg& moved = m_pools.at(of_pool).at(pg);
  moved.home = moved.mapped = std::move(to);
}

void SimulatedCluster::pg_is_mapped(std::uint32_t pg, std::vector<std::int32_t> to) {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  m_pools.at(pool).at(pg).mapped = std::move(to);
}

void SimulatedCluster::pool_serves(std::int64_t of_pool, std::uint64_t operations,
                                   std::uint64_t kb_each) {
  const std::lock_guard lock(m_mutex);
  m_served[of_pool].operations += operations;
  m_served[of_pool].kb += operations * kb_each;
}

void SimulatedCluster::pool_splits(std::uint32_t pgs) {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  Pgs& split = m_pools.at(pool);
  const auto before = static_cast<std::uint32_t>(split.size());
  for (std::uint32_t pg = before; pg < pgs; ++pg) {
    split[pg] = split.at(pg % before);
  }
}

void SimulatedCluster::pool_is_deleted() {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  m_pools.erase(pool);
}

void SimulatedCluster::pool_is_full() {
  health_says("POOL_FULL", "1 pool(s) full", "HEALTH_WARN", 1,
              fmt::format("pool '{}' is full (running out of quota)", pool_name));
  const std::lock_guard lock(m_mutex);
  next_epoch();
  m_pool_full = true;
}

void SimulatedCluster::map_changes() {
  const std::lock_guard lock(m_mutex);
  next_epoch();
}

void SimulatedCluster::osd_is_weighted(std::int32_t osd, double weight) {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  m_osds.at(osd).weight = weight;
}

void SimulatedCluster::pool_option_is(std::int64_t of_pool, const std::string& name,
                                      const std::string& value) {
  const std::lock_guard lock(m_mutex);
  next_epoch();
  m_options[of_pool][name] = value;
}

void SimulatedCluster::pg_was_scrubbed(std::int64_t of_pool, std::uint32_t pg,
                                       std::optional<double> took) {
  const auto now = std::chrono::system_clock::now();
  const std::lock_guard lock(m_mutex);
  Pg& scrubbed = m_pools.at(of_pool).at(pg);
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  const auto micros = std::chrono::floor<std::chrono::microseconds>(now - second).count();
  scrubbed.scrubbed =
      fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}+0000",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(second)), micros);
  scrubbed.scrub_took = took;
}

void SimulatedCluster::setting_is(const std::string& path, const std::string& value) {
  const std::lock_guard lock(m_mutex);
  const Json change = {{"name", path}, {"new_value", value}};
  const Json entry = {{"version", m_config_log.size() + 1}, {"changes", Json::array({change})}};
  m_config_log.insert(m_config_log.begin(), entry);
}

void SimulatedCluster::pg_is(std::int64_t of_pool, std::uint32_t pg, const std::string& state) {
  const std::lock_guard lock(m_mutex);
  m_pools.at(of_pool).at(pg).busy = state;
}

void SimulatedCluster::health_says(const std::string& code, const std::string& summary,
                                   const std::string& severity, std::uint64_t count,
                                   const std::string& detail) {
  Json details = Json::array();
  if (!detail.empty()) details.push_back({{"message", detail}});
  const std::lock_guard lock(m_mutex);
  m_checks[code] = {{"severity", severity},
                    {"summary", {{"message", summary}, {"count", count}}},
                    {"detail", details},
                    {"muted", false}};
}

void SimulatedCluster::health_check_is_over(const std::string& code) {
  const std::lock_guard lock(m_mutex);
  m_checks.erase(code);
}

void SimulatedCluster::mons_elect() {
  const std::lock_guard lock(m_mutex);
  m_elections += 2;
}

void SimulatedCluster::mon_leaves(const std::string& name) {
  const std::lock_guard lock(m_mutex);
  m_elections += 2;
  std::erase(m_quorum, name);
}

void SimulatedCluster::balancer_moves_pgs() {
  const std::lock_guard lock(m_mutex);
  ++m_balancer_turns;
}

void SimulatedCluster::mons_answer_with(int errnum) {
  const std::lock_guard lock(m_mutex);
  m_mons_errnum = errnum;
}

void SimulatedCluster::mgr_answers_with(int errnum) {
  const std::lock_guard lock(m_mutex);
  m_mgr_errnum = errnum;
}

void SimulatedCluster::osd_answers_with(std::int32_t osd, int errnum) {
  const std::lock_guard lock(m_mutex);
  m_osds.at(osd).errnum = errnum;
}

void SimulatedCluster::osd_serves(std::int32_t osd, std::uint64_t operations) {
  const std::lock_guard lock(m_mutex);
  if (m_osds.contains(osd)) m_osds[osd].operations += operations;
}

void SimulatedCluster::osd_compacts(std::int32_t osd) {
  const std::lock_guard lock(m_mutex);
  ++m_osds.at(osd).compactions;
}

void SimulatedCluster::osd_counters_are_reset(std::int32_t osd) {
  const std::lock_guard lock(m_mutex);
  m_osds.at(osd).operations = m_osds.at(osd).compactions = 0;
}

}  // namespace radosload::test
