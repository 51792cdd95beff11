// A cluster with one OSD to be timed, in virtual time: what it answers is a function of the time.
#pragma once

#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "timers/session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::timers::testing {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The time of day at the start: 2026-11-24T12:00:00.
inline constexpr Time noon = seconds(1795521600);

// So long after noon, as Ceph prints it.
inline std::string stamp(double after) {
  const int whole = static_cast<int>(after);
  return fmt::format("2026-11-24T{:02}:{:02}:{:02}.{:03}000+0000", 12 + whole / 3600,
                     whole / 60 % 60, whole % 60, static_cast<int>((after - whole) * 1000 + 0.5));
}

inline json pg(const std::string& id, const std::string& state, int epoch = 10) {
  return {{"pgid", id},
          {"state", state},
          {"reported_epoch", epoch},
          {"last_scrub_stamp", "2026-11-20T00:00:00.000000+0000"},
          {"last_deep_scrub_stamp", "2026-11-20T00:00:00.000000+0000"},
          {"last_became_active", "2026-11-20T00:00:00.000000+0000"}};
}

inline json life(bool up, int up_from) {
  return {{"up", up ? 1 : 0}, {"up_from", up_from}, {"state", json::array({"exists"})}};
}

class TimedCluster final : public AdminCommands {
 public:
  Time now{0};
  std::function<json()> life_now = [] { return life(true, 10); };
  std::function<json()> pgs_now = [] { return json::array(); };
  std::function<json()> status_now = [] { return json{{"pgmap", json::object()}}; };
  std::function<json()> rocksdb_now = [] { return json::object(); };  // as 16.2.15 has it
  json map = {{"pools", json::array()}, {"flags_set", json::array()}};
  std::map<std::string, std::string> keys = {};
  bool noout = false;
  std::map<std::string, int> errors = {};  // by prefix: the errno
  std::vector<std::string> told = {};      // prefixes of what changes something
  std::function<void(const std::string& prefix)> before = [](const std::string&) {};

  double after() const { return std::chrono::duration<double>(now).count(); }

  Result<std::string> mon(const std::string& command) override {
    const json asked = json::parse(command);
    const std::string prefix = asked["prefix"];
    before(prefix);
    if (errors.contains(prefix)) return no(errors[prefix]);
    if (prefix == "status") return status_now().dump();
    if (prefix == "osd dump") return map.dump();
    if (prefix == "config-key dump") return json(keys).dump();
    if (prefix == "osd info") {
      json info = life_now();
      if (noout) info["state"].push_back("noout");
      return info.dump();
    }
    told.push_back(prefix);
    if (prefix == "config-key set") keys[asked["key"]] = asked["val"];
    if (prefix == "config-key rm") keys.erase(asked["key"]);
    if (prefix == "osd set-group") noout = true;
    if (prefix == "osd unset-group") noout = false;
    return std::string();
  }
  Result<std::string> mgr(const std::string& command) override {
    const json asked = json::parse(command);
    const std::string prefix = asked["prefix"];
    before(prefix);
    if (errors.contains(prefix)) return no(errors[prefix]);
    // As the mgr: the name "osd.0" is for people.
    if (prefix.starts_with("pg ls") && !asked["osd"].is_number()) return no(EINVAL);
    if (prefix.starts_with("pg ls")) return json{{"pg_stats", pgs_now()}}.dump();
    told.push_back(prefix);
    return std::string("{}");
  }
  Result<std::string> osd(int, const std::string& command) override {
    if (command.find("rocksdb") != std::string::npos)
      return json{{"rocksdb", rocksdb_now()}}.dump();
    return std::string(
        R"({"bluefs":{"db_used_bytes":1048576,"wal_used_bytes":1024,"slow_used_bytes":0}})");
  }

 private:
  static Result<std::string> no(int errnum) {
    return fail({.attempt = "get it from",
                 .subject = "the mons",
                 .reason = "so it is",
                 .errnum = errnum,
                 .exit = Exit::no_cluster});
  }
};

// Done at a time of the cluster's clock.
class TimedJob final : public Job {
 public:
  TimedJob(const TimedCluster& cluster, Time at, Result<std::string> answer)
      : m_cluster(cluster), m_at(at), m_answer(std::move(answer)) {}
  std::optional<Result<std::string>> poll() override {
    if (m_cluster.now < m_at) return std::nullopt;
    return m_answer;
  }

 private:
  const TimedCluster& m_cluster;
  Time m_at;
  Result<std::string> m_answer;
};

struct TimedWorld {
  TimedCluster cluster = {};
  Time interrupted_at = std::chrono::hours(24 * 365);
  Time job_takes{0};
  Result<std::string> job_answer = std::string();
  std::vector<std::string> jobs = {};

  std::unique_ptr<Job> job(std::string command) {
    jobs.push_back(std::move(command));
    return std::make_unique<TimedJob>(cluster, cluster.now + job_takes, job_answer);
  }
  World world() {
    return {.commands = cluster,
            .now = [this] { return cluster.now; },
            .wall = [this] { return noon + cluster.now; },
            .sleep = [this](Time time) { cluster.now += time; },
            .interrupted = [this] { return cluster.now >= interrupted_at; },
            .ask_osd = [this](std::int32_t, const std::string& command) { return job(command); },
            .start_command = [this](const std::string& command) { return job(command); }};
  }
};

}  // namespace radosload::timers::testing
