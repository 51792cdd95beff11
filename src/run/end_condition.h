// Why a pass ends before all its work is done. Each reason is an end condition: it is asked once a
// second, and at once when a signal arrives, whether the pass is over and why. A pass owns a list
// of them.
//
// Precedence, all of it: the first condition that is met ends the pass, even if others are met
// later (record::first_end). Of two that are met by the same second, the one earlier in the list
// counts.
//
// --time, --ops and --bytes must end a pass at an exact operation, so the engine keeps these itself
// (engine/quota.h); it reports them by the same record::EndedBy, under the same precedence.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "radosload/target.h"
#include "radosload/units.h"

#include "record/ended_by.h"

namespace radosload::run {

// What the conditions of a pass are asked about.
struct Second {
  Phase phase = Phase::measure;
  Time length{0};  // 0: asked between two seconds, since a signal arrived
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::string alarm = {};  // why the cluster should not be loaded further; empty: no reason
  int signal = 0;          // that asked the process to end; 0: none
};

// A condition that was met.
struct Ending {
  record::EndedBy by = record::EndedBy::nothing;
  std::string reason = {};
  bool ends = true;        // false: the pass continues, because the user wants it to
  bool announced = false;  // told to the user and written to the journal in this second
};

class EndCondition {
 public:
  EndCondition() = default;
  virtual ~EndCondition() = default;
  EndCondition(const EndCondition&) = delete;
  EndCondition& operator=(const EndCondition&) = delete;
  EndCondition(EndCondition&&) = delete;
  EndCondition& operator=(EndCondition&&) = delete;

  // Asked in the order of time, until it is met. Must not wait.
  virtual std::optional<Ending> check(const Second& second) = 0;
};

// For 5 s operations failed and none succeeded: the pool was deleted, or a right is missing.
class OnlyFailures final : public EndCondition {
 public:
  std::optional<Ending> check(const Second& second) override;

 private:
  Time m_failing{0};
};

// The cluster is in trouble. With --push-through the pass continues.
class ClusterAlarm final : public EndCondition {
 public:
  explicit ClusterAlarm(bool push_through) : m_push_through(push_through) {}
  std::optional<Ending> check(const Second& second) override;

 private:
  bool m_push_through;
};

// Ctrl-C, or another signal that asks the process to end.
class Signalled final : public EndCondition {
 public:
  std::optional<Ending> check(const Second& second) override;
};

// The session of the run ends it for all members, or has given this one up.
class CalledOff final : public EndCondition {
 public:
  explicit CalledOff(std::function<std::string()> reason) : m_reason(std::move(reason)) {}
  std::optional<Ending> check(const Second& second) override;

 private:
  std::function<std::string()> m_reason;
};

// The list of a pass.
class EndConditions {
 public:
  using List = std::vector<std::unique_ptr<EndCondition>>;

  explicit EndConditions(List list);

  // Those that are met and were not before, in the order of the list.
  std::vector<Ending> check(const Second& second);
  // All that have been met, in the order of the list.
  std::vector<Ending> met() const;

 private:
  struct Condition {
    std::unique_ptr<EndCondition> condition;
    std::optional<Ending> met = {};
  };
  std::vector<Condition> m_list;
};

// The conditions of every pass, in their order of precedence.
// `session`: why the session has ended it, if there is one.
EndConditions end_conditions(bool push_through = false, std::function<std::string()> session = {});

}  // namespace radosload::run
