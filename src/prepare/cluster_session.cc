#include "prepare/cluster_session.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/processors.h"
#include "cluster/admin.h"
#include "observe/asked_once.h"
#include "observe/osds.h"
#include "observe/space.h"
#include "prepare/pinning.h"
#include "target/client_settings.h"
#include "target/pool_traits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

Error refusal(std::string reason, std::string hint) {
  return Error{.attempt = "start the run",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::refused};
}

Result<target::RadosLane> open_lane(const RunPlan& plan,
                                    const cluster::Connection::Settings& settings,
                                    const std::vector<cluster::Connection::Preference>& thrifty) {
  RADOSLOAD_ASSIGN(auto connection, cluster::Connection::open(plan.cluster, settings, thrifty));
  RADOSLOAD_ASSIGN(auto pool, connection->pool(plan.pool, plan.nspace));
  return target::RadosLane{std::move(connection), std::move(pool)};
}

// A user whose key is missing or wrong is better known before anything is written.
Status open_observer(const RunPlan& plan, ClusterSession& session) {
  if (!plan.observer.any()) return {};
  constexpr std::string_view type = "client.";
  ClusterOptions options = plan.cluster;
  const std::string& id = plan.observer.id;
  options.name = id.starts_with(type) ? id : std::string(type) + id;
  options.keyring = plan.observer.keyring;
  auto observer = cluster::Admin::open(options);
  if (!observer) {
    Error error = observer.error();
    error.hint = fmt::format(
        "compare --observer-keyring with 'ceph auth get {}', or leave out --observer-id: a run "
        "works without an observer",
        options.name);
    return fail(std::move(error));
  }
  session.observer = *std::move(observer);
  return {};
}

void make_sockets(ClusterSession& session) {
  auto folder = cluster::SocketFolder::make();
  if (folder) {
    session.sockets = *std::move(folder);
  } else {
    session.unsampled = one_line(folder.error());
  }
}

Status find_osds(const RunPlan& plan, AdminCommands& commands, ClusterSession& session) {
  if (!plan.pins.any()) return {};
  RADOSLOAD_ASSIGN(session.osds, observe::fetch_osds(commands));
  RADOSLOAD_ASSIGN(session.pinned, pinned_osds(plan.pins, session.osds));
  return {};
}

}  // namespace

Result<ClusterSession> open_session(const RunPlan& plan) {
  ClusterSession session;
  use_batch_scheduling();  // before librados starts threads, which take after this one
  RADOSLOAD_ASSIGN(session.admin, cluster::Admin::open(plan.cluster));
  RADOSLOAD_TRY(open_observer(plan, session));
  observe::AskedOnce commands(*session.admin);
  RADOSLOAD_TRY(find_osds(plan, commands, session));
  const auto loads = static_cast<std::uint32_t>(std::max<std::size_t>(1, session.pinned.size()));
  const target::ClientDemand demand = {
      .depth = plan.pattern.queue_depth * loads,
      .largest = std::max(plan.pattern.block_size, plan.pattern.object_size),
      .block = plan.pattern.block_size,
      .op_timeout = plan.op_timeout,
      .images = plan.target == TargetKind::rbd,
      .image_cache = plan.images.cache};
  auto settings = target::client_settings(demand);
  const auto thrifty = target::thrifty_settings(demand, usable_processors());
  make_sockets(session);
  const bool files = plan.target == TargetKind::cephfs;
  if (files) {
    RADOSLOAD_ASSIGN(session.file_system, observe::find_file_system(commands, plan.files.system));
  }
  // Clients of a file system are mounts, made later.
  const std::uint32_t handles = files ? 1 : plan.clients;
  for (std::uint32_t client = 0; client < handles; ++client) {
    if (session.sockets) settings["admin_socket"] = session.sockets->socket(client);
    RADOSLOAD_ASSIGN(auto lane, open_lane(plan, settings, thrifty));
    session.instances.push_back(lane.connection->instance_id());
    if (session.sockets) session.client_sockets.push_back(session.sockets->socket(client));
    session.lanes.push_back(std::move(lane));
  }
  const target::RadosLane& first = session.lanes.front();
  session.client_settings = target::settings_in_force(*first.connection);
  session.site = std::make_shared<footprint::ClusterSite>(
      cluster::BoundedIo(first.connection, first.pool, plan.cluster.timeout));
  session.images =
      std::make_shared<ClusterImages>(session.lanes, plan.images.nspace, plan.cluster.timeout);
  RADOSLOAD_ASSIGN(session.traits, target::pool_traits(session.lanes.front().pool));
  RADOSLOAD_ASSIGN(session.status, observe::fetch_status(commands));
  const std::string& data_pool = plan.images.data_pool;
  RADOSLOAD_ASSIGN(session.space, observe::fetch_space(commands, session.status,
                                                       data_pool.empty() ? plan.pool : data_pool));
  return session;
}

Status switch_to_pool(ClusterSession& session, std::int64_t pool) {
  if (session.space.pool.id == pool) return {};
  const placement::Pool* const found = session.status.osdmap.pool(pool);
  if (found == nullptr) return {};
  RADOSLOAD_ASSIGN(session.space,
                   observe::fetch_space(*session.admin, session.status, found->name));
  return {};
}

Status check_health(const RunPlan& plan, const ClusterSession& session) {
  for (const std::string& name : {plan.pool, session.space.pool.name}) {
    const placement::Pool* const pool = session.status.osdmap.pool(name);
    if (pool == nullptr || !pool->full) continue;
    return fail(refusal(fmt::format("pool {} is full: writes to it wait without an answer", name),
                        "free space in it, or raise its quota; 'radosload cleanup' works in a full "
                        "pool too"));
  }
  if (plan.allow_unhealthy || session.status.health != "HEALTH_ERR") return {};
  std::vector<std::string> reasons;
  for (const auto& check : session.status.checks) {
    if (!check.muted && check.severity == "HEALTH_ERR") reasons.push_back(check.summary);
  }
  return fail(refusal(fmt::format("the cluster is in HEALTH_ERR: {}", fmt::join(reasons, "; ")),
                      "repair the cluster first, or measure it as it is with --allow-unhealthy"));
}

}  // namespace radosload::prepare
