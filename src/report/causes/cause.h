// What explains the figures of a run: rules over its record. A cause is named only with its
// evidence, with how much of an operation's time it takes, and with the command that would refute
// it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

// Of the mean time of one kind of operation.
struct CauseSize {
  enum class Bound : std::uint8_t { about, at_most };
  double share = 0;     // 0 to 1
  std::string_view of;  // "write", "read"
  Bound bound = Bound::about;
  bool operator==(const CauseSize&) const = default;
};

struct Cause {
  std::string_view name = {};  // for programs: "slow-osd", "slow-flush"
  std::string claim = {};      // a clause: "osd.5 is slower than the others"
  std::optional<CauseSize> size = {};
  std::vector<std::string> evidence = {};  // at least one
  std::string command = {};                // that would refute it
  std::string refuted_if = {};             // what that command would show
  bool operator==(const Cause&) const = default;
};

struct Explanation {
  std::vector<Cause> causes = {};        // the largest first, those without a size last
  std::vector<std::string> unseen = {};  // what could not be examined, and why
  bool operator==(const Explanation&) const = default;
};

Explanation explain(const record::RunRecord& record);

// "about 85 % of a write's time"
std::string size_text(const CauseSize& size);

}  // namespace radosload::report
