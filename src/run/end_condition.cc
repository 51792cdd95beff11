#include "run/end_condition.h"

#include <utility>

namespace radosload::run {

namespace {

constexpr Time failing_at_most = std::chrono::seconds(5);
// Seconds are cut a little late, and the next one is shorter then: half of one is close enough.
constexpr Time cut_tolerance = std::chrono::milliseconds(500);

}  // namespace

std::optional<Ending> OnlyFailures::check(const Second& second) {
  if (second.phase == Phase::drain) return std::nullopt;
  if (second.completed > 0) m_failing = Time(0);
  if (second.completed > 0 || second.failed == 0) return std::nullopt;
  m_failing += second.length;
  if (m_failing < failing_at_most - cut_tolerance) return std::nullopt;
  return Ending{.by = record::EndedBy::errors,
                .reason = "for 5 s operations failed and none succeeded"};
}

std::optional<Ending> ClusterAlarm::check(const Second& second) {
  if (second.alarm.empty()) return std::nullopt;
  return Ending{.by = record::EndedBy::health,
                .reason = second.alarm,
                .ends = !m_push_through,
                .announced = true};
}

std::optional<Ending> Signalled::check(const Second& second) {
  if (second.signal == 0) return std::nullopt;
  return Ending{.by = record::ended_by_signal(second.signal)};
}

// Ctrl-C at another member ends this one as its own would.
std::optional<Ending> CalledOff::check(const Second&) {
  const std::string reason = m_reason();
  if (reason.empty()) return std::nullopt;
  const std::string_view signal = std::string_view(reason).substr(0, reason.find(' '));
  auto by = record::EndedBy::session;
  for (const auto one :
       {record::EndedBy::sigint, record::EndedBy::sigterm, record::EndedBy::sighup}) {
    if (signal == record::ended_by_name(one)) by = one;
  }
  return Ending{.by = by, .reason = reason, .announced = true};
}

EndConditions::EndConditions(List list) {
  for (auto& condition : list) m_list.push_back({.condition = std::move(condition)});
}

std::vector<Ending> EndConditions::check(const Second& second) {
  std::vector<Ending> found;
  for (auto& [condition, met] : m_list) {
    if (met) continue;
    met = condition->check(second);
    if (met) found.push_back(*met);
  }
  return found;
}

std::vector<Ending> EndConditions::met() const {
  std::vector<Ending> all;
  for (const auto& [condition, met] : m_list) {
    if (met) all.push_back(*met);
  }
  return all;
}

EndConditions end_conditions(bool push_through, std::function<std::string()> session) {
  EndConditions::List list;
  list.push_back(std::make_unique<OnlyFailures>());
  list.push_back(std::make_unique<ClusterAlarm>(push_through));
  list.push_back(std::make_unique<Signalled>());
  if (session) list.push_back(std::make_unique<CalledOff>(std::move(session)));
  return EndConditions(std::move(list));
}

}  // namespace radosload::run
