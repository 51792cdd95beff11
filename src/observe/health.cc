#include "observe/health.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "observe/json.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

const HealthCheck* find(const std::vector<HealthCheck>& checks, std::string_view code) {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const HealthCheck& check) {
    return !check.muted && check.code == code;
  });
  return found == checks.end() ? nullptr : &*found;
}

std::string line_of(const HealthCheck& check) {
  return fmt::format("{}: {}", check.code, check.summary);
}

HealthCheck check_from(const std::string& code, const Json& check) {
  const Json& muted = member(check, "muted");
  const Json& summary = member(check, "summary");
  HealthCheck read{.code = code,
                   .severity = text(check, "severity"),
                   .summary = text(summary, "message"),
                   .muted = muted.is_boolean() && muted.get<bool>(),
                   .count = number(summary, "count")};
  for (const Json& detail : member(check, "detail")) {
    read.details.push_back(text(detail, "message"));
  }
  return read;
}

}  // namespace

Health health_from(const Json& health) {
  Health read{.status = text(health, "status"), .checks = {}};
  const Json& checks = member(health, "checks");
  if (!checks.is_object()) return read;
  for (const auto& [code, check] : checks.items()) read.checks.push_back(check_from(code, check));
  return read;
}

Result<Health> parse_health(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("health detail", json));
  return health_from(parsed);
}

HealthWatch::HealthWatch(std::vector<HealthCheck> at_start, std::string pool)
    : m_at_start(std::move(at_start)), m_last(m_at_start), m_pool(std::move(pool)) {}

std::optional<std::string> HealthWatch::alarm_of(const HealthCheck& check) const {
  const HealthCheck* const before = find(m_at_start, check.code);
  if (check.severity == "HEALTH_ERR" && (before == nullptr || before->severity != "HEALTH_ERR")) {
    return fmt::format("the cluster's health turned to HEALTH_ERR ({})", check.summary);
  }
  if (check.code == "SLOW_OPS" && check.count > (before == nullptr ? 0 : before->count)) {
    return fmt::format("the cluster reports slow operations ({})", check.summary);
  }
  // Writes to a full pool wait without an answer, so nothing else would tell.
  const std::string ours = fmt::format("'{}' is full", m_pool);
  for (const std::string& detail : check.details) {
    if (check.code == "POOL_FULL" && detail.find(ours) != std::string::npos) return detail;
  }
  return std::nullopt;
}

HealthWatch::Finding HealthWatch::update(const Health& now) {
  Finding finding;
  for (const HealthCheck& check : now.checks) {
    if (check.muted) continue;
    const HealthCheck* const before = find(m_last, check.code);
    if (before == nullptr || before->severity != check.severity) {
      finding.changes.push_back(line_of(check));
    }
    if (!finding.alarm) finding.alarm = alarm_of(check);
  }
  for (const HealthCheck& check : m_last) {
    if (check.muted || find(now.checks, check.code) != nullptr) continue;
    finding.changes.push_back(check.code + " is over");
  }
  m_last = now.checks;
  return finding;
}

}  // namespace radosload::observe
