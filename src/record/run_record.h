// The result of a run, from which every report is made. It is the fold of a header, intervals,
// events and a footer; live view, recovery after a crash and merging use the same fold. Pure; its
// JSON is record_codec's, its file store's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/run_plan.h"
#include "radosload/units.h"
#include "radosload/verification.h"

#include "record/cell.h"
#include "record/client_load.h"
#include "record/ended_by.h"
#include "record/energy.h"
#include "record/environment.h"
#include "record/interval.h"
#include "record/osd_window.h"
#include "record/routing.h"
#include "record/session_member.h"
#include "record/slow_op.h"
#include "record/timeline_row.h"
#include "record/warmup_end.h"

namespace radosload::record {

// Known before the first operation.
struct RunHeader {
  std::string run_id;
  std::string started;  // wall clock, ISO 8601 in UTC: "2026-11-21T04:00:12Z"
  std::string program;  // "radosload 0.1.0"
  RunPlan plan;         // every option in force; without a pattern where it is unknown
  Environment environment;
  bool operator==(const RunHeader&) const = default;
};

struct Event {
  Time at{0};        // from the start of the measured phase
  std::string kind;  // one word: "health", "stuck", "phase", "mark"
  std::string text;
  bool operator==(const Event&) const = default;
};

// The kind of what the user has noted with `radosload mark`.
inline constexpr std::string_view mark_event = "mark";

enum class RunStatus : std::uint8_t {
  complete,     // as long as asked for, and drained
  interrupted,  // ended early: by the user, or by a persistent failure
  incomplete,   // killed: the journal has no footer
};

enum class GradeValue : std::uint8_t { unwatched, clean, contaminated, void_run };

struct Grade {
  GradeValue value = GradeValue::unwatched;
  std::vector<std::string> reasons;
  bool operator==(const Grade&) const = default;
};

// Of this process over exactly the measured phase.
struct ClientCost {
  double user_s = 0;
  double system_s = 0;
  double peak_rss_mib = 0;
  bool operator==(const ClientCost&) const = default;
};

// Known at the end.
struct RunFooter {
  RunStatus status = RunStatus::complete;
  EndedBy ended_by = EndedBy::nothing;
  Time measured{0};     // length of the measured phase
  Time last_answer{0};  // from its start to the last answer, at least its length
  // The engine's own counts, not sums of intervals, so that a lost interval shows.
  Flow measured_flow;
  Flow unmeasured_flow;
  std::uint64_t unissued = 0;  // open loop: due in the measured phase, never sent
  ClientCost client;
  Grade grade;
  std::vector<std::string> warnings;
  std::optional<Routing> routing = {};            // null: it could not be observed
  std::optional<Verification> verification = {};  // none: no blocks were followed
  std::vector<OsdWindow> counters = {};           // ascending; empty: not asked
  std::vector<SlowOp> slowest = {};               // the slowest first
  std::optional<SlowSearch> slow_search = {};     // none: no OSD was queried for them
  std::optional<ClientLoad> client_load = {};     // none: there was no cluster
  std::optional<Energy> energy = {};              // none: power was not measured
  std::vector<SessionMember> members = {};        // of a joint record; empty: it is of one process
  // All OSDs of the run, when the journal's intervals were reduced. RunLog fills it in.
  std::vector<Cell> osds;
  bool operator==(const RunFooter&) const = default;
};

struct RunRecord {
  RunHeader header;
  RunStatus status = RunStatus::incomplete;
  EndedBy ended_by = EndedBy::nothing;
  Grade grade;
  std::vector<std::string> warnings;
  Time measured{0};
  Time last_answer{0};  // as in RunFooter
  ClientCost client;
  Flow measured_flow;
  Flow unmeasured_flow;
  Flow carried_flow;             // of the warm-up's operations, what ended after it
  std::uint64_t unfinished = 0;  // in flight when the record ended
  std::uint64_t unissued = 0;    // open loop: due in the measured phase, never sent
  Histogram lateness;            // open loop: how long after their times operations were sent
  std::vector<Cell> kinds;       // over all OSDs
  std::vector<Cell> osds;
  bool osds_partial = false;  // killed while only the worst OSDs of each second were known
  std::optional<Routing> routing;
  std::optional<Verification> verification;
  std::vector<OsdWindow> counters;        // what each OSD counted; empty: not asked
  std::vector<SlowOp> slowest;            // the slowest first
  std::optional<SlowSearch> slow_search;  // none: no OSD was queried for them
  std::optional<ClientLoad> client_load;  // none: there was no cluster
  std::optional<Energy> energy;           // none: power was not measured
  std::vector<SessionMember> members;     // of a joint record; empty: it is of one process
  std::optional<Warmup> warmup;           // none: of a fixed length, or none that ended
  std::vector<TimelineRow> timeline;
  std::vector<Event> events;
  bool operator==(const RunRecord&) const = default;
};

// All kinds in one cell; its kind has no meaning. Pairs (OpKind::sync) are not counted again.
Cell total_of(const std::vector<Cell>& cells);
// Operations and bytes per second of the measured phase; 0 for a record of no length.
double iops(const RunRecord& record, const Cell& cell);
double mib_per_s(const RunRecord& record, const Cell& cell);

class AgedTimeline;

// Folds a run step by step; record() may be called at any time, for a live view.
class Folder {
 public:
  explicit Folder(RunHeader header);
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;
  ~Folder();
  // Intervals in the order of their start.
  void add(const Interval& interval);
  void add(Event event);
  // The end of a warm-up whose length was not planned. Events before it were noted as if it were to
  // take as long as it may; they get their real times.
  void add(const Warmup& warmup);
  void add(const RunFooter& footer);
  const RunRecord& record() const { return m_record; }

 private:
  RunRecord m_record;
  std::unique_ptr<AgedTimeline> m_timeline;  // none: the run is too short to need one
};

// Every submitted operation is counted exactly once: submitted = completed + failed + cancelled (+
// unfinished) = histograms = timeline. Returns what does not add up.
std::optional<std::string> conservation_violation(const RunRecord& record);

std::string_view status_name(RunStatus status);
std::string_view grade_name(GradeValue grade);

}  // namespace radosload::record
