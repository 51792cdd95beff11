// A run in the terms of fio, for its JSON and its logs alike: what counts as read, write, trim and
// sync, and what a job would be called that did the same.
//
//   read    read, omap-get, stat, list
//   write   write, omap-set, create
//   trim    discard, delete
//   sync    the pair of a write and its flush; never the flush alone, which says little: with a
//           volatile cache the flush is what takes time, without one it is the write
//
// fio knows no metadata; a metadata pattern consists of one kind of operation, so whoever reads
// "read" of a run of stat reads figures of stat. Flushes beside writes are in no direction: of them
// fio has nothing but `sync`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/op.h"

#include "record/run_record.h"

namespace radosload::report {

// By the numbers that stand for them in fio's logs.
enum class FioDirection : std::uint8_t { read, write, trim };
inline constexpr std::array<FioDirection, 3> fio_directions = {
    FioDirection::read, FioDirection::write, FioDirection::trim};

std::string_view fio_name(FioDirection direction);
// None for what is `sync` or nothing there.
std::optional<FioDirection> fio_direction(OpKind kind);

// Every kind of operation of that direction in one cell.
record::Cell fio_total(const record::RunRecord& record, FioDirection direction);
// What etcd's users read as fdatasync: how long until a write is durable. From pairs of write and
// flush; where the pattern flushes each write and the target has no flush (objects), every write is
// durable when it is answered, and its own latency is the answer. Empty for all other runs, but for
// those of flushes alone.
record::Cell fio_sync(const record::RunRecord& record);

// "randrw", "write", ...
std::string fio_rw(const RunPlan& plan);
// What would be in a job file, by fio's names of options. The run's depth and objects belong to all
// clients together, so it is one job, however many clients there were.
using FioOptions = std::vector<std::pair<std::string, std::string>>;
FioOptions fio_options(const record::RunRecord& record);

}  // namespace radosload::report
