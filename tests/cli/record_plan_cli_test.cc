// Runs of which the plan, not the cluster, is what matters: see record_cli_test.cc.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/proof.h"
#include "support/disk_folder.h"
#include "support/record_keys.h"
#include "support/schema_keys.h"

#include <fmt/format.h>

namespace radosload::test {

// Of the keys that a record has, and of those that it may have by its schema.
std::vector<std::string> RecordCli::unproven() const {
  std::vector<std::string> all;
  for (const std::string& key : m_keys) {
    // What is empty in one run has been proven when a part of it was in another.
    const auto part = m_proven.lower_bound(key + "/");
    const bool in_part = part != m_proven.end() && part->starts_with(key + "/");
    if (!m_proven.contains(key) && !in_part && !of_clusters_only(key)) all.push_back(key);
  }
  for (const std::string& named : SchemaKeys::of_a_run()) {
    const std::string key = key_of(named);
    const bool proven = std::any_of(m_proven.begin(), m_proven.end(), [&key](const auto& one) {
      return SchemaKeys::covers(key, one);
    });
    if (!proven && !of_clusters_only(key)) all.push_back("schema: " + key);
  }
  return all;
}

void RecordCli::pretends() {
  Proof r = run({"--target", "null", "--sim", "latency=const:50ms", "--pattern", "randread4k",
                 "--ops", "5000", "--time", "0", "--warmup", "0"});
  r.is("/totals/read/ops", 5000);
  r.is("/totals/read/finished/ops", 5000);
  EXPECT_GE(r.at("/totals/read/service_us/min"), 50000.0);
  EXPECT_GE(r.at("/measured_s"), 0.05) << "no answer lies further back than its operation took";
}

// The options that say something without a cluster; defaults that are none have their own tests.
void RecordCli::has_options() {
  const std::string sim_text = "latency=const:1ms";
  Proof r = sim(sim_text, {"--pattern",
                           "randrw4k,dist=zipf:0.9",
                           "--read",
                           "70",
                           "--rate",
                           "500,poisson",
                           "--clients",
                           "2",
                           "--bytes",
                           "64M",
                           "--time",
                           "2",
                           "--ops",
                           "100000",
                           "--warmup",
                           "0",
                           "--size",
                           "64M",
                           "--object-size",
                           "1M",
                           "--op-timeout",
                           "3s",
                           "--drain",
                           "7s",
                           "--push-through",
                           "--log-file",
                           (m_state.path() / "run.log").string()});
  r.is("/plan/target", "sim");
  r.is("/plan/sim", sim_text);
  r.is("/plan/pattern", "randrw4k");
  r.is("/plan/access", "rand");
  r.is("/plan/dist", "zipf:0.9");
  r.is("/plan/read", 70.0);
  r.is("/plan/bs", "4k");
  r.is("/plan/rate", "500/s,poisson");
  r.is("/plan/clients", 2);
  r.is("/plan/bytes", "64M");
  r.is("/plan/ops", 100000);
  r.is("/plan/time", "2s");
  r.is("/plan/warmup", "0s");
  r.is("/plan/drain", "7s");
  r.is("/plan/op-timeout", "3s");
  r.is("/plan/size", "64M");
  r.is("/plan/size-named", true);
  r.is("/plan/object-size", "1M");
  r.is("/plan/object-size-named", true);
  r.is("/plan/push-through", true);
  for (const auto& [name, value] : std::map<std::string, json>{{"cache", "warm"},
                                                               {"verify", "generation"},
                                                               {"namespace", "radosload"},
                                                               {"cluster", "ceph"},
                                                               {"pin", "primary"},
                                                               {"create", "0"},
                                                               {"prefill-rate", "0"},
                                                               {"connect-timeout", "15s"}}) {
    r.is("/plan/" + name, value);
  }
  r.is("/environment/sim", sim_text);
  for (const auto& [name, value] : r.at("/environment/client").items()) {
    EXPECT_FALSE(is_default(value)) << name;
    r.is("/environment/client/" + name, value);
  }
}

// A made-up meter: 40 W in the first seconds, which have no load, then 100 W, and in the end none.
void RecordCli::measures_power() {
  const std::string calls = m_state.with("calls", "0");
  const std::string meter =
      m_state.with("meter.sh", "n=$(cat " + calls + ")\necho $((n + 1)) >" + calls +
                                   "\n[ $n -lt 14 ] || exit 7\n"
                                   "[ $n -lt 4 ] && echo 40 || echo 100\n");
  const std::string command = "sh " + meter;
  Proof r = sim("latency=const:10ms,threads=1",
                {"--pattern", "randread4k,qd=4", "--time", "10", "--warmup", "5", "--power-cmd",
                 command, "--power-idle", "2s"});
  r.is("/plan/power", "off");
  r.is("/plan/power-cmd", command);
  r.is("/plan/power-idle", "2s");
  r.is("/energy/sources/0/name", "--power-cmd");
  r.near("/energy/sources/0/idle_w", 40, 1e-6);
  r.near("/energy/sources/0/mean_w", 100, 1e-6);
  r.matches("/energy/sources/0/missing", "of 10.0 s, from [0-9.]+ s on: it ended with status 7");
  r.matches("/warnings/0", "^the power from --power-cmd is not known for .*status 7$");
  r.is("/energy/idle_s", 2.0);
  r.near("/energy/idle_w", 40, 1e-6);
  r.near("/energy/mean_w", 100, 1e-6);
  const double known = r.at("/energy/known_s");
  EXPECT_GE(known, 5);
  EXPECT_LT(known, 10);
  r.positive("/energy/known_s");
  r.near("/energy/joules", 100 * known, 1e-3);
  const double ops = r.at("/energy/ops");
  r.positive("/energy/ops");
  for (const auto& [name, watts] : {std::pair{"", 100.0}, {"net_", 60.0}}) {
    const double joules = watts * known / ops;
    const std::string cost = fmt::format("/energy/{}joules_per_op/", name);
    const std::string gain = fmt::format("/energy/{}ops_per_joule/", name);
    r.near(cost + "value", joules, 1e-6 * joules);
    r.near(gain + "value", 1 / joules, 1e-6 / joules);
    // How wide it is depends on how evenly a busy machine works.
    for (const char* const end : {"low", "high"}) {
      r.near(cost + end, joules, 0.95 * joules);
      r.near(gain + end, 1 / joules, 20 / joules);
    }
  }
}

void RecordCli::measures_a_drive() {
  const DiskFolder folder;
  const std::string path = folder.file("drive");
  Proof r = run({"--drive", path, "--create", "1M", "--pattern", "sync-write4k", "--ops", "100",
                 "--time", "0", "--warmup", "0"});
  r.is("/plan/target", "block");
  r.is("/plan/drive", path);
  r.is("/plan/create", "1M");
  r.is("/plan/dsync", true);
  r.is("/totals/write/ops", 100);
}

void RecordCli::counts_objects() {
  Proof r = sim("latency=const:1ms", {"--pattern", "stat,objects=50", "--time", "1"});
  r.is("/plan/objects", 50);
  r.is("/totals/stat/ops", r.at("/totals/all/ops"));
  Proof files = sim("latency=const:1ms",
                    {"--pattern", "fs-stat,objects=50,entries=20,cache=warm", "--time", "1"});
  files.is("/plan/entries", 20);
  files.is("/totals/stat/ops", files.at("/totals/all/ops"));
}

}  // namespace radosload::test
