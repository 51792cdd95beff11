#include "support/cluster.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include "support/files.h"
#include "support/labs.h"
#include "support/places.h"

namespace radosload::test {

namespace {

std::string named_conf() {
  const char* const named = std::getenv("RADOSLOAD_TEST_CONF");
  return named == nullptr ? "" : named;
}

std::string find_conf() {
  std::string conf = named_conf();
  if (conf.empty()) {
    conf = (lab_of_this_process() / "ceph.conf").string();
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
  words.insert(words.begin(), in_source("tools/lab"));
  words.insert(words.end(), {"--dir", lab_of_this_process().string()});
  return run({.words = std::move(words)});
}

Finished ceph(std::vector<std::string> words) {
  words.insert(words.begin(), {"ceph", "--conf", cluster_conf(), "--connect-timeout", "40"});
  const Launch launch{
      .words = std::move(words), .env = {{"CEPH_ARGS", ""}}, .limit = std::chrono::seconds(60)};
  // Ceph's own tool sometimes hangs before it contacts the mon, and then ignores its own timeout.
  Finished done = run(launch);
  if (done.timed_out) {
    std::fprintf(stderr, "the ceph tool hung; once more\n");
    done = run(launch);
  }
  return done;
}

testing::AssertionResult wait_for_answer(const std::vector<std::string>& words,
                                         const std::string& text, bool there) {
  std::string command = "ceph";
  for (const std::string& word : words) command += " " + word;
  const auto look = [&] {
    const Finished done = ceph(words);
    return Seen(contains(done.out, text).enough == there, done.out + done.err);
  };
  return wait_for("'" + text + (there ? "' in '" : "' to leave '") + command + "'", look, patience,
                  now_and_then);
}

Finished radosload_here(std::vector<std::string> words, std::map<std::string, std::string> env) {
  env["CEPH_CONF"] = cluster_conf();
  return radosload(std::move(words), std::move(env));
}

Finished clean_up_kept(const std::string& pool) {
  Finished done = radosload_here({"cleanup", "--yes", "--pool", pool});
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(": left alone, it is kept");
    if (end == std::string::npos) continue;
    done = radosload_here({"cleanup", "--yes", "--pool", pool, "--run", line.substr(0, end)});
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
