#include "observe/cluster_status.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "observe/fetch_osd_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::observe {

namespace {

struct Question {
  std::string_view what;
  Result<std::string> (AdminCommands::*ask)(const std::string&);
  std::string_view command;
  Status (*parse)(const std::string&, ClusterStatus&);
  // Where others look up whether it was answered.
  Status ClusterStatus::*seen = nullptr;
};

Status read_osd_dump(const std::string& json, ClusterStatus& into) {
  RADOSLOAD_ASSIGN(into.osdmap, placement::parse_osd_dump(json));
  return {};
}

Status read_usage(const std::string& json, ClusterStatus& into) {
  return placement::parse_pool_usage(json, into.osdmap);
}

constexpr std::array<Question, 5> questions = {{
    {"health and daemons", &AdminCommands::mon, R"({"prefix": "status", "format": "json"})",
     parse_status},
    {"pools and flags", &AdminCommands::mon, osd_dump_command, read_osd_dump,
     &ClusterStatus::osdmap_seen},
    {"versions", &AdminCommands::mon, R"({"prefix": "versions", "format": "json"})",
     parse_versions},
    {"space in the pools", &AdminCommands::mon,
     R"({"prefix": "df", "detail": "detail", "format": "json"})", read_usage,
     &ClusterStatus::usage_seen},
    {"the balancer", &AdminCommands::mgr, R"({"prefix": "balancer status", "format": "json"})",
     parse_balancer},
}};

bool has_state(const std::string& state, std::string_view word) {
  return state.find(word) != std::string::npos;
}

std::uint64_t pgs_with(const ClusterStatus& status, std::string_view word) {
  std::uint64_t count = 0;
  for (const auto& [state, pgs] : status.pg_states) {
    if (has_state(state, word)) count += pgs;
  }
  return count;
}

void pg_distortions(const ClusterStatus& status, std::vector<Distortion>& found) {
  std::uint64_t inactive = 0;
  for (const auto& [state, pgs] : status.pg_states) {
    if (!has_state(state, "active")) inactive += pgs;
  }
  if (inactive > 0) {
    found.push_back({fmt::format("{} PGs are not active: operations on them wait", inactive),
                     "see 'ceph pg dump_stuck'"});
  }
  if (const auto scrubs = pgs_with(status, "scrubbing"); scrubs > 0) {
    found.push_back(
        {fmt::format("{} PGs are being scrubbed", scrubs),
         "wait, or set the flags noscrub and nodeep-scrub during the run (ceph osd set FLAG)"});
  }
  if (const auto trims = pgs_with(status, "snaptrim"); trims > 0) {
    found.push_back({fmt::format("{} PGs are trimming snapshots", trims), "wait until they end"});
  }
  if (status.recovering_objects > 0) {
    found.push_back({fmt::format("{} objects are degraded, misplaced or unfound: recovery competes "
                                 "with the load",
                                 status.recovering_objects),
                     "wait until every PG is active+clean"});
  }
}

void pool_distortions(const ClusterStatus& status, std::vector<Distortion>& found) {
  for (const placement::Pool& pool : status.osdmap.pools) {
    if (pool.full) {
      found.push_back(
          {fmt::format("pool {} is full: writes to it wait without an error", pool.name),
           "free space in it or raise its quota"});
    }
    if (pool.pg_num != pool.pg_num_target) {
      found.push_back({fmt::format("pool {} is changing from {} to {} PGs", pool.name, pool.pg_num,
                                   pool.pg_num_target),
                       "wait until pg_num has reached its target"});
    }
    if (pool.autoscale == "on") {
      found.push_back({fmt::format("the autoscaler may split or merge PGs of pool {}", pool.name),
                       fmt::format("ceph osd pool set {} pg_autoscale_mode off", pool.name)});
    }
  }
}

}  // namespace

Result<ClusterStatus> fetch_status(AdminCommands& commands) {
  ClusterStatus status;
  for (const Question& question : questions) {
    const bool essential = &question == questions.data();
    auto answer = (commands.*question.ask)(std::string(question.command));
    const Status parsed = answer ? question.parse(*answer, status) : fail(answer.error());
    if (parsed) continue;
    if (essential) return fail(parsed.error());
    if (question.seen != nullptr) status.*question.seen = parsed;
    status.unseen.push_back(fmt::format("{}: {}", question.what, parsed.error().message()));
  }
  return status;
}

std::vector<Distortion> distortions(const ClusterStatus& status) {
  std::vector<Distortion> found;
  for (const HealthCheck& check : status.checks) {
    if (!check.muted) found.push_back({fmt::format("{}: {}", check.code, check.summary), {}});
  }
  if (!status.osdmap.flags.empty()) {
    found.push_back({fmt::format("flags are set: {}", fmt::join(status.osdmap.flags, ", ")),
                     "unset those that are not intended: ceph osd unset FLAG"});
  }
  pg_distortions(status, found);
  pool_distortions(status, found);
  if (status.balancer_active.value_or(false)) {
    found.push_back(
        {"the balancer is on: it may move PGs in the middle of a run", "ceph balancer off"});
  }
  if (status.versions.size() > 1) {
    found.push_back({"daemons of different versions run side by side", "finish the upgrade first"});
  }
  if (status.client_ops_per_second > 0) {
    // The mgr's figure is a mean over its last reports, so a run of radosload that has just ended
    // is in it.
    found.push_back({fmt::format("clients did {} operations per second in the last seconds (a run "
                                 "that has just ended counts, too)",
                                 status.client_ops_per_second),
                     "measure when other clients are idle, or mention them with the result"});
  }
  return found;
}

}  // namespace radosload::observe
