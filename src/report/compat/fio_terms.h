// Describes a run in fio's terms, for its JSON and its logs: which operations count as read, write,
// trim and sync, and which options a job with the same load would have.
//
//   read    read, omap-get, stat, list
//   write   write, omap-set, create
//   trim    discard, delete
//   sync    a write and its flush as one; not the flush alone, which is slow only if the device has
//           a volatile write cache: without one the write takes the time
//
// fio has no metadata operations. A metadata pattern has one kind of operation, so in the output of
// a run of stat the "read" figures are those of stat. Flushes that follow writes have no direction
// of their own: fio shows them as `sync` only.
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

// The values are the numbers of the directions in fio's logs.
enum class FioDirection : std::uint8_t { read, write, trim };
inline constexpr std::array<FioDirection, 3> fio_directions = {
    FioDirection::read, FioDirection::write, FioDirection::trim};

std::string_view fio_name(FioDirection direction);
// None for kinds that are `sync` or that fio does not have.
std::optional<FioDirection> fio_direction(OpKind kind);

// Every kind of operation of that direction in one cell.
record::Cell fio_total(const record::RunRecord& record, FioDirection direction);
// The time until a write is durable, which users of etcd know as fdatasync. It is taken from pairs
// of a write and its flush. If the pattern flushes each write and the target has no flush
// (objects), each write is durable when it is answered, so its own latency is used. Runs of flushes
// alone use those. Empty for all other runs.
record::Cell fio_sync(const record::RunRecord& record);

// "randrw", "write", ...
std::string fio_rw(const RunPlan& plan);
// The options of a job file for the same load, by fio's names. Depth and objects are totals of all
// clients, so it is one job for any number of clients.
using FioOptions = std::vector<std::pair<std::string, std::string>>;
FioOptions fio_options(const record::RunRecord& record);

}  // namespace radosload::report
