// A run in virtual time on a simulated cluster to which things happen at given times: the real
// engine, watch, end conditions, grade and record, over scripted daemons and a scripted target.
//
//   Scenario run("--pattern randread4k,qd=16 --time 60");
//   run.at(seconds(3), osd_stops_answering(2));
//   run.at(seconds(23), osd_is_marked_down(2));
//   run.at(seconds(40), osd_boots(2));
//   const Played played = run.play();
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "engine/sim_loop.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"
#include "run/measure.h"
#include "run/run.h"
#include "support/faulty_target.h"
#include "support/simulated_cluster.h"
#include "watch/run_watch.h"

namespace radosload::test {

// What things happen to.
struct Stricken {
  SimulatedCluster& cluster;
  FaultyTarget& target;
  base::Interrupts& interrupts;
};
using Happening = std::function<void(Stricken&)>;

// Told to the user while it ran.
struct Told final : record::ProgressListener {
  std::vector<std::string> notes;
  std::vector<std::string> stuck;  // of the last second in which something was

  void progress(const record::Progress& now) override {
    if (!now.stuck.empty()) stuck = now.stuck;
  }
  void note(const std::string& text) override { notes.push_back(text); }
};

// How the run ended. Without a record when it ended before its measured pass.
struct Played {
  Exit exit = Exit::measured;
  std::string error;  // why nothing was measured; empty: it was
  record::RunRecord record;
  std::vector<std::string> notes;
  std::vector<std::string> stuck;

  record::GradeValue grade() const { return record.grade.value; }
  const std::vector<std::string>& reasons() const { return record.grade.reasons; }
  // Failures by name, as in {"ENOENT": 3}.
  std::map<std::string, std::uint64_t> errors() const;
  // Of all kinds.
  record::Cell total() const { return record::total_of(record.kinds); }
  std::vector<std::string> events(const std::string& kind) const;
};

class Scenario {
 public:
  struct Options {
    SimulatedCluster::Shape shape = {};
    Time latency = std::chrono::milliseconds(10);
    bool observed = false;       // a second user may read the OSDs' counters
    bool keeps_content = false;  // reads return what was written, and are checked
  };

  // `words`: options of the command line. There is no warm-up unless they have one.
  explicit Scenario(const std::string& words) : Scenario(words, Options()) {}
  Scenario(const std::string& words, Options options);
  ~Scenario();
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;
  Scenario(Scenario&&) = delete;
  Scenario& operator=(Scenario&&) = delete;

  // Time counts from the begin of the pass. What is in place when the run begins: before().
  void before(const Happening& happening);
  void at(Time time, Happening happening) { m_in_load.push_back({time, std::move(happening)}); }
  void in_prefill(Time time, Happening happening) {
    m_in_prefill.push_back({time, std::move(happening)});
  }
  // Once: runs it to its end. Again: another step of a series, on the same cluster and target, and
  // with what at() has been told since.
  Played play();

  SimulatedCluster& cluster() { return m_cluster; }
  FaultyTarget& target() { return *m_target; }

 private:
  struct Timed {
    Time time{0};
    Happening happening;
  };

  Status place(engine::EnginePlan& load, const prepare::ObjectNaming& names,
               std::shared_ptr<ObjectPlacement>& locations) const;
  Result<run::RunResult> run(Told& told);
  Result<run::PassEnd> conduct(run::Pass pass, std::uint32_t lanes, watch::RunWatch& watch,
                               Told& told);
  prepare::ObjectNaming names() const;

  RunPlan m_plan;
  Options m_options;
  SimulatedCluster m_cluster;
  std::unique_ptr<FaultyTarget> m_target;
  std::unique_ptr<base::Interrupts> m_interrupts;
  std::vector<Timed> m_in_prefill;
  std::vector<Timed> m_in_load;
  prepare::ClusterSession m_session;
  // Of every pass: operations that were never answered may still refer to it.
  std::vector<std::unique_ptr<engine::SimLoop>> m_loops;
  int m_abandoned_before = run::abandoned_passes();
};

// What happens. To OSDs:
Happening osd_stops_answering(std::int32_t osd);
Happening osd_answers_again(std::int32_t osd);
// Not even operations that are cancelled come back from it, until it answers again.
Happening osd_falls_silent(std::int32_t osd);
// The osdmap says so, and what waits for it is answered by the other OSDs of its PGs.
Happening osd_is_marked_down(std::int32_t osd);
Happening osd_boots(std::int32_t osd);               // another process
Happening osd_is_marked_up_again(std::int32_t osd);  // the same
Happening osd_restarts(std::int32_t osd);
Happening osd_is_slow(std::int32_t osd, Time by);
Happening osd_compacts(std::int32_t osd);
Happening osd_counters_are_reset(std::int32_t osd);
Happening osd_refuses_commands(std::int32_t osd, int errnum);

// To PGs and pools:
Happening pg_moves(std::uint32_t pg, std::vector<std::int32_t> to);
// By an upmap, while the OSDs of before go on serving it.
Happening pg_is_mapped(std::uint32_t pg, std::vector<std::int32_t> to);
Happening pg_of_another_pool_moves(std::uint32_t pg, std::vector<std::int32_t> to);
Happening pg_is(std::uint32_t pg, const std::string& state);  // "" for "active+clean"
Happening pg_of_another_pool_is(std::uint32_t pg, const std::string& state);
Happening pg_was_scrubbed(std::uint32_t pg, std::optional<double> took);
Happening pg_of_another_pool_was_scrubbed(std::uint32_t pg);
Happening pool_option_is(const std::string& name, const std::string& value);
Happening option_of_another_pool_is(const std::string& name, const std::string& value);
Happening osd_is_weighted(std::int32_t osd, double weight);
Happening setting_is(const std::string& path, const std::string& value);
Happening pool_is_deleted();
Happening pool_splits(std::uint32_t pgs);
Happening pool_reaches_its_quota();

// To the cluster as a whole:
Happening health_turns_to_error(const std::string& code, const std::string& summary);
Happening health_warns(const std::string& code, const std::string& summary,
                       std::uint64_t count = 1);
Happening health_check_is_over(const std::string& code);
Happening mons_elect();
Happening mon_leaves(const std::string& name);
Happening mons_answer_with(int errnum);  // 0: they answer
Happening mgr_answers_with(int errnum);
Happening balancer_moves_pgs();
Happening pool_serves(std::int64_t pool, std::uint64_t operations, std::uint64_t kb_each = 4);

// To the client and its operations:
Happening connection_is_lost();
Happening connection_is_back(AnswerOrder order = AnswerOrder::as_sent);
Happening operations_fail(int rc, const Which& which = {});
Happening operations_succeed(const Which& which = {});
Happening answers_are_lost(const Which& which);
Happening writes_are_lost();
Happening contents_are_remembered();
Happening contents_are_rolled_back();
Happening user_sends(int signal);

}  // namespace radosload::test
