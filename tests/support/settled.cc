#include "support/settled.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "cluster/admin.h"
#include "support/cluster.h"
#include "support/pool.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds between_two_answers(300);

// Null while the daemon does not answer.
json parsed(const Result<std::string>& answer) {
  return answer ? json::parse(*answer, nullptr, false) : json();
}

// How often the mgr has gathered statistics; 0: unknown.
int statistics_version(cluster::Admin& admin) {
  const json summary =
      parsed(admin.mgr(R"({"prefix": "pg dump", "dumpcontents": ["summary"], "format": "json"})"));
  return summary.is_object() ? summary.at("pg_map").at("version").get<int>() : 0;
}

bool all_clean(const json& status) {
  if (!status.is_object() || !status.contains("pgmap")) return false;
  const json states = status["pgmap"].value("pgs_by_state", json::array());
  return !states.empty() && std::all_of(states.begin(), states.end(), [](const json& one) {
    // A laggy PG takes no operations, and without replicas this may never end.
    const auto state = one["state_name"].get<std::string>();
    return state.starts_with("active+clean") && state.find("laggy") == std::string::npos;
  });
}

testing::AssertionResult await_fresh_statistics(cluster::Admin& admin) {
  int before = 0;
  const auto fresh = [&] {
    const int now = statistics_version(admin);
    if (before == 0) before = now;
    return Seen(before != 0 && now >= before + 3, "version " + std::to_string(now));
  };
  return wait_for("the mgr to gather statistics", fresh, patience, between_two_answers);
}

}  // namespace

// Destructors call this as well, so without a connection it fails and does not throw.
testing::AssertionResult await_fresh_statistics() {
  const auto admin = cluster::Admin::open(options_here());
  if (!admin) return testing::AssertionFailure() << admin.error().message();
  return await_fresh_statistics(**admin);
}

void await_clean() {
  const auto opened = cluster::Admin::open(options_here());
  if (!opened) throw std::runtime_error(opened.error().message());
  cluster::Admin& admin = **opened;
  const auto clean = [&] {
    const json status = parsed(admin.mon(R"({"prefix": "status", "format": "json"})"));
    return Seen(all_clean(status), status.dump());
  };
  const auto await = [&] {
    return wait_for("all PGs to be clean", clean, patience, between_two_answers);
  };
  auto settled = await_fresh_statistics(admin);
  if (settled) settled = await();
  if (!settled && on_lab()) {
    // An OSD that was silent for more than half of a read lease, on a busy machine for a moment
    // only, may leave PGs without replicas laggy until it is restarted: a fault of Ceph.
    lab({"osd", "restart", "0-3"});
    settled = await();
  }
  if (!settled) throw std::runtime_error(settled.message());
}

}  // namespace radosload::test
