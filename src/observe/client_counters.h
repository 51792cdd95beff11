// The counters of one client (`perf dump` on its admin socket, which takes no rights). Pure.
#pragma once

#include <string>

#include "radosload/client_counters.h"
#include "radosload/result.h"

namespace radosload::observe {

// A dump without counters of the client's operations is an error.
Result<ClientCounters> parse_client_counters(const std::string& json);

// By how much they grew; `laggy` is not a sum, and stays that of `after`.
ClientCounters growth(const ClientCounters& before, const ClientCounters& after);
// Those of two clients together.
ClientCounters sum(const ClientCounters& one, const ClientCounters& other);

}  // namespace radosload::observe
