#include "support/settled.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "cluster/admin.h"
#include "support/eventually.h"
#include "support/pool.h"

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

bool await_fresh_statistics(cluster::Admin& admin) {
  int before = 0;
  const auto fresh = [&] {
    const int now = statistics_version(admin);
    if (before == 0) before = now;
    return before != 0 && now >= before + 3;
  };
  return eventually(fresh, std::chrono::seconds(30), between_two_answers);
}

}  // namespace

// Destructors call this as well, so without a connection it returns false and does not throw.
bool await_fresh_statistics() {
  const auto admin = cluster::Admin::open(options_here());
  return admin && await_fresh_statistics(**admin);
}

void await_clean() {
  const auto opened = cluster::Admin::open(options_here());
  if (!opened) throw std::runtime_error(opened.error().message());
  cluster::Admin& admin = **opened;
  if (!await_fresh_statistics(admin)) throw std::runtime_error("the mgr gathers no statistics");
  json status;
  const auto clean = [&] {
    status = parsed(admin.mon(R"({"prefix": "status", "format": "json"})"));
    return all_clean(status);
  };
  if (!eventually(clean, std::chrono::minutes(2), between_two_answers)) {
    throw std::runtime_error("the cluster does not get clean again: " + status.dump());
  }
}

}  // namespace radosload::test
