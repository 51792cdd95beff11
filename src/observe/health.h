// A cluster's health, and when it is a reason to stop the load. Pure: from the cluster's answer
// to the messages and the decision to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

namespace radosload::observe {

struct HealthCheck {
  std::string code;      // "OSD_NEARFULL"
  std::string severity;  // "HEALTH_WARN"
  std::string summary;
  bool muted = false;
  std::uint64_t count = 0;                // of what is wrong: slow operations, OSDs, pools
  std::vector<std::string> details = {};  // one for each; `health detail` only
};

struct Health {
  std::string status;  // "HEALTH_OK"
  std::vector<HealthCheck> checks;
};

// `health detail`
Result<Health> parse_health(const std::string& json);

// What has changed since the last look, and whether it is a reason to end a run.
class HealthWatch {
 public:
  struct Finding {
    std::vector<std::string> changes;  // "OSD_DOWN: 1 osds down", "OSD_DOWN is over"
    std::optional<std::string> alarm;  // why the load should stop
  };

  // Problems that exist when the run starts raise no alarm. `pool` is the pool that the run puts
  // load on.
  HealthWatch(std::vector<HealthCheck> at_start, std::string pool);

  Finding update(const Health& now);

 private:
  std::optional<std::string> alarm_of(const HealthCheck& check) const;

  std::vector<HealthCheck> m_at_start;
  std::vector<HealthCheck> m_last;
  std::string m_pool;
};

}  // namespace radosload::observe
