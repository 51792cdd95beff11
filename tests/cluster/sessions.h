// What tests of sessions share: the members' command lines, what the joint record says, and the
// state of a session as the cluster holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cluster/runs.h"

#include <nlohmann/json.hpp>
#include <rados/librados.hpp>

namespace radosload::test {

class Sessions : public Runs {
 protected:
  // The first of the members, with as many operations in flight as the pattern says.
  static std::vector<std::string> closed_loop(const std::string& name, const std::string& members,
                                              std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--session", name, "--members", members, "--wait", "2m"});
    if (!has(more, "--warmup")) more.insert(more.end(), {"--warmup", "1"});
    return words("ssd", "randrw4k,size=16M,object-size=256k,qd=6",
                 with_length(std::move(more), "600"));
  }
  // Most tests are about what members say to each other, for which little load will do.
  static std::vector<std::string> first(const std::string& name, const std::string& members,
                                        std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--rate", light_load});
    return closed_loop(name, members, std::move(more));
  }
  static constexpr int long_s = 24;
  // Time: of a load in which a member is lost or leaves: the others measure to its end, and the
  // test has ended the member long before.
  static std::vector<std::string> long_enough() { return {"--time", std::to_string(long_s)}; }
  std::unique_ptr<Process> start(std::vector<std::string> all) const {
    return std::make_unique<Process>(launch(std::move(all)));
  }
  static std::vector<std::string> join(const std::string& name) {
    return {"join", name, "--pool", "ssd", "--wait", "2m"};
  }
  // Waits until the cluster has seconds of all members' records, in the second piece of each: what
  // a member has not written when it is killed is lost with it.
  static testing::AssertionResult await_records(Process& member, const std::string& name,
                                                std::ptrdiff_t members) {
    const std::regex second_piece("radosload[.]session[.]" + name + "[.]part[.][0-9a-f]+[.]1\n");
    return member.wait_for("the records of " + std::to_string(members) + " members", [&] {
      const std::string names = names_in("ssd");
      const auto found = std::sregex_iterator(names.begin(), names.end(), second_piece);
      return Seen(std::distance(found, std::sregex_iterator()) >= members, names);
    });
  }
  static std::string texts(const nlohmann::json& record, const std::string& kind) {
    std::string all;
    for (const nlohmann::json& event : record["events"]) {
      if (event["kind"] == kind) all += event["text"].get<std::string>() + "\n";
    }
    return all;
  }
  static std::string warnings(const nlohmann::json& record) {
    std::string all;
    for (const nlohmann::json& warning : record["warnings"])
      all += warning.get<std::string>() + "\n";
    return all;
  }
  static std::uint64_t all_ops(const nlohmann::json& record) {
    return record["totals"]["all"]["ops"].get<std::uint64_t>();
  }
};

// A session as its members see it.
class SessionState {
 public:
  explicit SessionState(const std::string& name) : m_hub("radosload.session." + name + ".hub") {
    const bool ready = m_rados.init2("client.admin", "ceph", 0) >= 0 &&
                       m_rados.conf_read_file(cluster_conf().c_str()) >= 0 &&
                       m_rados.connect() >= 0 && m_rados.ioctx_create("ssd", m_pool) >= 0;
    if (!ready) throw std::runtime_error("the test does not get at the cluster");
    m_pool.set_namespace("radosload");
  }
  // Null while there is none.
  nlohmann::json now() {
    librados::bufferlist text;
    if (m_pool.getxattr(m_hub, "state", text) < 0) return nullptr;
    return nlohmann::json::parse(text.to_str());
  }

 private:
  std::string m_hub;
  librados::Rados m_rados;
  librados::IoCtx m_pool;
};

}  // namespace radosload::test
