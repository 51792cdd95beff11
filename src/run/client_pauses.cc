#include "run/client_pauses.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace radosload::run {

namespace {

// Shares of what operations waited, from which on the client is noted, and contaminates. A client
// on the machine of the OSDs shares its CPUs with them: 5 to 7 % are usual there.
struct Limits {
  double noted;
  double contaminated;
  // Less time than this is noted only: of a run of a second, any hiccup is a large share.
  Time least;
};
constexpr Limits pause_limits = {
    .noted = 0.01, .contaminated = 0.03, .least = std::chrono::milliseconds(250)};
constexpr Limits cpu_limits = {
    .noted = 0.10, .contaminated = 0.25, .least = std::chrono::seconds(1)};

constexpr double percent = 100;

std::string cause_text(record::PauseCause cause) {
  switch (cause) {
    case record::PauseCause::suspended:
      return "the machine was suspended";
    case record::PauseCause::throttled:
      return "the limit of its cgroup for CPU time was reached";
    case record::PauseCause::stolen:
      return "the hypervisor gave its CPUs to others";
    case record::PauseCause::unknown:
      break;
  }
  return "it was stopped, or had no CPU";
}

std::string pauses_text(const record::Pauses& pauses) {
  const auto longest = std::max_element(
      pauses.longest.begin(), pauses.longest.end(),
      [](const auto& one, const auto& other) { return one.length < other.length; });
  if (longest == pauses.longest.end()) return {};
  const std::string several = fmt::format("{} times, for {} in all, at most {}", pauses.count,
                                          human_text(pauses.sum), human_text(longest->length));
  return fmt::format(
      "this client did not run {} at {:.0f} s ({}): {:.1f} % of what its operations waited",
      pauses.count == 1 ? "for " + human_text(longest->length) : several, seconds(longest->from),
      cause_text(longest->cause), percent * pauses.share);
}

void judge(double share, Time time, const Limits& limits, const std::string& text,
           std::vector<record::Grade>& grades) {
  if (share < limits.noted) return;
  record::Grade grade{.value = record::GradeValue::unwatched, .reasons = {text}};  // the least
  if (share >= limits.contaminated && time >= limits.least)
    grade.value = record::GradeValue::contaminated;
  grades.push_back(std::move(grade));
}

}  // namespace

Waiting waiting_of(const record::RunRecord& record, Time measured, bool open) {
  constexpr double ns_in_s = 1e9;
  const record::Cell all = record::total_of(record.kinds);
  const double mean = all.latency.response().mean() / ns_in_s;
  return {.measured = measured,
          .sum_s = mean * static_cast<double>(all.ops()),
          .mean_s = mean,
          .open = open};
}

double share_in_pauses(const watch::ClientWitness::Seen& seen, const Waiting& waiting) {
  const double measured = seconds(waiting.measured);
  if (measured <= 0) return 0;
  double share = seconds(seen.pauses.sum) / measured;
  if (waiting.open && waiting.mean_s > 0) share += seen.squares / (2 * measured * waiting.mean_s);
  return std::min(1.0, share);
}

void add_witness(const watch::ClientWitness::Seen& seen, const Waiting& waiting,
                 record::ClientLoad& load) {
  load.pauses = seen.pauses;
  load.pauses->share = share_in_pauses(seen, waiting);
  load.throttled = seen.kernel.throttled;
  if (seen.kernel.stolen && seen.kernel.all > Time(0)) {
    load.stolen = seconds(*seen.kernel.stolen) / seconds(*seen.kernel.all);
  }
  if (seen.kernel.pressure && waiting.measured > Time(0)) {
    load.cpu_pressure = std::min(1.0, seconds(*seen.kernel.pressure) / seconds(waiting.measured));
  }
}

void blame_pauses(const record::Pauses& pauses, std::vector<record::SlowOp>& slowest) {
  for (record::SlowOp& op : slowest) {
    // From when it was due: an operation that was sent late waited here before.
    const Time due = op.at + op.service - op.response;
    const Time paused = record::paused_within(pauses, due, due + op.response);
    if (2 * paused < op.response || paused == Time(0)) continue;
    op.waited = record::Waited{.where = record::Wait::client, .longest = paused};
  }
}

std::vector<record::Grade> grades_of(const record::ClientLoad& load, const Waiting& waiting) {
  std::vector<record::Grade> grades;
  if (load.pauses) {
    judge(load.pauses->share, load.pauses->sum, pause_limits, pauses_text(*load.pauses), grades);
  }
  if (load.cpu_wait && waiting.sum_s > 0) {
    // Each wait delays one operation or more.
    const double share = std::min(1.0, seconds(*load.cpu_wait) / waiting.sum_s);
    judge(share, *load.cpu_wait, cpu_limits,
          fmt::format("this client had too little CPU: its threads waited for one for {:.0f} % of "
                      "what its operations waited, or more",
                      percent * share),
          grades);
  }
  return grades;
}

}  // namespace radosload::run
