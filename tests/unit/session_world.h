// Sessions in virtual time: members whose processes die, pause and have wrong clocks, over a
// cluster that answers late, or not at all, and whose messages get lost. Everything follows from
// one seed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "session/protocol.h"
#include "session_world_options.h"

namespace radosload::session::testing {

class World {
 public:
  World(std::uint64_t seed, WorldOptions options)
      : m_options(options), m_random(seed, "session world") {
    Limits limits;
    limits.at_least = limits.at_most = options.members;
    for (std::uint32_t i = 0; i < options.members + options.late; ++i) add(i, limits);
    for (const Time when : options.leader_leaves) {
      at(when, [this] { ask_to_leave(leader()); });
    }
    if (options.others_die < Time::max()) {
      at(options.others_die, [this] {
        for (const auto& one : m_members) one->told.dead = one.get() != leader();
      });
    }
  }

  void run() {
    while (!m_queue.empty()) {
      const Event event = m_queue.top();
      m_queue.pop();
      if (event.at > m_options.horizon) break;
      m_now = event.at;
      event.act();
    }
  }

  std::vector<MemberReport> told() const {
    std::vector<MemberReport> all;
    for (const auto& one : m_members) all.push_back(one->told);
    return all;
  }
  const std::optional<State>& stored() const { return m_state; }
  const State& last_state() const { return m_last; }
  std::uint64_t requests() const { return m_requests; }
  Time now() const { return m_now; }
  // Of any two states that followed each other: what must not have happened.
  const std::string& violation() const { return m_violation; }

 private:
  struct Event {
    Time at;
    std::uint64_t order;
    std::function<void()> act;
    bool operator<(const Event& other) const {
      return std::pair(at, order) > std::pair(other.at, other.order);
    }
  };
  struct Member {
    MemberReport told;
    std::unique_ptr<Protocol> protocol;
    Time offset{0};  // its clock's lead on the world's
    std::uint64_t process = 0;
    bool busy = false;
    bool leaving = false;
    Time paused_until{0};
    Step working = Step::gather;
    Time compared{0};
    std::map<std::uint64_t, Time> leader_offsets;  // by term, as estimated
    std::uint64_t turn = 0;
  };

  double chance() { return static_cast<double>(m_random.below(1'000'000)) / 1e6; }
  Time between(std::int64_t from_us, std::int64_t to_us) {
    return std::chrono::microseconds(
        from_us +
        static_cast<std::int64_t>(m_random.below(static_cast<std::uint64_t>(to_us - from_us + 1))));
  }
  void at(Time when, std::function<void()> act) {
    m_queue.push({std::max(when, m_now), m_order++, std::move(act)});
  }
  Time own_clock(const Member& member) const { return m_now + member.offset; }

  void add(std::uint32_t index, const Limits& limits) {
    auto member = std::make_unique<Member>();
    Member& one = *member;
    one.told.id = "m" + std::to_string(100'000 + index);
    one.offset = between(0, 7'200'000'000) - std::chrono::hours(1);
    m_members.push_back(std::move(member));
    const bool late = index >= m_options.members;
    const Time comes = late ? ms(40'000) + between(0, 5'000'000) : between(0, 5'000'000);
    at(comes, [this, &one, limits] {
      one.protocol =
          std::make_unique<Protocol>(entry_of(one.told.id), true, limits, own_clock(one));
      go_on(one);
    });
    if (chance() < m_options.deaths) {
      at(between(0, 60'000'000), [&one] { one.told.dead = true; });
    }
    if (chance() < m_options.pauses) {
      at(between(0, 60'000'000),
         [this, &one] { one.paused_until = m_now + between(1'000'000, 20'000'000); });
    }
    if (chance() < m_options.interrupts) {
      at(between(0, 60'000'000), [this, &one] {
        if (!alive(one)) return;
        one.protocol->ask_for_end("SIGINT");
        go_on(one);
      });
    }
    if (chance() < m_options.leaves)
      at(between(6'000'000, 60'000'000), [this, &one] { ask_to_leave(&one); });
  }

  void ask_to_leave(Member* member) {
    if (member == nullptr || !alive(*member) || member->leaving) return;
    member->leaving = true;
    member->told.asked = m_state ? m_state->step : Step::gather;
    member->protocol->ask_to_leave("SIGINT");
    go_on(*member);
  }

  static bool alive(const Member& member) { return member.protocol && !member.told.dead; }

  // Asks the protocol for its next request, unless one is on its way.
  void go_on(Member& member) {
    if (!alive(member) || member.busy) return;
    if (m_now < member.paused_until) {
      return at(member.paused_until, [this, &member] { go_on(member); });
    }
    work(member);
    const auto request = member.protocol->next(own_clock(member));
    if (member.protocol->outcome() != Outcome::none) {
      member.told.outcome = member.protocol->outcome();
      member.told.reason = member.protocol->reason();
      if (member.told.over == Time(0)) member.told.over = m_now;
      return;
    }
    if (request) {
      member.busy = true;
      send(member, *request);
      return;
    }
    const Time due = member.protocol->due(own_clock(member)) - member.offset;
    const std::uint64_t turn = ++member.turn;
    at(std::max(due, m_now + ms(1)), [this, &member, turn] {
      if (turn == member.turn) go_on(member);
    });
  }

  void send(Member& member, const Request& request) {
    ++m_requests;
    const bool lost = m_now >= m_options.silence || chance() < m_options.lost_answers;
    const bool carried_out = !lost || chance() < 0.5;
    const Time there = between(200, 20'000);
    auto answer = std::make_shared<Answer>();
    if (carried_out) {
      at(m_now + there, [this, &member, request, answer] {
        // A request that is on its way is carried out though its sender has died.
        *answer = execute(member, request);
      });
    }
    const Time back = lost ? ms(5000) : there + between(200, 20'000);
    at(m_now + back, [this, &member, request, answer, lost] {
      if (lost) *answer = {.kind = Answer::Kind::unknown};
      deliver(member, request, *answer);
    });
  }

  void deliver(Member& member, const Request& request, const Answer& answer) {
    if (!alive(member)) return;
    if (m_now < member.paused_until) {
      return at(member.paused_until,
                [this, &member, request, answer] { deliver(member, request, answer); });
    }
    if (std::holds_alternative<CompareClocks>(request) && answer.kind == Answer::Kind::yes) {
      member.leader_offsets[std::get<CompareClocks>(request).term] = member.compared;
    }
    member.protocol->answer(request, answer, own_clock(member));
    member.busy = false;
    go_on(member);
  }

  Answer execute(Member& member, const Request& request) {
    const Answer no{.kind = Answer::Kind::no};
    if (std::holds_alternative<ReadState>(request)) {
      return {.kind = m_state ? Answer::Kind::yes : Answer::Kind::no, .state = m_state};
    }
    if (const auto* const create = std::get_if<Create>(&request)) {
      if (m_state || m_removed) return no;
      m_state = create->state;
      return {};
    }
    if (const auto* const tell = std::get_if<Tell>(&request)) {
      if (m_removed) return no;
      m_entries[member.told.id] = tell->entry;
      if (chance() < 0.5) hint(member_of(m_state ? m_state->leader : ""));
      return {};
    }
    if (std::holds_alternative<Lead>(request)) {
      if (m_holder != member.told.id && m_now < m_held_until) return no;
      m_holder = member.told.id;
      m_held_until = m_now + std::chrono::seconds(10);
      return {};
    }
    if (std::holds_alternative<Release>(request)) {
      if (m_holder == member.told.id) m_held_until = m_now;
      return {};
    }
    if (std::holds_alternative<Count>(request)) {
      Answer answer;
      for (const auto& [id, entry] : m_entries) answer.entries.push_back(entry);
      return answer;
    }
    if (const auto* const write = std::get_if<Write>(&request)) return execute_write(*write);
    if (const auto* const clocks = std::get_if<CompareClocks>(&request)) {
      Member* const leader = member_of(m_state ? m_state->leader : "");
      if (leader == nullptr || !alive(*leader) || m_now < leader->paused_until) return no;
      if (m_state->term != clocks->term) return no;
      // The answer of a round trip that took twice this.
      const Time error = leader == &member ? Time(0) : between(0, 400);
      member.compared = leader->offset - member.offset + error;
      return {};
    }
    if (std::holds_alternative<Remove>(request)) {
      m_state.reset();
      m_removed = true;
      return {};
    }
    return no;
  }

  Answer execute_write(const Write& write) {
    if (!m_state || m_state->serial != write.over) return {.kind = Answer::Kind::no};
    check(*m_state, write.state);
    m_state = m_last = write.state;
    for (const auto& one : m_members) hint(one.get());
    return {};
  }

  // What no write may do.
  void check(const State& before, const State& after) {
    if (after.step < before.step) m_violation = "a step was taken back";
    if (after.term < before.term) m_violation = "a term was taken back";
    if (before.step != Step::gather && after.roster != before.roster)
      m_violation = "roster changed";
    if (before.step >= Step::load && !before.called_off &&
        (after.start != before.start || after.start_term != before.start_term)) {
      m_violation = "a second start";
    }
    if (after.step <= before.step || after.called_off) return;
    if (before.step == Step::gather || before.step >= Step::clean_up) return;
    for (const MemberId& id : after.roster) {
      if (after.loss_of(id) != nullptr) continue;
      if (member_of(id)->protocol->step() != Step::gather && m_done[id] < before.step) {
        m_violation = "a step began before " + id + " had finished the one before";
      }
    }
  }

  Member* leader() { return member_of(m_state ? m_state->leader : ""); }
  Member* member_of(const MemberId& id) {
    if (id.size() < 2) return nullptr;
    const auto index = std::stoul(id.substr(1)) - 100'000;
    return index < m_members.size() ? m_members[index].get() : nullptr;
  }

  // Lost, late and repeated.
  void hint(Member* member) {
    if (member == nullptr) return;
    for (int i = 0; i < (chance() < 0.05 ? 3 : 1); ++i) {
      if (chance() < m_options.lost_hints) continue;
      const Time delay =
          chance() < m_options.late_hints ? between(0, 10'000'000) : between(100, 5'000);
      at(m_now + delay, [this, member] {
        if (!alive(*member) || m_now < member->paused_until) return;
        member->protocol->hint();
        go_on(*member);
      });
    }
  }

  // ---- what the main thread of a member does ----

  void work(Member& member) {
    Protocol& protocol = *member.protocol;
    const Step step = protocol.step();
    if (step == member.working || step == Step::gather) return;
    // Only the leader cleans up and reports.
    if ((step == Step::clean_up || step == Step::report) && !protocol.leads()) return;
    member.working = step;
    if (step == Step::load) return begin_load(member);
    if (step == Step::report) {
      std::uint64_t sum = 0;
      for (const MemberId& id : protocol.state().roster) sum += m_flushed[id];
      member.told.joint = sum;
    }
    if (step <= Step::prefill && chance() < m_options.failures) {
      protocol.fail("its work failed");
      return;
    }
    const Time takes = step == Step::ready ? ms(1) : between(1'000, 4'000'000);
    at(m_now + takes, [this, &member, step] { finish(member, step); });
  }

  void finish(Member& member, Step step) {
    if (!alive(member) || member.protocol->outcome() != Outcome::none) return;
    if (m_now < member.paused_until) {
      return at(member.paused_until, [this, &member, step] { finish(member, step); });
    }
    m_done[member.told.id] = step;
    member.protocol->finish(step);
    go_on(member);
  }

  void begin_load(Member& member) {
    const State& state = member.protocol->state();
    ++member.told.starts;
    const auto offset = member.leader_offsets.find(state.start_term);
    if (offset == member.leader_offsets.end()) {
      m_violation = "a start on a clock that " + member.told.id + " does not know";
      return;
    }
    const Time planned = state.start - offset->second - member.offset;
    member.told.planned = planned;
    member.told.late = planned < m_now;
    at(std::max(planned, m_now), [this, &member] {
      if (!alive(member)) return;
      member.told.started = m_now;
      flush(member, m_now + m_options.load);
    });
  }

  // A second of load.
  void flush(Member& member, Time end) {
    if (!alive(member) || member.protocol->outcome() != Outcome::none) return;
    if (m_now < member.paused_until) {
      return at(member.paused_until, [this, &member, end] { flush(member, end); });
    }
    const std::uint64_t ops = m_random.below(1000);
    member.told.issued += ops;
    member.told.flushed += ops;
    m_flushed[member.told.id] += ops;
    member.protocol->advance(member.told.issued);
    member.protocol->note_rates({.ops = rate_of_each, .bytes = 0});
    if (const auto joint = member.protocol->joint_rates()) {
      member.told.joint_rate = std::max(member.told.joint_rate, joint->all.ops);
    }
    member.told.ended = m_now;
    if (m_now >= end || !member.protocol->state().ended.empty()) {
      return finish(member, Step::load);
    }
    if (member.leaving) return leave(member);
    at(m_now + ms(1000), [this, &member, end] { flush(member, end); });
  }

  // Its run has ended by its signal.
  void leave(Member& member) {
    m_done[member.told.id] = Step::load;
    member.told.led = member.protocol->leads();
    member.protocol->leave(std::string(left_reason) + " (SIGINT)");
    go_on(member);
  }

  WorldOptions m_options;
  Random m_random;
  Time m_now{0};
  std::uint64_t m_order = 0;
  std::priority_queue<Event> m_queue;
  std::vector<std::unique_ptr<Member>> m_members;
  std::optional<State> m_state;
  State m_last;
  bool m_removed = false;
  MemberId m_holder;
  Time m_held_until{0};
  std::map<MemberId, Entry> m_entries;
  std::map<MemberId, std::uint64_t> m_flushed;
  std::map<MemberId, Step> m_done;
  std::uint64_t m_requests = 0;
  std::string m_violation;
};

}  // namespace radosload::session::testing
