#include "record/client_load.h"

#include <algorithm>

namespace radosload::record {

std::optional<double> link_share(const ClientLoad& load, Time measured) {
  constexpr double bytes_per_mbit = 1e6 / 8;
  if (load.link_mbit == 0 || measured <= Time(0)) return std::nullopt;
  const auto busier = static_cast<double>(std::max(load.received, load.sent));
  return busier / (static_cast<double>(load.link_mbit) * bytes_per_mbit * seconds(measured));
}

std::optional<double> cpu_share(const ClientLoad& load, double cpu_s, Time measured) {
  if (load.cpus == 0 || measured <= Time(0)) return std::nullopt;
  return cpu_s / (load.cpus * seconds(measured));
}

std::optional<double> cpu_wait_share(const ClientLoad& load, double cpu_s) {
  if (!load.cpu_wait) return std::nullopt;
  const double wanted = seconds(*load.cpu_wait) + cpu_s;
  return wanted > 0 ? seconds(*load.cpu_wait) / wanted : 0;
}

std::optional<double> throttle_share(const ClientLoad& load, Time measured) {
  if (!load.counters || load.clients == 0 || measured <= Time(0)) return std::nullopt;
  const double waited = seconds(load.counters->ops_wait) + seconds(load.counters->bytes_wait);
  // Several threads of one client may wait at the same time.
  return std::min(1.0, waited / (load.clients * seconds(measured)));
}

}  // namespace radosload::record
