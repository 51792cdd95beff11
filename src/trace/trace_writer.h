// Writes the file of `--trace`: a row for every operation of the measured phase, also for those
// that were never answered or never sent, and for those of the warm-up that ended after it. A
// thread of its own writes while the run measures. It updates the number of rows in the header once
// a second, after the data, so a killed run leaves a file that NumPy reads.
//
// It never slows the load down and never leaves out a row silently: when the disk is full, or so
// slow that the buffer is full, the trace ends there, and TraceEnd says how many operations are
// missing.
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

// The result of writing a trace.
struct TraceEnd {
  std::uint64_t operations = 0;  // how many it was given
  std::uint64_t rows = 0;        // how many of these are in the file
  bool whole = false;
};

class TraceWriter {
 public:
  // The buffer for rows over all lanes: twenty seconds of 100,000 operations a second.
  static constexpr Bytes default_memory = mib(96);

  // Creates the file, which must not exist yet. The file is removed with a writer that was never
  // closed and has written no row: then nothing was measured.
  static Result<std::shared_ptr<TraceWriter>> create(const std::filesystem::path& path,
                                                     Bytes memory = default_memory);
  // A trace that is not kept: its name is removed from the folder at once, so the file disappears
  // however the process ends. While the writer lives, the file can be read at its path().
  static Result<std::shared_ptr<TraceWriter>> create_unnamed(const std::filesystem::path& folder,
                                                             Bytes memory = default_memory);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;
  TraceWriter(TraceWriter&&) = delete;
  TraceWriter& operator=(TraceWriter&&) = delete;

  const std::filesystem::path& path() const;
  // Whether the file is kept.
  bool named() const;
  // Call once, before the first row.
  void begin(std::size_t lanes);
  // The ring for the rows of a lane. Lives as long as the writer.
  TraceRing& ring(std::size_t lane);
  // Call when the load is over: from then on rings are emptied continuously, because rows wait for
  // room.
  void hurry();
  // Why the trace ended before the run, returned once. Any thread.
  std::optional<Error> take_error();
  // Writes the remaining rows and the length of the measured phase. Later rows count as missing.
  TraceEnd close(std::optional<Time> measured = std::nullopt);

 private:
  class Worker;
  explicit TraceWriter(std::unique_ptr<Worker> worker);
  std::unique_ptr<Worker> m_worker;
};

}  // namespace radosload::trace
