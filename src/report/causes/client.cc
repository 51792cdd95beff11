// What the client's own machine, or librados in it, takes of an operation's time.
#include <algorithm>

#include "plan/command.h"
#include "report/causes/evidence.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report::causes {

namespace {

// Threads that get a CPU at once wait for a few percent of the time that they want to run.
constexpr double least_wait = 0.3;
// And for at least this share of the measured time: of little work little is gained.
constexpr double least_time = 0.1;
constexpr double least_throttle = 0.05;

// The part of the time that the client and the network share; of both kinds the larger.
std::optional<CauseSize> way_size(const Evidence& evidence) {
  std::optional<CauseSize> size;
  for (const TimeParts* const parts : {evidence.read(), evidence.write()}) {
    if (parts == nullptr) continue;
    const double share = std::min(1.0, (parts->client + parts->network) / parts->total);
    if (size && size->share >= share) continue;
    size = CauseSize{.share = share, .of = parts->kind, .bound = CauseSize::Bound::at_most};
  }
  return size;
}

std::string other_machine(const Evidence& evidence) {
  return plan::command_of(evidence.record().header.plan);
}

void find_busy_cpus(const Evidence& evidence, const record::ClientLoad& load,
                    std::vector<Cause>& causes) {
  const record::RunRecord& record = evidence.record();
  const double cpu_s = record.client.user_s + record.client.system_s;
  const auto share = record::cpu_share(load, cpu_s, record.measured);
  const auto wait = record::cpu_wait_share(load, cpu_s);
  const bool full = share && *share >= record::client_is_limit;
  const bool waits = wait && *wait >= least_wait &&
                     seconds(*load.cpu_wait) >= least_time * seconds(record.measured);
  if (!full && !waits) return;
  Cause cause{
      .name = "client-cpu", .claim = "the client has too little CPU", .size = way_size(evidence)};
  if (full) {
    cause.evidence.push_back(
        fmt::format("it used {} of {}", percent_text(*share), counted(load.cpus, "CPU")));
  }
  if (waits) {
    cause.evidence.push_back(
        fmt::format("its threads had no CPU for {} of the time that they wanted to run, {} in all",
                    percent_text(*wait), human_text(*load.cpu_wait)));
  }
  cause.command = other_machine(evidence);
  cause.refuted_if = "on a machine that does nothing else, operations are as slow";
  causes.push_back(std::move(cause));
}

void find_full_link(const Evidence& evidence, const record::ClientLoad& load,
                    std::vector<Cause>& causes) {
  const auto share = record::link_share(load, evidence.record().measured);
  if (!share || *share < record::client_is_limit) return;
  causes.push_back({.name = "client-link",
                    .claim = fmt::format("the client's network link {} is full", load.interface),
                    .size = way_size(evidence),
                    .evidence = {fmt::format("{} of {} Mbit/s were used", percent_text(*share),
                                             grouped(load.link_mbit))},
                    .command = other_machine(evidence),
                    .refuted_if = "on a machine with a faster link, throughput is the same"});
}

void find_throttle(const Evidence& evidence, const record::ClientLoad& load,
                   std::vector<Cause>& causes) {
  if (!load.counters) return;
  const record::RunRecord& record = evidence.record();
  const record::Cell all = record::total_of(record.kinds);
  const double mean = all.latency.response().mean();
  if (all.ops() == 0 || mean == 0) return;
  const Time waited = load.counters->ops_wait + load.counters->bytes_wait;
  const double each = static_cast<double>(waited.count()) / static_cast<double>(all.ops());
  if (each < least_throttle * mean) return;
  const std::uint64_t waits = load.counters->ops_waits + load.counters->bytes_waits;
  RunPlan plan = record.header.plan;
  plan.clients = std::max<std::uint32_t>(1, plan.clients) * 2;
  causes.push_back({.name = "client-throttle",
                    .claim = "librados held operations back at its limit of those in flight",
                    .size = CauseSize{.share = std::min(1.0, each / mean), .of = "operation"},
                    .evidence = {fmt::format("{} waited, {} in all", counted(waits, "operation"),
                                             human_text(waited))},
                    .command = plan::command_of(plan),
                    .refuted_if = "with more clients, each with limits of its own, operations are "
                                  "as slow"});
}

}  // namespace

void find_client_limits(const Evidence& evidence, std::vector<Cause>& causes) {
  const auto& load = evidence.record().client_load;
  if (!load) return;
  find_busy_cpus(evidence, *load, causes);
  find_full_link(evidence, *load, causes);
  find_throttle(evidence, *load, causes);
}

}  // namespace radosload::report::causes
