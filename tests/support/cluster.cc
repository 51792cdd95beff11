#include "support/cluster.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include "support/eventually.h"
#include "support/files.h"
#include "support/labs.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

namespace {

constexpr std::chrono::milliseconds half_a_second(500);

std::string named_conf() {
  const char* const named = std::getenv("RADOSLOAD_TEST_CONF");
  return named == nullptr ? "" : named;
}

std::string lab_conf() {
  const Finished env = lab({"env"});
  const std::string key = "CEPH_CONF=";
  const std::size_t found = env.out.find(key);
  if (env.status != 0 || found == std::string::npos) {
    throw std::runtime_error("the lab does not answer: " + lab_of_this_process().string() + "\n" +
                             env.err);
  }
  std::string path = env.out.substr(found + key.size());
  path = path.substr(0, path.find('\n'));
  std::erase(path, '\'');
  std::erase(path, '"');
  return path;
}

std::string find_conf() {
  std::string conf = named_conf();
  if (conf.empty()) {
    conf = lab_conf();
  } else {
    claim_foreign_cluster();
  }
  if (!std::filesystem::exists(conf)) throw std::runtime_error("no cluster config at " + conf);
  return conf;
}

}  // namespace

const std::string& cluster_conf() {
  static const std::string conf = find_conf();
  return conf;
}

bool on_lab() {
  return named_conf().empty();
}

Finished lab(std::vector<std::string> words) {
  words.insert(words.begin(), RADOSLOAD_SOURCE_DIR "/tools/lab");
  words.insert(words.end(), {"--dir", lab_of_this_process().string()});
  return run({.words = std::move(words), .limit = std::chrono::minutes(2)});
}

Finished ceph(std::vector<std::string> words) {
  words.insert(words.begin(), {"ceph", "--conf", cluster_conf(), "--connect-timeout", "10"});
  const Launch launch{
      .words = std::move(words), .env = {{"CEPH_ARGS", ""}}, .limit = std::chrono::seconds(30)};
  // Ceph's tool, which is not under test, has been seen to hang before it had said a word to the
  // mon, and to ignore its own timeout then.
  Finished done = run(launch);
  if (done.timed_out) {
    std::fprintf(stderr, "the ceph tool hung; once more\n");
    done = run(launch);
  }
  return done;
}

bool await_fresh_statistics() {
  const auto version = [] {
    const Finished dump = ceph({"pg", "dump", "summary", "--format", "json"});
    const auto summary = nlohmann::json::parse(dump.out, nullptr, false);
    return summary.is_object() ? summary.at("pg_map").at("version").get<int>() : 0;
  };
  int before = 0;
  const auto fresh = [&] {
    const int now = version();
    if (before == 0) before = now;
    return now >= before + 3;
  };
  return eventually(fresh, std::chrono::seconds(30), half_a_second);
}

void await_clean() {
  if (!await_fresh_statistics()) throw std::runtime_error("the mgr gathers no statistics");
  nlohmann::json status;
  const auto clean = [&] {
    const Finished done = ceph({"status", "--format", "json"});
    status = nlohmann::json::parse(done.out, nullptr, false);
    if (!status.is_object() || !status.contains("pgmap")) return false;
    const auto& states = status["pgmap"]["pgs_by_state"];
    return !states.empty() && std::all_of(states.begin(), states.end(), [](const auto& one) {
      return one["state_name"].template get<std::string>().starts_with("active+clean");
    });
  };
  if (!eventually(clean, std::chrono::minutes(2), half_a_second)) {
    throw std::runtime_error("the cluster does not get clean again: " + status.dump());
  }
}

Finished radosload_here(std::vector<std::string> words, std::map<std::string, std::string> env) {
  env["CEPH_CONF"] = cluster_conf();
  return radosload(std::move(words), std::move(env));
}

Finished clean_up_kept(const std::string& pool) {
  Finished done = radosload_here({"cleanup", "--pool", pool});
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(": left alone, it is kept");
    if (end == std::string::npos) continue;
    done = radosload_here({"cleanup", "--pool", pool, "--run", line.substr(0, end)});
  }
  return done;
}

CephUser::CephUser(std::string id, const std::vector<std::string>& caps) : m_id(std::move(id)) {
  m_id += "." + std::to_string(::getpid());
  std::vector<std::string> words = {"auth", "get-or-create", "client." + m_id};
  words.insert(words.end(), caps.begin(), caps.end());
  const Finished made = ceph(words);
  if (made.status != 0) throw std::runtime_error("no user " + m_id + ": " + made.err);
  m_keyring =
      (std::filesystem::temp_directory_path() / ("radosload-" + m_id + ".keyring")).string();
  write_file(m_keyring, made.out);
}

CephUser::~CephUser() {
  ceph({"auth", "del", "client." + m_id});
  std::error_code ignored;
  std::filesystem::remove(m_keyring, ignored);
}

}  // namespace radosload::test
