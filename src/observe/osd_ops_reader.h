// Asks one OSD again and again for its operations, and reads only what is new: it repeats each
// ended operation for ten minutes, and reading all of them every second took most of what an
// observer costs the client.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "observe/historic_ops.h"

namespace radosload::observe {

// For one thread at a time.
class OsdOpsReader {
 public:
  // An operation in flight counts as slow from this age on.
  static constexpr Time slow = std::chrono::seconds(1);

  // The operations that have ended since the last time. The first of the dump is always among
  // them, because its age tells the OSD's clock.
  Result<OsdOps> fetch_ended(AdminCommands& commands, std::int32_t osd);
  // The same, and the slow ones in flight.
  Result<OsdOps> fetch_all(AdminCommands& commands, std::int32_t osd);

  // For answers that are there already.
  Result<OsdOps> read_ended(const std::string& json);
  static Result<OsdOps> read_in_flight(const std::string& json);

 private:
  std::unordered_set<std::size_t> m_ended;  // those of the last dump, by hash
};

}  // namespace radosload::observe
