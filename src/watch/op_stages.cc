#include "watch/op_stages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace radosload::watch {

namespace {

using observe::OpEvent;
using observe::OsdOp;
using record::Wait;

constexpr std::string_view waits_for_replicas = "waiting for subops from";
constexpr std::string_view replica_committed = "sub_op_commit_rec";
constexpr std::string_view own_commit = "op_commit";
constexpr std::string_view own_shard_began = "sub_op_started";
constexpr std::string_view own_shard_committed = "sub_op_committed";
constexpr std::string_view answer_sent = "commit_sent";

bool blocks(std::string_view event) {
  return event.starts_with("wait") || event.starts_with("delayed") ||
         event.starts_with("op must wait");
}

// The stage that begins with this event.
Wait stage_after(std::string_view event) {
  constexpr std::array<std::string_view, 5> receiving = {"initiated", "header_read", "throttled",
                                                         "all_read", "dispatched"};
  if (std::find(receiving.begin(), receiving.end(), event) != receiving.end()) {
    return Wait::receive;
  }
  if (event == "queued_for_pg") return Wait::queue;
  return blocks(event) ? Wait::blocked : Wait::execution;
}

// Gathers the time of each stage.
class Stages {
 public:
  void add(Wait where, Time time, std::string_view reason = {}) {
    Time& sum = m_times.at(static_cast<std::size_t>(where));
    sum += time;
    if (where != Wait::blocked || time <= m_longest_block) return;
    m_longest_block = time;
    m_reason = reason;
  }
  void put_longest_into(OpStages& stages) const {
    const auto* const longest = std::max_element(m_times.begin(), m_times.end());
    stages.where = static_cast<Wait>(longest - m_times.begin());
    stages.longest = *longest;
    if (stages.where == Wait::blocked) stages.reason = m_reason;
  }

 private:
  std::array<Time, record::wait_count> m_times{};  // by Wait
  Time m_longest_block{0};
  std::string_view m_reason;
};

// The events of a commit, which the primary OSD and the others do at the same time.
struct Commit {
  std::optional<Time> began;
  std::optional<Time> own;        // when the primary OSD had committed
  std::optional<Time> last_part;  // when the last of the others reported its commit
  std::optional<Time> answered;
  bool shards = false;  // erasure-coded
  std::vector<std::int32_t> replicas;
};

Commit commit_in(const std::vector<OpEvent>& events) {
  Commit commit;
  std::optional<Time> started;
  for (const OpEvent& event : events) {
    const std::string_view name = event.name;
    if (name == "started") started = event.at;
    if (name.starts_with(waits_for_replicas)) {
      commit.began = event.at;
      commit.replicas = replicas_in(name);
    }
    if (name == own_shard_began) {
      commit.began = event.at;
      commit.shards = true;
    }
    if (name == own_commit || name == own_shard_committed) commit.own = event.at;
    if (name.starts_with(replica_committed)) commit.last_part = event.at;
    if (name == answer_sent && !commit.answered) commit.answered = event.at;
  }
  // In a pool without replicas the primary OSD waits for no other OSD.
  if (!commit.began && commit.own) commit.began = started;
  return commit;
}

// All parts of a commit begin together, so the slowest is the one that ended last. `now`: the last
// event of an operation that has not ended.
void add_commit(const Commit& commit, Time now, Stages& stages) {
  const Time began = *commit.began;
  const Time own = commit.own.value_or(commit.answered.value_or(now));
  if (commit.shards) {
    stages.add(Wait::commit, own - began);
    stages.add(Wait::shards, commit.answered.value_or(now) - own);
    return;
  }
  const bool ended = commit.answered.has_value();
  const bool waits_for_own = !ended && !commit.own;
  const Time last_part = commit.last_part.value_or(began);
  const bool own_is_last = waits_for_own || own >= last_part;
  const bool waits_for_parts = !ended && commit.own && !commit.replicas.empty();
  if (own_is_last && !waits_for_parts) {
    stages.add(Wait::commit, own - began);
  } else {
    stages.add(Wait::replica, (ended ? last_part : now) - began);
  }
}

}  // namespace

std::vector<std::int32_t> replicas_in(std::string_view event) {
  std::vector<std::int32_t> osds;
  if (!event.starts_with(waits_for_replicas)) return osds;
  event.remove_prefix(waits_for_replicas.size());
  while (!event.empty()) {
    event.remove_prefix(std::min(event.find_first_of("0123456789"), event.size()));
    std::int32_t osd = 0;
    const auto [stop, error] = std::from_chars(event.data(), event.data() + event.size(), osd);
    if (error != std::errc()) break;
    osds.push_back(osd);
    event.remove_prefix(static_cast<std::size_t>(stop - event.data()));
    // The number in parentheses is that of the shard, not of an OSD.
    event.remove_prefix(std::min(event.find(','), event.size()));
  }
  return osds;
}

OpStages stages_of(const OsdOp& op, std::optional<Time> until) {
  OpStages found;
  const Commit commit = commit_in(op.events);
  found.answered = commit.answered.value_or(op.last());
  const Time last = op.ended() ? op.last() : std::max(op.last(), until.value_or(op.last()));
  Stages stages;
  for (std::size_t i = 0; i + 1 < op.events.size(); ++i) {
    const OpEvent& event = op.events[i];
    if (commit.began && event.at >= *commit.began) break;
    stages.add(stage_after(event.name), op.events[i + 1].at - event.at, event.name);
  }
  if (!commit.began && !op.events.empty()) {
    const OpEvent& open = op.events.back();
    stages.add(stage_after(open.name), last - open.at, open.name);
  }
  if (commit.began) {
    add_commit(commit, last, stages);
    found.replicas = commit.replicas;
    found.asked = *commit.began;
    found.committed = commit.last_part.value_or(last);
  }
  stages.put_longest_into(found);
  return found;
}

}  // namespace radosload::watch
