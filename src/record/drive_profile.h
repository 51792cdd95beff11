// What the steps of the suite drive-profile say of a drive: its worth for the data of an OSD, as
// its WAL or DB, and the capacity that mclock should assume. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/series.h"

namespace radosload::record {

inline constexpr std::string_view drive_profile_suite = "drive-profile";

// Every write of an OSD waits for at least one durable write to its WAL.
enum class WalWorth : std::uint8_t {
  unknown,
  good,    // at most good_wal_us: as a drive whose cache survives a loss of power
  usable,  // at most usable_wal_us
  poor,
};
inline constexpr double good_wal_us = 200;
inline constexpr double usable_wal_us = 2000;

// Means are of response times. A figure is empty while its step is not done.
struct DriveProfile {
  std::optional<double> read_mib_per_s;  // 1 MiB, in order
  std::optional<double> write_mib_per_s;
  std::optional<double> read_us;  // random 4 KiB, one at a time
  std::optional<double> write_us;
  std::optional<double> read_iops;  // random 4 KiB, 32 at a time
  std::optional<double> write_iops;
  std::optional<double> mixed_read_p99_us;  // of reads beside writes
  std::optional<double> durable_us;         // durable 4 KiB writes in order, one at a time
  std::optional<double> durable_p99_us;
  std::optional<double> durable_iops;     // the same
  std::optional<double> durable_iops_16;  // 16 at a time
  WalWorth wal = WalWorth::unknown;
  // What OSDs with all of their data on it can be told, and the options that take it: one if the
  // medium is known.
  std::optional<double> mclock_iops;
  std::vector<std::string> mclock_options;
};

DriveProfile drive_profile_of(const Series& series);
std::string_view worth_name(WalWorth worth);

}  // namespace radosload::record
