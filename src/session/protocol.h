// How the members of a session agree: who leads, which step all of them carry out, when the load
// begins, who is missing and why it ended. A state machine without I/O and without a clock: it says
// which request to the cluster comes next, and is given the answer and the time. Tests run
// thousands of them in virtual time over a simulated cluster.
//
// The truth is one document in the cluster, the State. Only the leader writes it, each time on
// condition that it has not changed since, so two members that both believe they lead cannot
// both succeed. Messages between members (hints) only say "look now": lost, late and repeated ones
// cost time and nothing else. Each member writes an Entry of its own, which the leader reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "radosload/units.h"

namespace radosload::session {

// In this order. A step is over when every living member of the roster has finished it.
enum class Step : std::uint8_t {
  gather,    // members come
  prepare,   // the first notes the data set in the cluster; all connect
  prefill,   // each writes its share of the objects
  ready,     // each knows how far its clock is from the leader's
  load,      // warm-up, measured phase, drain
  clean_up,  // the leader removes the objects
  report,    // the leader makes the joint record
  over,
};
std::string_view step_name(Step step);

using MemberId = std::string;

// A member that is not waited for any more.
struct Loss {
  MemberId member;
  Step step = Step::gather;  // that it did not finish
  std::string reason;        // "no sign of life for 25 s"
  bool operator==(const Loss&) const = default;
};

struct State {
  std::uint64_t serial = 0;  // rises with each write
  std::uint64_t term = 0;    // rises with each leader
  MemberId leader;
  Step step = Step::gather;
  std::vector<MemberId> roster;  // from prepare on; the place in it is the member's number
  std::vector<Loss> lost;
  bool called_off = false;  // before anything was measured
  std::string ended;        // why it was called off, or the load ended early; empty: as planned
  Time start{0};            // of the load, on the leader's clock of that term
  std::uint64_t start_term = 0;
  std::string waits_for;  // for people: the members that the leader waits for
  bool operator==(const State&) const = default;

  bool lists(const MemberId& member) const;
  const Loss* loss_of(const MemberId& member) const;
};

// What one member tells of itself.
struct Entry {
  MemberId id;
  std::string who;                  // for people: "pid 4711 on host a"
  std::uint64_t beat = 0;           // rises with each write
  Step done = Step::gather;         // the last step that it has finished
  std::uint64_t progress = 0;       // rises while it works on a step
  std::uint64_t clock_term = 0;     // the leader's term that its clock is compared with; 0: none
  std::uint64_t chunks = 0;         // of its record in the cluster, counting the one to come
  std::optional<Time> start_delay;  // how late it began the load, on its own clock
  Time clock_bound{0};              // of what it knows of the leader's clock: at most so far off
  std::string wants_end;            // why the load is to end for all: "SIGINT"
  std::string failed;               // why it cannot go on
  bool gone = false;                // its process has certainly ended; never written
  bool operator==(const Entry&) const = default;
};

// Requests, one at a time.
struct ReadState {};  // read the State
struct Create {       // the State, if there is none
  State state;
};
struct Tell {  // write the own Entry
  Entry entry;
};
struct Lead {};   // take the leader's lock, or keep it
struct Count {};  // read all entries
struct Write {    // replace the State of that serial
  State state;
  std::uint64_t over = 0;
};
struct CompareClocks {  // with the leader of that term
  std::uint64_t term = 0;
};
struct Remove {};  // every object of the session
using Request = std::variant<ReadState, Create, Tell, Lead, Count, Write, CompareClocks, Remove>;

struct Answer {
  enum class Kind : std::uint8_t {
    yes,
    no,       // there is no State; there is one already; another holds the lock; it was written
    unknown,  // no answer in time: it may have been carried out or not
  };
  Kind kind = Kind::yes;
  std::optional<State> state = {};  // of ReadState
  std::vector<Entry> entries = {};  // of Count
};

struct Limits {
  std::uint32_t at_least = 1;  // members
  std::uint32_t at_most = 1;
  Time gather = std::chrono::seconds(60);     // how long members are waited for
  Time beat = std::chrono::seconds(2);        // between two signs of life, and two looks
  Time silent = std::chrono::seconds(25);     // without one a member is lost
  Time leaderless = std::chrono::seconds(7);  // without one of the leader others want to lead
  Time lock = std::chrono::seconds(10);       // how long the leader's lock lasts without renewal
  Time stuck = std::chrono::minutes(5);       // a member without progress is not waited for
  Time cut_off = std::chrono::seconds(90);  // without an answer from the cluster a member gives up
  Time start_lead = std::chrono::seconds(3);  // between the decision to start and the start
  Time farewell = std::chrono::seconds(8);    // how long the leader waits for others to leave
};

// How a member's part in the session has ended.
enum class Outcome : std::uint8_t {
  none,        // it has not
  finished,    // with the session
  refused,     // it came too late, or there was no place for it
  no_session,  // there is none of that name
  dropped,     // the others gave it up
  cut_off,     // the cluster did not answer
  removed,     // somebody has removed the session
};

class Protocol {
 public:
  // `creates`: makes the session if there is none yet.
  Protocol(Entry self, bool creates, const Limits& limits, Time now);

  // What to ask the cluster now; nothing: not before due(). The answer is given before the next
  // request is asked for.
  std::optional<Request> next(Time now);
  void answer(const Request& asked, const Answer& answer, Time now);
  Time due(Time now) const;
  // Somebody has said that there is something new.
  void hint() { m_look_at = Time::min(); }

  // The member's own work. finish(): of the step that it may carry out.
  void finish(Step step);
  void advance(std::uint64_t progress) { m_self.progress = progress; }
  void reserve_chunks(std::uint64_t chunks);
  void started(Time delay, Time clock_bound);
  void fail(std::string reason);
  void ask_for_end(std::string reason);

  // The step to carry out; gather: none yet.
  Step step() const { return m_member ? m_state.step : Step::gather; }
  const State& state() const { return m_state; }
  const Entry& told() const { return m_told; }  // the last Entry that was certainly written
  const MemberId& id() const { return m_self.id; }
  const Entry& self() const { return m_self; }
  // Whether it is the one that leads, as far as it knows.
  bool leads() const { return m_state.leader == m_self.id && m_state.serial > 0; }
  std::optional<std::uint32_t> number() const;
  Outcome outcome() const { return m_outcome; }
  const std::string& reason() const { return m_reason; }

 private:
  struct Seen {
    Entry entry;
    Time alive{0};  // when the entry last changed
    Time moved{0};  // when what it has done last changed
  };

  bool joined() const { return m_registered; }
  std::optional<Request> next_of_newcomer(Time now);
  std::optional<Request> next_of_leader(Time now);
  void take_state(const std::optional<State>& found, Time now);
  void take_entries(const std::vector<Entry>& entries, Time now);
  void end(Outcome outcome, std::string reason);
  // The State that the leader wants now; the same when nothing is to change.
  State decided(Time now) const;
  void decide_gathering(State& state, Time now) const;
  void decide_step(State& state, Time now) const;
  void find_lost(State& state, Time now) const;
  std::string loss_reason(const MemberId& member, const State& state, Time now) const;
  bool all_done(const State& state, Step step) const;
  std::string waiting_for(const State& state) const;
  const Entry* entry_of(const MemberId& member) const;

  Limits m_limits;
  bool m_creates;
  Entry m_self;
  Entry m_told;
  bool m_tell = false;    // something to tell at once
  bool m_absent = false;  // there is no State
  bool m_registered = false;
  bool m_member = false;  // in the roster
  Time m_came{0};
  Time m_contact{0};  // the last answer
  Time m_look_at = Time::min();
  Time m_tell_at = Time::min();
  Time m_lead_at = Time::min();
  Time m_count_at = Time::min();
  Time m_write_at = Time::min();
  Time m_compare_at = Time::min();
  bool m_locked = false;  // the lock was ours when last asked
  bool m_looked = false;  // since the lock became ours
  State m_state;
  Time m_state_changed{0};
  Time m_step_began{0};
  std::map<MemberId, Seen> m_seen;
  bool m_counted = false;  // since the last decision
  Time m_counted_at{0};
  Outcome m_outcome = Outcome::none;
  std::string m_reason;
};

}  // namespace radosload::session
