#include "watch/slow_op_match.h"

#include <algorithm>
#include <set>

#include "watch/op_stages.h"

namespace radosload::watch {

namespace {

using observe::OpExtent;
using observe::OsdOp;
using record::SlowOp;
using record::Wait;
using record::Waited;

// The tolerance for stamps that are taken slightly earlier or later than the event.
constexpr Time slack = std::chrono::milliseconds(1);

bool same_range(const SlowOp& op, const OpExtent& extent) {
  const bool moves = op.kind == OpKind::read    ? extent.verb.find("read") != std::string::npos
                     : op.kind == OpKind::write ? extent.verb.starts_with("write")
                                                : false;
  return moves && extent.offset == op.offset && extent.length == op.bytes;
}

bool same_work(const SlowOp& op, const OsdOp& seen, const OurObjects& ours) {
  if (seen.object != op.object || seen.nspace != ours.nspace || seen.pool != ours.pool) {
    return false;
  }
  if (op.kind != OpKind::read && op.kind != OpKind::write) return true;
  return std::any_of(seen.extents.begin(), seen.extents.end(),
                     [&op](const OpExtent& extent) { return same_range(op, extent); });
}

// Whether the operation was on the OSD between sending and answer. If the OSD's clock is unknown,
// it counts as possible.
bool same_time(const SlowOp& op, const OsdOp& seen, const std::optional<ClockBounds>& clock) {
  if (!clock) return seen.last() - seen.initiated <= op.service + slack;
  const Time drift = std::chrono::abs(clock->at - op.wall) / drift_divisor;
  const Time allowed = slack + drift;
  const Time answered = op.wall + op.service;
  return seen.initiated - clock->least + allowed >= op.wall &&
         stages_of(seen).answered - clock->most - allowed <= answered;
}

const OsdOp* find_seen(const SlowOp& op, const OpMemory& memory, const OurObjects& ours,
                       const std::set<const OsdOp*>& taken) {
  const auto clock = memory.clock_of(op.osd);
  const OsdOp* best = nullptr;
  Time longest{0};
  std::size_t candidates = 0;
  for (const OsdOp* const seen : memory.ops_on(op.osd)) {
    if (taken.contains(seen) || !same_work(op, *seen, ours) || !same_time(op, *seen, clock)) {
      continue;
    }
    ++candidates;
    const Time took = seen->last() - seen->initiated;
    if (best != nullptr && took <= longest) continue;
    best = seen;
    longest = took;
  }
  return clock || candidates == 1 ? best : nullptr;
}

// When this OSD committed its part of the operation, by the client's clock.
std::optional<Time> part_committed(std::int32_t osd, const OsdOp& op, const OpMemory& memory) {
  const OsdOp* const part = memory.part_on(osd, op);
  const auto clock = memory.clock_of(osd);
  if (part == nullptr || !clock) return std::nullopt;
  auto committed = part->at("commit_sent");
  if (!committed) committed = part->at("sub_op_committed");
  if (!committed) return std::nullopt;
  return *committed - clock->middle();
}

// Silent for at least a third of the time, because the first request may come long after the OSD
// stopped.
bool mostly_silent(std::int32_t osd, Time from, Time until, const OpMemory& memory) {
  return until > from && 3 * memory.silence(osd, from, until) >= until - from;
}

// The OSD that did not answer requests in this time. Others may answer late on a busy machine, so
// it must have been silent for twice as long as any of them.
std::optional<std::int32_t> silent_one(const std::vector<std::int32_t>& osds, Time from, Time until,
                                       const OpMemory& memory) {
  std::optional<std::int32_t> found;
  Time longest{0};
  Time next{0};
  for (const std::int32_t osd : osds) {
    const Time silence = memory.silence(osd, from, until);
    next = std::max(next, std::min(longest, silence));
    if (silence <= longest) continue;
    longest = silence;
    found = osd;
  }
  if (!found || !mostly_silent(*found, from, until, memory) || longest < 2 * next) return {};
  return found;
}

// The OSDs of which one made the operation wait for its replicas. Several when it is unknown which.
// The primary, when it may have stood still itself and seen the answers of its replicas too late.
using Suspects = std::vector<std::int32_t>;

// The replica that committed last, by the OSDs' reports; else the OSD that did not answer requests
// in that time. All possible replicas when neither is known.
Suspects made_it_wait(const OpStages& stages, const OsdOp& op, std::int32_t primary,
                      const OpMemory& memory, Time ahead, Time answered) {
  const Time asked = stages.asked - ahead;
  // Until the operation has ended, its last event shows only when the fast replica had committed.
  const Time committed = op.ended() ? stages.committed - ahead : answered;
  const Time late = committed - (committed - asked) / 4;
  Suspects possible;
  std::optional<std::pair<Time, std::int32_t>> last;
  for (const std::int32_t osd : stages.replicas) {
    const auto when = part_committed(osd, op, memory);
    if (when && *when < late) continue;  // it committed early
    if (when && (!last || *when > last->first)) last = {*when, osd};
    possible.push_back(osd);
  }
  if (last) return {last->second};
  if (possible.empty()) possible = stages.replicas;
  Suspects all = possible;
  all.push_back(primary);
  if (const auto silent = silent_one(all, asked, committed, memory)) return {*silent};
  return possible;
}

Waited waited_of(const SlowOp& op, const OsdOp& seen, const OpMemory& memory) {
  const auto clock = memory.clock_of(op.osd);
  // If the OSD's clock is unknown, all the time that was not on the OSD counts as the way to it.
  const Time ahead = clock ? clock->middle() : seen.initiated - op.wall;
  const OpStages stages = stages_of(seen, op.wall + op.service + ahead);
  const Time received = seen.initiated - ahead;
  const Time answered = stages.answered - ahead;
  const auto positive = [](Time time) { return std::max(time, Time(0)); };
  Waited waited{.where = stages.where,
                .longest = stages.longest,
                .replicas = {},
                .reason = stages.reason,
                .before = positive(received - op.wall),
                .on_osd = positive(answered - received),
                .after = positive(op.wall + op.service - answered),
                .ended = seen.ended()};
  if (waited.ended && waited.after > waited.longest) {
    waited.where = Wait::from_osd;
    waited.longest = waited.after;
  }
  if (waited.before > waited.longest) {
    waited.where = Wait::to_osd;
    waited.longest = waited.before;
  }
  if (waited.where != Wait::blocked) waited.reason.clear();
  // It may have been seen before any OSD had committed, so its events do not tell for which it
  // waited.
  const bool open_commit = !waited.ended && waited.where == Wait::commit;
  if (open_commit && silent_one(stages.replicas, received, op.wall + op.service, memory)) {
    waited.where = Wait::replica;
  }
  if (waited.where != Wait::replica) return waited;
  waited.replicas = made_it_wait(stages, seen, op.osd, memory, ahead, op.wall + op.service);
  if (waited.replicas == Suspects{op.osd}) {
    waited.replicas.clear();
    waited.where = Wait::silent;
  }
  return waited;
}

}  // namespace

std::uint64_t match(std::vector<SlowOp>& slowest, const OpMemory& memory, const OurObjects& ours) {
  std::set<const OsdOp*> taken;
  for (SlowOp& op : slowest) {
    if (op.osd == no_osd || op.object.empty()) continue;
    const OsdOp* const seen = find_seen(op, memory, ours, taken);
    if (seen != nullptr) {
      taken.insert(seen);
      op.waited = waited_of(op, *seen, memory);
    } else if (mostly_silent(op.osd, op.wall, op.wall + op.service, memory)) {
      op.waited = Waited{.where = Wait::silent,
                         .longest = memory.silence(op.osd, op.wall, op.wall + op.service),
                         .ended = false};
    }
  }
  return taken.size();
}

}  // namespace radosload::watch
