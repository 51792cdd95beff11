// Makes the journal of a long run short again: lines of seconds that are old are merged as the rows
// of the timeline are (aged_timeline.h), with all their counts, maxima and histograms. What is
// folded from it is what would be folded from the whole one.
#pragma once

#include <cstddef>
#include <filesystem>

#include "radosload/result.h"
#include "radosload/units.h"

#include "record/file.h"

namespace radosload::record {

struct AgedJournal {
  File file;  // at its end, with a lock of its own
  std::size_t size = 0;
};

// Where the shorter one is written first. A killed process may leave it.
std::filesystem::path shorter_journal(const std::filesystem::path& path);

// Replaces the file at once, in its place and with a lock that is never missing; when that fails,
// the old one stays. `now` is the end of the last second. Lines that cannot be read stay as they
// are.
Result<AgedJournal> age_journal(const std::filesystem::path& path, Time now);

}  // namespace radosload::record
