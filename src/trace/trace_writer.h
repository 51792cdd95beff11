// The file of `--trace`: a row for every operation of the measured phase, and for those of the
// warm-up that ended after it, written beside the measurement by a thread of its own. What it says
// of how many rows it has is renewed once a second, data first, so a killed run leaves a file that
// NumPy reads.
//
// Never slows the load down, never leaves out a row in silence: when the disk is full, or so much
// slower than the load that the memory for it is used up, the trace ends there, and whoever asks is
// told how many operations it lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "radosload/result.h"
#include "radosload/units.h"

#include "trace/trace_ring.h"

namespace radosload::trace {

// What became of a trace.
struct TraceEnd {
  std::uint64_t operations = 0;  // that it was given
  std::uint64_t rows = 0;        // of these in the file
  bool whole = false;
};

class TraceWriter {
 public:
  // What may wait for the disk, over all lanes: twenty seconds of 100,000 operations a second.
  static constexpr Bytes default_memory = mib(96);

  // Makes the file, which must not exist yet. It goes away again with the writer if that is never
  // closed and has written no row: then nothing was measured.
  static Result<std::shared_ptr<TraceWriter>> create(const std::filesystem::path& path,
                                                     Bytes memory = default_memory);
  // One that nobody asked to keep: it has no name in that folder as soon as it is there, so nothing
  // is left however the process ends. It can be read by its path() as long as the writer lives.
  static Result<std::shared_ptr<TraceWriter>> create_unnamed(const std::filesystem::path& folder,
                                                             Bytes memory = default_memory);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;
  TraceWriter(TraceWriter&&) = delete;
  TraceWriter& operator=(TraceWriter&&) = delete;

  const std::filesystem::path& path() const;
  // Whether it stays.
  bool named() const;
  // Once, before the first row.
  void begin(std::size_t lanes);
  // Where a lane puts its rows. Lives as long as the writer.
  TraceRing& ring(std::size_t lane);
  // Why the trace ended before the run did, to one caller once. Any thread.
  std::optional<Error> take_error();
  // Writes what is still to be written, and how long the measured phase was. Rows that come later
  // are counted as missing.
  TraceEnd close(std::optional<Time> measured = std::nullopt);

 private:
  class Worker;
  explicit TraceWriter(std::unique_ptr<Worker> worker);
  std::unique_ptr<Worker> m_worker;
};

}  // namespace radosload::trace
