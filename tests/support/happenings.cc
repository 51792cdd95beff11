// What can happen to a scenario.
#include <cerrno>
#include <utility>

#include "support/scenario.h"

namespace radosload::test {

namespace {

Which on(std::int32_t osd) {
  return {.osd = osd};
}

// Something of the cluster alone.
template <typename... Parameters, typename... Arguments>
Happening cluster(void (SimulatedCluster::*change)(Parameters...), Arguments... arguments) {
  return [=](Stricken& all) { (all.cluster.*change)(arguments...); };
}

}  // namespace

Happening osd_stops_answering(std::int32_t osd) {
  return [=](Stricken& all) { all.target.stall(on(osd)); };
}

Happening osd_answers_again(std::int32_t osd) {
  return [=](Stricken& all) { all.target.resume(on(osd)); };
}

Happening osd_falls_silent(std::int32_t osd) {
  return [=](Stricken& all) { all.target.stall_for_good(on(osd)); };
}

Happening osd_is_marked_down(std::int32_t osd) {
  return [=](Stricken& all) {
    all.cluster.osd_goes_down(osd);
    all.target.resume(on(osd));
  };
}

Happening osd_boots(std::int32_t osd) {
  return cluster(&SimulatedCluster::osd_restarts, osd);
}

Happening osd_is_marked_up_again(std::int32_t osd) {
  return cluster(&SimulatedCluster::osd_comes_back, osd);
}

Happening osd_restarts(std::int32_t osd) {
  return cluster(&SimulatedCluster::osd_restarts, osd);
}

Happening osd_is_slow(std::int32_t osd, Time by) {
  return [=](Stricken& all) { all.target.delay(on(osd), by); };
}

Happening osd_compacts(std::int32_t osd) {
  return cluster(&SimulatedCluster::osd_compacts, osd);
}

Happening osd_counters_are_reset(std::int32_t osd) {
  return cluster(&SimulatedCluster::osd_counters_are_reset, osd);
}

Happening osd_refuses_commands(std::int32_t osd, int errnum) {
  return cluster(&SimulatedCluster::osd_answers_with, osd, errnum);
}

Happening pg_moves(std::uint32_t pg, std::vector<std::int32_t> to) {
  return cluster(&SimulatedCluster::pg_moves, SimulatedCluster::pool, pg, std::move(to));
}

Happening pg_of_another_pool_moves(std::uint32_t pg, std::vector<std::int32_t> to) {
  return cluster(&SimulatedCluster::pg_moves, SimulatedCluster::other_pool, pg, std::move(to));
}

Happening pg_is(std::uint32_t pg, const std::string& state) {
  return cluster(&SimulatedCluster::pg_is, SimulatedCluster::pool, pg, state);
}

Happening pg_of_another_pool_is(std::uint32_t pg, const std::string& state) {
  return cluster(&SimulatedCluster::pg_is, SimulatedCluster::other_pool, pg, state);
}

Happening pg_is_mapped(std::uint32_t pg, std::vector<std::int32_t> to) {
  return cluster(&SimulatedCluster::pg_is_mapped, pg, std::move(to));
}

Happening pg_was_scrubbed(std::uint32_t pg, std::optional<double> took) {
  return cluster(&SimulatedCluster::pg_was_scrubbed, SimulatedCluster::pool, pg, took);
}

Happening pg_of_another_pool_was_scrubbed(std::uint32_t pg) {
  return cluster(&SimulatedCluster::pg_was_scrubbed, SimulatedCluster::other_pool, pg,
                 std::nullopt);
}

Happening pool_option_is(const std::string& name, const std::string& value) {
  return cluster(&SimulatedCluster::pool_option_is, SimulatedCluster::pool, name, value);
}

Happening option_of_another_pool_is(const std::string& name, const std::string& value) {
  return cluster(&SimulatedCluster::pool_option_is, SimulatedCluster::other_pool, name, value);
}

Happening osd_is_weighted(std::int32_t osd, double weight) {
  return cluster(&SimulatedCluster::osd_is_weighted, osd, weight);
}

Happening setting_is(const std::string& path, const std::string& value) {
  return cluster(&SimulatedCluster::setting_is, path, value);
}

Happening pool_is_deleted() {
  return [](Stricken& all) {
    all.cluster.pool_is_deleted();
    all.target.fail({}, -ENOENT);
  };
}

Happening pool_splits(std::uint32_t pgs) {
  return cluster(&SimulatedCluster::pool_splits, pgs);
}

Happening pool_reaches_its_quota() {
  return [](Stricken& all) {
    all.cluster.pool_is_full();
    all.target.stall({.kind = OpKind::write});
    all.target.stall({.kind = OpKind::create});
  };
}

Happening health_turns_to_error(const std::string& code, const std::string& summary) {
  return cluster(&SimulatedCluster::health_says, code, summary, "HEALTH_ERR", std::uint64_t{1}, "");
}

Happening health_warns(const std::string& code, const std::string& summary, std::uint64_t count) {
  return cluster(&SimulatedCluster::health_says, code, summary, "HEALTH_WARN", count, "");
}

Happening health_check_is_over(const std::string& code) {
  return cluster(&SimulatedCluster::health_check_is_over, code);
}

Happening mons_elect() {
  return cluster(&SimulatedCluster::mons_elect);
}

Happening mon_leaves(const std::string& name) {
  return cluster(&SimulatedCluster::mon_leaves, name);
}

Happening mons_answer_with(int errnum) {
  return cluster(&SimulatedCluster::mons_answer_with, errnum);
}

Happening mgr_answers_with(int errnum) {
  return cluster(&SimulatedCluster::mgr_answers_with, errnum);
}

Happening pool_serves(std::int64_t pool, std::uint64_t operations, std::uint64_t kb_each) {
  return cluster(&SimulatedCluster::pool_serves, pool, operations, kb_each);
}

Happening balancer_moves_pgs() {
  return cluster(&SimulatedCluster::balancer_moves_pgs);
}

Happening connection_is_lost() {
  return [](Stricken& all) {
    all.cluster.mons_answer_with(ETIMEDOUT);
    all.cluster.mgr_answers_with(ETIMEDOUT);
    all.target.stall({});
  };
}

Happening connection_is_back(AnswerOrder order) {
  return [order](Stricken& all) {
    all.cluster.mons_answer_with(0);
    all.cluster.mgr_answers_with(0);
    all.target.resume({}, order);
  };
}

Happening operations_fail(int rc, const Which& which) {
  return [=](Stricken& all) { all.target.fail(which, rc); };
}

Happening operations_succeed(const Which& which) {
  return [=](Stricken& all) { all.target.resume(which); };
}

Happening answers_are_lost(const Which& which) {
  return [=](Stricken& all) { all.target.stall(which); };
}

Happening writes_are_lost() {
  return [](Stricken& all) { all.target.lose_writes(true); };
}

Happening contents_are_remembered() {
  return [](Stricken& all) { all.target.remember(); };
}

Happening contents_are_rolled_back() {
  return [](Stricken& all) { all.target.roll_back(); };
}

Happening user_sends(int signal) {
  return [=](Stricken& all) { all.interrupts.notice(signal); };
}

}  // namespace radosload::test
