// How the members of a session agree on the leader, the step that all carry out, the start of the
// load, the missing members and the reason of the end. A state machine without I/O and without a
// clock: it returns the next request to the cluster, and gets its answer and the time. Tests run
// thousands of them in virtual time over a simulated cluster.
//
// The shared state is one document in the cluster, the State. Only the leader writes it, each time
// on condition that it has not changed, so if two members both believe that they lead, only one of
// them succeeds. Messages between members (hints) only trigger a read: lost, late and repeated
// hints cost time and nothing else. Each member writes an Entry of its own, which the leader reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "radosload/units.h"

namespace radosload::session {

// In this order. A step ends when every living member of the roster has finished it.
enum class Step : std::uint8_t {
  gather,    // members join
  prepare,   // the first member notes the data set in the cluster; all connect
  prefill,   // each writes its share of the objects
  ready,     // each compares its clock with the leader's
  load,      // warm-up, measured phase, drain
  clean_up,  // the leader removes the objects
  report,    // the leader makes the joint record
  over,
};
std::string_view step_name(Step step);

using MemberId = std::string;

// The reason of the loss of a member that left, which the signal follows.
inline constexpr std::string_view left_reason = "it left";

// A member that the others no longer wait for.
struct Loss {
  MemberId member;
  Step step = Step::gather;  // the step that it did not finish
  std::string reason;        // "no sign of life for 25 s"
  bool operator==(const Loss&) const = default;
};

// What a member did in the last second; for live views.
struct Rates {
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Rates&) const = default;
};

// What the members that are not lost do together, as the leader last knew it.
struct JointRates {
  std::uint64_t members = 0;
  Rates all;
  std::string lowest;  // the one with the fewest operations
  std::uint64_t lowest_ops = 0;
  bool operator==(const JointRates&) const = default;
};

struct State {
  std::uint64_t serial = 0;  // rises with each write
  std::uint64_t term = 0;    // rises with each leader
  MemberId leader;
  Step step = Step::gather;
  std::vector<MemberId> roster;  // set from prepare on; the position is the member's number
  std::vector<Loss> lost;
  bool called_off = false;  // before anything was measured
  std::string ended;        // why it was called off, or the load ended early; empty: neither
  Time start{0};            // of the load, on the leader's clock of that term
  std::uint64_t start_term = 0;
  std::string waits_for;  // for messages: the members that the leader waits for
  JointRates joint;       // renewed with each of the leader's signs of life
  bool operator==(const State&) const = default;

  bool lists(const MemberId& member) const;
  const Loss* loss_of(const MemberId& member) const;
  // Whether all other members of the roster are lost.
  bool is_last(const MemberId& member) const;
};

// The report of one member about itself.
struct Entry {
  MemberId id;
  std::string who;             // for messages: "pid 4711 on host a"
  std::uint64_t beat = 0;      // rises with each write
  Step done = Step::gather;    // the last step that it has finished
  std::uint64_t progress = 0;  // rises while it works on a step
  Rates rates;
  std::uint64_t clock_term = 0;     // the leader's term that its clock is compared with; 0: none
  std::uint64_t chunks = 0;         // pieces of its record in the cluster, with the one to come
  std::optional<Time> start_delay;  // how late it began the load, on its own clock
  Time clock_bound{0};              // the largest error of its offset to the leader's clock
  std::string wants_end;            // why it asks all members to end the load: "SIGINT"
  bool leaves = false;              // once the load runs, it asks for its own end only
  std::string failed;               // why it cannot continue
  bool gone = false;                // its process has certainly ended; never written
  bool operator==(const Entry&) const = default;
};

// Requests, one at a time.
struct ReadState {};  // reads the State
struct Create {       // creates the State, if there is none
  State state;
};
struct Tell {  // writes the member's own Entry
  Entry entry;
};
struct Lead {};     // takes the leader's lock, or renews it
struct Release {};  // gives it back
struct Count {};    // reads all entries
struct Write {      // replaces the State that has this serial
  State state;
  std::uint64_t over = 0;
};
struct CompareClocks {  // with the leader of this term
  std::uint64_t term = 0;
};
struct Remove {};  // removes every object of the session
using Request =
    std::variant<ReadState, Create, Tell, Lead, Release, Count, Write, CompareClocks, Remove>;

struct Answer {
  enum class Kind : std::uint8_t {
    yes,
    no,       // no State; it exists already; another has the lock; the State has changed
    unknown,  // no answer in time: the request may have been carried out or not
  };
  Kind kind = Kind::yes;
  std::optional<State> state = {};  // of ReadState
  std::vector<Entry> entries = {};  // of Count
};

struct Limits {
  std::uint32_t at_least = 1;  // members
  std::uint32_t at_most = 1;
  Time gather = std::chrono::seconds(60);    // how long members are waited for
  Time beat = std::chrono::seconds(2);       // between two signs of life, and two looks
  Time calm_beat = std::chrono::seconds(7);  // the same while the load runs
  Time calm_look = std::chrono::seconds(5);
  Time silent = std::chrono::seconds(25);      // a member is lost after this without a beat
  Time leaderless = std::chrono::seconds(12);  // others try to lead after this without a beat
  Time lock = std::chrono::seconds(10);        // how long the leader's lock lasts without renewal
  Time stuck = std::chrono::minutes(5);        // a member is lost after this without progress
  Time cut_off = std::chrono::seconds(90);     // a member gives up after this without an answer
  Time start_lead = std::chrono::seconds(3);   // between the decision to start and the start
  Time farewell = std::chrono::seconds(8);     // how long the leader waits for the others to leave
};

// How a member's part in the session ended.
enum class Outcome : std::uint8_t {
  none,        // not yet
  finished,    // together with the session
  refused,     // it came too late, or the session was full
  no_session,  // there is no session of that name
  dropped,     // the others declared it lost
  left,        // it left, and another member leads
  cut_off,     // the cluster did not answer
  removed,     // another process removed the session
};

class Protocol {
 public:
  // `creates`: creates the session if there is none.
  Protocol(Entry self, bool creates, const Limits& limits, Time now);

  // The next request to the cluster; empty: none before due(). Each answer must be given before the
  // next request is taken.
  std::optional<Request> next(Time now);
  void answer(const Request& asked, const Answer& answer, Time now);
  Time due(Time now) const;
  // Another member has changed something: read the State, and the entries, at once.
  void hint() { m_look_at = m_count_at = Time::min(); }

  // The member's own work. finish() takes the step that the member carries out now.
  void finish(Step step);
  void advance(std::uint64_t progress) { m_self.progress = progress; }
  void note_rates(const Rates& rates) { m_self.rates = rates; }
  void reserve_chunks(std::uint64_t chunks);
  void started(Time delay, Time clock_bound);
  void fail(std::string reason);
  void ask_for_end(std::string reason);
  // The same before the load. During the load only this member is to end: its run ends, and then
  // it calls leave(). If it is the only one that is left, the load ends for all.
  void ask_to_leave(std::string reason);
  // Its run has ended and its record is handed in. It stays until the State lists it as lost and
  // another member leads; if it is the last member, it ends the session itself.
  void leave(std::string reason);

  // The step to carry out; gather: none yet.
  Step step() const { return m_member ? m_state.step : Step::gather; }
  const State& state() const { return m_state; }
  const Entry& told() const { return m_told; }  // the last Entry that was certainly written
  const MemberId& id() const { return m_self.id; }
  const Entry& self() const { return m_self; }
  // Whether this member leads, as far as it knows.
  bool leads() const { return m_state.leader == m_self.id && m_state.serial > 0; }
  // A few signs of life old. Nothing before the first ones of the load.
  std::optional<JointRates> joint_rates() const;
  std::optional<std::uint32_t> number() const;
  Outcome outcome() const { return m_outcome; }
  const std::string& reason() const { return m_reason; }

 private:
  struct Seen {
    Entry entry;
    Time alive{0};  // when the entry last changed
    Time moved{0};  // when its `done` or `progress` last changed
  };

  bool joined() const { return m_registered; }
  // The cluster that is measured shall notice little of the members' agreement.
  Time tell_every() const { return step() == Step::load ? m_limits.calm_beat : m_limits.beat; }
  Time look_every() const { return step() == Step::load ? m_limits.calm_look : m_limits.beat; }
  // Whether another member must take the lead.
  bool leaderless(Time now) const;
  // Whether this leader has left and waits for the next one.
  bool hands_over(Time now) const;
  std::optional<Request> next_of_newcomer(Time now);
  std::optional<Request> next_of_leader(Time now);
  void take_state(const std::optional<State>& found, Time now);
  void take_entries(const std::vector<Entry>& entries, Time now);
  void end(Outcome outcome, std::string reason);
  // The State that the leader writes next; unchanged when there is nothing to write.
  State decided(Time now) const;
  void decide_gathering(State& state, Time now) const;
  void decide_step(State& state, Time now) const;
  void find_lost(State& state, Time now) const;
  std::string loss_reason(const MemberId& member, const State& state, Time now) const;
  bool all_done(const State& state, Step step) const;
  std::string waiting_for(const State& state) const;
  const Entry* entry_of(const MemberId& member) const;
  JointRates counted_rates() const;

  Limits m_limits;
  bool m_creates;
  Entry m_self;
  Entry m_told;
  bool m_tell = false;  // the Entry must be written at once
  bool m_leaving = false;
  bool m_absent = false;  // there is no State
  bool m_registered = false;
  bool m_member = false;  // in the roster
  Time m_came{0};
  Time m_contact{0};  // when the last answer came
  Time m_look_at = Time::min();
  Time m_tell_at = Time::min();
  Time m_lead_at = Time::min();
  Time m_count_at = Time::min();
  Time m_write_at = Time::min();
  Time m_compare_at = Time::min();
  bool m_locked = false;  // this member had the lock when it last asked
  bool m_looked = false;  // the State was read again since it got the lock
  State m_state;
  Time m_state_changed{0};
  Time m_step_began{0};
  std::map<MemberId, Seen> m_seen;
  bool m_counted = false;  // entries were read since the last decision
  Time m_counted_at{0};
  Outcome m_outcome = Outcome::none;
  std::string m_reason;
};

}  // namespace radosload::session
