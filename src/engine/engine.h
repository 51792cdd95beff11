// Turns a plan into operations in flight: warm-up, measured phase, drain. Owns slots, lanes, pacing
// and the counting of every operation. It knows only Target and Loop, so the same code runs against
// Ceph, a simulation in virtual time, and the null target.
//
// Threads: the engine's own steps (phases, deadlines) run on the control loop. A lane runs on its
// own loop and in the target's callbacks; its counts are guarded by the lane's own lock, which no
// other lane takes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "radosload/loop.h"
#include "radosload/pattern.h"
#include "radosload/result.h"
#include "radosload/run_plan.h"
#include "radosload/target.h"
#include "radosload/verification.h"

#include "engine/quota.h"
#include "engine/slowest.h"
#include "record/ended_by.h"
#include "record/interval.h"
#include "record/recorder.h"
#include "workload/generations.h"
#include "workload/layout.h"
#include "workload/payload.h"

namespace radosload::trace {
class TraceWriter;
}

namespace radosload::engine {

class Lane;

struct EnginePlan {
  Pattern pattern;
  workload::Layout layout;
  Arrival arrival;
  Extent extent;
  Time warmup{0};
  Time drain = std::chrono::seconds(30);
  std::uint32_t depth = 1;  // slots over all lanes; of an open loop, how many may be outstanding
  std::uint64_t seed = 0;
  bool prefill = false;  // writes what the layout needs instead of running the pattern
  // Whether each lane adapts its number of operations in flight to the latencies
  // (workload/adaptive_depth.h). Otherwise all slots are in flight.
  bool adaptive = false;
  // A prefill has no time limit, because a read needs everything it writes; but it ends as
  // "stalled" when no operation was answered for this long.
  Time stall = std::chrono::minutes(2);
  // The content of the objects; absent when reads return no data (null, sim).
  std::optional<workload::Payload> payload;
  // Takes a row for every operation of the measured phase; may be empty.
  std::shared_ptr<trace::TraceWriter> trace = nullptr;
  // The lanes are these of a load that several processes share; depth and limits are this
  // process's.
  workload::Part part = {};
  // How many of the slowest operations of the measured phase are kept one by one.
  std::size_t slowest = 0;
};

// Why a run ended, and its totals.
struct EngineEnd {
  record::EndedBy ended_by = record::EndedBy::nothing;
  Time measure_start{0};
  Time measured{0};
  Time last_answer{0};           // from the start of the measured phase, at least its length
  std::uint64_t unfinished = 0;  // never answered, not even after a cancel
  // Open loop: due in the measured phase, within --ops and --bytes, and never sent.
  std::uint64_t unissued = 0;
  // What each OSD served outside the measured phase, as far as OSDs are known.
  std::map<std::int32_t, record::Ended> unmeasured = {};
  // None where no blocks were followed.
  std::optional<Verification> verification = {};
  bool unfollowed = false;  // the plan asks for generations, and its blocks cannot hold them
  // Of the measured phase, the slowest first.
  std::vector<SlowOp> slowest = {};
};

// A read that returned something other than what was written.
struct Finding {
  Op op;
  Time at{0};  // when it was answered
  int rc = 0;
  std::uint64_t offset = 0;  // of the first sector that is wrong
  workload::Generation found = 0;
  workload::Generation other = 0;  // torn: of another sector
  // Misdirected: where the generation that was found should be.
  std::uint64_t meant_object = 0;
  std::uint64_t meant_offset = 0;
  // The generations that would have been right.
  workload::Generation floor = 0;
  workload::Generation ceiling = 0;
};

// What has been in flight for long.
struct Stuck {
  // Enough to locate the problem without listing a queue of thousands.
  static constexpr std::size_t most_listed = 256;
  struct Waiting {
    std::uint64_t object = 0;  // as in its Op
    Time age{0};
  };

  std::uint64_t count = 0;
  Time oldest{0};                // how long the oldest has been
  std::vector<Waiting> waiting;  // at most most_listed of them
};

class Engine {
 public:
  // One lane for each loop; several may use the same loop, also the control loop if the target
  // never completes inline. All loops and the target must outlive the engine; the engine outlives
  // every callback, or is never destroyed (see EngineEnd::unfinished).
  Engine(EnginePlan plan, Target& target, Loop& control, std::vector<Loop*> lane_loops);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  Engine(Engine&&) = delete;
  Engine& operator=(Engine&&) = delete;

  // Called on the control loop: where a warm-up ends, while nothing is measured yet; when a phase
  // begins; and once at the very end.
  std::function<void()> on_warm;
  std::function<void(Phase)> on_phase;
  std::function<void(const EngineEnd&)> on_end;

  // Starts the run, at that time of the loops if it is still to come; everything else happens on
  // the loops.
  Status start(Time at = Time::min());
  // Ends the warm-up before its planned end. Control loop.
  void end_warmup();
  // Ends the measured phase now and drains. Any thread.
  void stop(record::EndedBy why);
  // Also cancels what is in flight. Any thread.
  void abort(record::EndedBy why);

  // Adds the counts of all lanes since the last take, and the number in flight. Control loop.
  void take_interval(record::Interval& into);
  // The operations that have been in flight for longer than this. Control loop.
  Stuck stuck(Time than) const;
  // Reads with wrong content since the last take, the first few of the run. Any thread.
  std::vector<Finding> take_findings();
  Time measure_start() const { return m_end.measure_start; }
  Phase phase() const { return m_phase.load(std::memory_order_acquire); }

 private:
  friend class Lane;

  std::span<Slot> slots_of(std::uint32_t lane, std::uint32_t lanes);
  void lend_buffers();

  // For lanes: the permission to send one more operation; false when --ops or --bytes is used up.
  bool consume_quota(std::uint32_t length);
  // The same without notifying on_phase.
  bool within_quota(std::uint32_t length) {
    return m_quota.consume(length) == record::EndedBy::nothing;
  }
  void lane_drained();
  void note(const Finding& finding);
  std::uint64_t block_of(const Op& op) const noexcept;
  void lane_exhausted();
  // Operations that end before this time count as finished in the measured phase; none do before
  // the phase has begun.
  static constexpr Time not_begun = Time::min();
  Time measure_end() const { return m_measure_end.load(std::memory_order_acquire); }
  // The control loop may notice the end late. Open loop: operations due after this time are not
  // sent.
  bool is_over_at(Time due) const {
    const Time end = measure_end();
    return end != not_begun && due >= end;
  }

  void begin_measure();
  void watch_for_stall();
  void begin_drain(record::EndedBy why, bool until_last_completion);
  void send_last();
  void end_measure(bool until_last_completion);
  void check_drained();
  void cancel();
  void finish();
  std::uint64_t in_flight() const;
  std::vector<SlowOp> slowest() const;
  Time now() const { return m_control.now(); }

  EnginePlan m_plan;
  Target& m_target;
  Loop& m_control;
  std::vector<Slot> m_slots;
  std::vector<std::byte> m_memory;  // the slots' buffers, unless the target has its own
  std::vector<std::unique_ptr<Lane>> m_lanes;
  record::Recorder m_spare;
  std::unique_ptr<workload::Generations> m_generations;  // null: no blocks are followed
  workload::Generation m_unfollowed = 0;                 // what other writes are stamped with
  std::mutex m_findings_mutex;
  std::vector<Finding> m_findings;
  std::size_t m_findings_taken = 0;

  std::atomic<Phase> m_phase{Phase::warmup};
  std::atomic<Time> m_measure_end{not_begun};
  Quota m_quota;
  std::atomic<bool> m_quota_reported{false};
  std::uint32_t m_exhausted_lanes = 0;
  bool m_until_last_completion = false;
  bool m_cancelled = false;
  bool m_aborted = false;
  bool m_drain_told = false;        // on_phase knows
  std::size_t m_lanes_sending = 0;  // after the end of the measured phase
  bool m_finished = false;
  EngineEnd m_end;
};

}  // namespace radosload::engine
