// What a run pinned to OSDs has to read and to find before it begins, on a cluster of any size: the
// same functions on answers that are as long as such a cluster's, made from recorded ones. Prints a
// line of JSON for each step: its time, and the most memory the process has held during it.
//
// usage: scale FOLDER OSDS     FOLDER has the recorded answers (tests/fixtures/ceph-18.2.7)

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "radosload/admin_commands.h"

#include "base/random.h"
#include "observe/cluster_status.h"
#include "observe/osds.h"
#include "observe/space.h"
#include "placement/object_hash.h"
#include "placement/osd_select.h"
#include "placement/pins.h"
#include "workload/layout.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::ordered_json;
using radosload::Result;

constexpr int pool_id = 1;  // the one of three copies among the recorded
constexpr std::uint64_t objects_for_each = 16;
constexpr std::uint32_t copies = 3;
constexpr std::int32_t osds_in_host = 10;

// 26 PGs for each OSD, as a large pool has beside others: 262,144 for 10,000.
std::uint32_t pgs_for(std::int32_t osds) {
  constexpr std::uint32_t pgs_for_each = 26;
  return std::bit_floor(static_cast<std::uint32_t>(osds) * pgs_for_each * 3 / 2);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    fmt::print(stderr, "scale: cannot read {}\n", path);
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string host_of(std::int32_t osd) {
  return fmt::format("node{}", osd / osds_in_host);
}

// The recorded rows over and over, each with the id it has here.
Json rows_like(const Json& rows, std::int32_t osds,
               const std::function<void(Json&, std::int32_t)>& change) {
  Json all = Json::array();
  for (std::int32_t osd = 0; osd < osds; ++osd) {
    Json row = rows[static_cast<std::size_t>(osd) % rows.size()];
    change(row, osd);
    all.push_back(std::move(row));
  }
  return all;
}

class Answers final : public radosload::AdminCommands {
 public:
  Answers(std::string folder, std::int32_t osds) : m_folder(std::move(folder)), m_osds(osds) {
    add_tree();
    add_rows();
    add_pools();
    add_pgs();
    for (const auto& [prefix, file] :
         std::map<std::string, std::string>{{"status", "status.json"},
                                            {"versions", "versions.json"},
                                            {"df", "df-detail.json"},
                                            {"health", "health-detail.json"}}) {
      m_answers[prefix] = text_of(m_folder + "/" + file);
    }
    m_answers["balancer status"] = R"({"active":true,"mode":"upmap","plans":[]})";
  }

  Result<std::string> mon(const std::string& command) override { return answer(command); }
  Result<std::string> mgr(const std::string& command) override { return answer(command); }
  Result<std::string> osd(int, const std::string& command) override { return answer(command); }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [prefix, text] : m_answers) sum += text.size();
    return sum;
  }

 private:
  Result<std::string> answer(const std::string& command) const {
    const auto found = m_answers.find(Json::parse(command)["prefix"].get<std::string>());
    if (found != m_answers.end()) return found->second;
    return radosload::fail({.attempt = "answer", .subject = command});
  }
  Json recorded(const char* file) const { return Json::parse(text_of(m_folder + "/" + file)); }

  void add_tree() {
    const Json from = recorded("osd-tree.json");
    Json root = from["nodes"][0];
    Json host = from["nodes"][1];
    const Json osd_row = from["nodes"][2];
    Json to = from;
    to["nodes"] = Json::array();
    root["children"] = Json::array();
    constexpr std::int32_t first_host = -2;
    const std::int32_t hosts = (m_osds + osds_in_host - 1) / osds_in_host;
    for (std::int32_t i = 0; i < hosts; ++i) root["children"].push_back(first_host - i);
    to["nodes"].push_back(root);
    for (std::int32_t i = 0; i < hosts; ++i) {
      host["id"] = first_host - i;
      host["name"] = fmt::format("node{}", i);
      host["children"] = Json::array();
      for (std::int32_t osd = i * osds_in_host; osd < std::min(m_osds, (i + 1) * osds_in_host);
           ++osd) {
        host["children"].push_back(osd);
      }
      to["nodes"].push_back(host);
    }
    for (std::int32_t osd = 0; osd < m_osds; ++osd) {
      Json row = osd_row;
      row["id"] = osd;
      row["name"] = fmt::format("osd.{}", osd);
      to["nodes"].push_back(std::move(row));
    }
    m_answers["osd tree"] = to.dump();
  }

  void add_rows() {
    m_answers["osd metadata"] =
        rows_like(recorded("osd-metadata-all.json"), m_osds, [](Json& row, std::int32_t osd) {
          row["id"] = osd;
          row["hostname"] = host_of(osd);
        }).dump();
    Json df = recorded("osd-df.json");
    df["nodes"] = rows_like(df["nodes"], m_osds, [](Json& row, std::int32_t osd) {
      row["id"] = osd;
      row["name"] = fmt::format("osd.{}", osd);
    });
    m_answers["osd df"] = df.dump();
    // A capacity for each, as OSDs store it at their first start.
    Json settings = Json::array();
    for (std::int32_t osd = 0; osd < m_osds; ++osd) {
      settings.push_back({{"section", fmt::format("osd.{}", osd)},
                          {"name", "osd_mclock_max_capacity_iops_hdd"},
                          {"value", "315.250000"},
                          {"level", "basic"},
                          {"can_update_at_runtime", true},
                          {"mask", ""}});
    }
    m_answers["config dump"] = settings.dump();
  }

  void add_pools() {
    Json dump = recorded("osd-dump.json");
    const auto number = [](Json& row, std::int32_t osd) { row["osd"] = osd; };
    dump["osds"] = rows_like(dump["osds"], m_osds, number);
    dump["osd_xinfo"] = rows_like(dump["osd_xinfo"], m_osds, number);
    dump["max_osd"] = m_osds;
    for (Json& pool : dump["pools"]) {
      if (pool["pool"] != pool_id) continue;
      m_pool = pool["pool_name"].get<std::string>();
      for (const char* const key : {"pg_num", "pg_placement_num", "pg_num_target"}) {
        pool[key] = pgs_for(m_osds);
      }
    }
    m_answers["osd dump"] = dump.dump();
  }

  // Each PG on any three OSDs.
  void add_pgs() {
    radosload::Random random(1);
    std::string text = R"({"pg_ready":true,"pg_stats":[)";
    for (std::uint32_t pg = 0; pg < pgs_for(m_osds); ++pg) {
      std::vector<std::uint64_t> set;
      set.reserve(copies);
      while (set.size() < copies) {
        const std::uint64_t osd = random.below(static_cast<std::uint64_t>(m_osds));
        if (std::find(set.begin(), set.end(), osd) == set.end()) set.push_back(osd);
      }
      const std::string members = fmt::format("{},{},{}", set[0], set[1], set[2]);
      fmt::format_to(std::back_inserter(text),
                     R"({}{{"pgid":"{}.{:x}","state":"active+clean","up":[{}],"acting":[{}],)"
                     R"("up_primary":{},"acting_primary":{}}})",
                     pg == 0 ? "" : ",", pool_id, pg, members, members, set[0], set[0]);
    }
    m_answers["pg dump"] = text + "]}";
  }

 public:
  const std::string& pool() const { return m_pool; }

 private:
  std::string m_folder;
  std::int32_t m_osds;
  std::string m_pool;
  std::map<std::string, std::string> m_answers;
};

// The most memory since the last call, in MiB.
double peak_mib() {
  constexpr double kib_in_mib = 1024;
  double peak = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) peak = std::stod(line.substr(line.find(':') + 1)) / kib_in_mib;
  }
  std::ofstream("/proc/self/clear_refs") << "5";
  return peak;
}

// Of this process, all on one thread: the time it would take on a machine that does nothing else.
double cpu_seconds() {
  constexpr double ns = 1e-9;
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * ns;
}

class Steps {
 public:
  explicit Steps(std::int32_t osds) : m_osds(osds) { peak_mib(); }

  template <typename Step>
  auto operator()(const char* name, Step&& step) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    auto result = step();
    const double cpu = cpu_seconds() - cpu_start;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fmt::print(
        R"({{"osds":{},"pgs":{},"step":"{}","seconds":{:.4f},"cpu_seconds":{:.4f},"peak_mib":{:.1f}}})"
        "\n",
        m_osds, pgs_for(m_osds), name, took.count(), cpu, peak_mib());
    if (!result) {
      fmt::print(stderr, "scale: {}: {}\n", name, result.error().message());
      std::exit(1);
    }
    return *std::move(result);
  }

 private:
  std::int32_t m_osds;
};

// As a run finds PGs of its objects, once it has seen that librados's hash is the usual one.
std::function<std::uint32_t(std::uint64_t)> pg_finder(std::uint32_t pg_num) {
  constexpr const char* run_id = "20261121-040012-2f6b";
  return [hash = radosload::placement::ObjectHash("radosload", pg_num),
          dataset = std::string(run_id)](std::uint64_t object) mutable {
    std::string buffer(radosload::workload::object_name_size(dataset), '\0');
    return hash(std::string(radosload::workload::object_name(buffer, dataset, object)));
  };
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    fmt::print(stderr, "usage: scale FOLDER OSDS\n");
    return 2;
  }
  const std::int32_t osds = std::stoi(words[2]);
  Answers cluster(words[1], osds);
  Steps step(osds);
  const auto inventory = step("inventory", [&] { return radosload::observe::fetch_osds(cluster); });
  const auto status = step("status", [&] { return radosload::observe::fetch_status(cluster); });
  const auto space = step("space and PGs", [&] {
    return radosload::observe::fetch_space(cluster, status, cluster.pool());
  });
  const auto pgs =
      step("PGs alone", [&] { return radosload::observe::fetch_pgs(cluster, pool_id); });
  const auto selection = radosload::placement::parse_osd_selection("all");
  const auto chosen =
      step("choice", [&] { return radosload::placement::select_osds(*selection, inventory); });
  const auto pinned = step("16 objects for each", [&] {
    return radosload::placement::pin_objects(
        pgs, {.pool = cluster.pool(), .osds = chosen, .each = objects_for_each},
        pg_finder(space.pool.pg_num));
  });
  for (const auto& one : pinned) {
    if (one.objects.size() == objects_for_each) continue;
    fmt::print(stderr, "scale: osd.{} has {} objects\n", one.osd, one.objects.size());
    return 1;
  }
  if (static_cast<std::int32_t>(inventory.osds.size()) != osds || pgs.size() != pgs_for(osds) ||
      !inventory.unseen.empty()) {
    fmt::print(stderr, "scale: not all of the answers were understood\n");
    return 1;
  }
  fmt::print(R"({{"osds":{},"answers_mib":{:.1f}}})"
             "\n",
             osds, static_cast<double>(cluster.bytes()) / (1 << 20));
  return 0;
}
