#include "study/leftovers.h"

#include <algorithm>
#include <cctype>

#include "cluster/bounded_io.h"
#include "cluster/connection.h"
#include "footprint/cleanup.h"
#include "footprint/ledger.h"
#include "footprint/owner.h"
#include "prepare/files.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

constexpr Time stall_limit = std::chrono::seconds(30);

// "2026-11-25T05:00:12Z" as an ID of a run begins: "20261125-050012".
std::string id_of_moment(const std::string& iso) {
  std::string digits;
  for (const char letter : iso) {
    if (std::isdigit(static_cast<unsigned char>(letter)) != 0) digits += letter;
  }
  constexpr std::size_t date = 8;
  constexpr std::size_t date_and_time = 14;
  if (digits.size() < date_and_time) return {};
  return digits.substr(0, date) + "-" + digits.substr(date, date_and_time - date);
}

std::string name_of_owner(const footprint::Owner& owner) {
  return fmt::format("{} {} {} {}", owner.host, owner.boot, owner.pid, owner.started_ticks);
}

std::set<std::string> runs_of_process(const cluster::BoundedIo& io, const std::string& process) {
  std::set<std::string> runs;
  footprint::Ledger ledger(io);
  const auto entries = ledger.list();
  if (!entries) return runs;
  for (const footprint::Entry& entry : *entries) {
    if (!entry.manifest || entry.manifest->keep) continue;
    const footprint::Owner& owner = entry.manifest->owner;
    if (name_of_owner(owner) == process && footprint::certainly_gone(owner)) runs.insert(entry.run);
  }
  return runs;
}

}  // namespace

std::string process_name() {
  return name_of_owner(footprint::this_process());
}

std::vector<std::string> runs_of_killed_cell(const record::Store& store, const std::string& cell,
                                             const std::string& began) {
  std::vector<std::string> found;
  const auto listing = store.list();
  const std::string first = id_of_moment(began);
  if (!listing || first.empty()) return found;
  for (const std::string& id : listing->run_ids) {
    if (id < first) break;  // the newest are first
    const auto run = store.load(id);
    if (!run) continue;
    const Labels& labels = run->header.plan.labels;
    const auto label = labels.find("cell");
    if (label != labels.end() && label->second == cell) found.push_back(id);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::set<std::string> studies_of_runs(const record::Store& store,
                                      const std::vector<std::string>& runs) {
  std::set<std::string> studies;
  for (const std::string& id : runs) {
    const auto run = store.load(id);
    if (!run) continue;
    const Labels& labels = run->header.plan.labels;
    const auto cell = labels.find("cell");  // "STUDY/NUMBER"
    const bool of_study = cell != labels.end() && labels.contains("study");
    if (of_study) studies.insert(cell->second.substr(0, cell->second.find('/')));
  }
  return studies;
}

Status remove_leftovers(const RunPlan& given, const std::string& process,
                        const base::Interrupts& interrupts, record::ProgressListener& listener) {
  const bool placed = !given.pool.empty() || given.files.any();
  if (!needs_cluster(given.target) || !placed || process.empty()) return {};
  RADOSLOAD_ASSIGN(const RunPlan plan, prepare::with_data_pool(given));
  RADOSLOAD_ASSIGN(auto connection, cluster::Connection::open(plan.cluster));
  RADOSLOAD_ASSIGN(auto pool, connection->pool(plan.pool, plan.nspace));
  const cluster::BoundedIo io(connection, std::move(pool), stall_limit);
  auto runs = runs_of_process(io, process);
  if (runs.empty()) return {};
  footprint::CleanupOptions options;
  options.agreed = std::move(runs);
  options.stall_limit = stall_limit;
  options.interrupted = [&interrupts] { return interrupts.count() > 0; };
  RADOSLOAD_ASSIGN(const auto report, footprint::cleanup(io, options));
  listener.note(fmt::format("{} objects of the killed process were removed from pool {}",
                            report.removed(), plan.pool));
  if (report.complete()) return {};
  return fail({.attempt = "remove what the killed process left",
               .subject = "in pool " + plan.pool,
               .reason = "some of it is still there",
               .hint = fmt::format("see 'radosload cleanup --pool {}', then continue with --resume",
                                   plan.pool)});
}

}  // namespace radosload::study
