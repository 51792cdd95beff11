// One process's part in a session: joins it, drives the Protocol on a thread of its own, tells the
// run when its next step may begin, and hands in the run's record. If it leads, it also removes the
// objects and makes the joint record at the end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "record/journal.h"
#include "record/progress.h"
#include "run/company.h"
#include "session/board.h"
#include "session/protocol.h"

namespace radosload::session {

struct Coming {
  ClusterOptions cluster;
  std::string pool;
  std::string nspace;
  std::string session;
  std::string program;
  Time wait{0};                      // how long to wait for the session to appear
  bool leaves = false;               // Ctrl-C during the load ends it for this member only
  std::optional<RunPlan> plan = {};  // of `run`; without one it takes the session's
};

// How the session ended for this member.
struct WoundUp {
  std::optional<record::RunRecord> joint;  // only the leader has one
  std::string leader;                      // its description, for messages
  std::string ended;                       // why the load ended early; empty: it ended as planned
  bool left = false;                       // this member left during the load
  std::string unheard;  // it left, but why the others may not know it yet; empty: they do
};

class Membership final : public run::Company {
 public:
  // Joins the session, or creates it, and waits until all members are there.
  static Result<std::unique_ptr<Membership>> come(Coming coming, base::Interrupts& interrupts,
                                                  record::ProgressListener& listener);
  ~Membership() override;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  Membership(Membership&&) = delete;
  Membership& operator=(Membership&&) = delete;

  const RunPlan& whole_plan() const { return m_charter.plan; }

  // See Company.
  const std::string& joint_run() const override { return m_charter.run; }
  workload::Part part() const override;
  Status finish(Turn turn) override;
  std::chrono::steady_clock::time_point start() override;
  std::string ended() override;

  // Adds a line of this member's journal. Any thread.
  void add_line(const record::JournalLine& line);

  // Reports progress of the run: the other members wait only while a member makes progress. Any
  // thread.
  void get_on();
  // The same with what the run did in the last second. Returns what all members do, as far as the
  // leader has told.
  std::optional<JointRates> get_on(const record::Progress& progress);

  // Call when the run has ended, successfully or with that error; `cut_short`: before its time.
  // Hands in the rest of its record, waits for the other members, and does the leader's work. A
  // member that leaves waits only until the others know it.
  Result<WoundUp> wind_up(const std::optional<Error>& failed, bool cut_short);

 private:
  Membership(Coming coming, std::shared_ptr<cluster::Connection> connection, cluster::BoundedIo io,
             base::Interrupts& interrupts, record::ProgressListener& listener);
  Status find_session();
  Status make_charter(const std::string& fsid);
  void keep_going(const std::stop_token& end);
  void ask_for_end();  // needs the lock
  bool flush_next(std::unique_lock<std::mutex>& lock, Time now);
  void hint();
  // Waits until `reached` is true, or this member's part is over.
  void wait_for(const std::function<bool()>& reached, const char* what);
  Status still_in() const;  // needs the lock
  Error end_error() const;
  Status hand_in();
  bool is_leaving() const;  // needs the lock
  void lead_to_the_end(WoundUp& result, const char* waits_for);
  void remove_objects();
  Result<record::RunRecord> make_joint();

  Coming m_coming;
  std::shared_ptr<cluster::Connection> m_connection;
  base::Interrupts& m_interrupts;
  record::ProgressListener& m_listener;
  Charter m_charter;

  mutable std::mutex m_mutex;  // guards all below except the board
  std::condition_variable_any m_news;
  std::unique_ptr<Protocol> m_protocol;
  std::vector<record::JournalLine> m_lines;  // not written yet
  std::uint64_t m_chunk = 0;                 // the next one
  Time m_flush_at{0};
  bool m_last_lines = false;
  bool m_flushing = false;         // a piece is being written
  std::optional<Error> m_refused;  // why the cluster did not take the last one that it refused
  std::uint64_t m_progress = 0;
  bool m_hinted = false;
  std::optional<Time> m_start;  // on this clock
  bool m_started = false;

  std::unique_ptr<Board> m_board;
  std::jthread m_thread;  // last: it ends before anything it uses
};

}  // namespace radosload::session
