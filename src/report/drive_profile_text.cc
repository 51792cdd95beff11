#include "report/drive_profile_text.h"

#include <optional>
#include <vector>

#include "record/drive_profile.h"
#include "report/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::report {

using record::DriveProfile;
using record::WalWorth;

namespace {

constexpr double us_per_ms = 1e3;

std::string rate_or_dash(const std::optional<double>& rate) {
  return rate ? rate_text(*rate) : "-";
}

std::string ms_or_dash(const std::optional<double>& us) {
  return us ? fmt::format("{:.3g} ms", *us / us_per_ms) : "-";
}

std::string data_text(const DriveProfile& profile) {
  return fmt::format(
      "random 4 KiB: {} reads/s and {} writes/s at depth 32, {} a read and {} a write at depth 1; "
      "in order: {} MiB/s read, {} MiB/s written; 99 % of reads beside writes within {}",
      rate_or_dash(profile.read_iops), rate_or_dash(profile.write_iops),
      ms_or_dash(profile.read_us), ms_or_dash(profile.write_us),
      rate_or_dash(profile.read_mib_per_s), rate_or_dash(profile.write_mib_per_s),
      ms_or_dash(profile.mixed_read_p99_us));
}

std::string wal_meaning(const DriveProfile& profile) {
  switch (profile.wal) {
    case WalWorth::good:
      return "good: as fast as drives whose cache survives a loss of power";
    case WalWorth::usable:
      return fmt::format("usable: each write to an OSD waits {} for it",
                         ms_or_dash(profile.durable_us));
    case WalWorth::poor:
      return fmt::format("poor: each write to an OSD would wait {} for it",
                         ms_or_dash(profile.durable_us));
    case WalWorth::unknown:
      break;
  }
  return "unknown: its step is not done";
}

std::string wal_text(const DriveProfile& profile) {
  return fmt::format("{}; a durable 4 KiB write takes {} alone (p99 {}), {}/s alone, {}/s by 16",
                     wal_meaning(profile), ms_or_dash(profile.durable_us),
                     ms_or_dash(profile.durable_p99_us), rate_or_dash(profile.durable_iops),
                     rate_or_dash(profile.durable_iops_16));
}

std::string mclock_text(const DriveProfile& profile) {
  if (!profile.mclock_iops) return {};
  std::vector<std::string> commands;
  for (const std::string& option : profile.mclock_options) {
    commands.push_back(
        fmt::format("ceph config set osd.N {} {:.0f}", option, *profile.mclock_iops));
  }
  const bool either = commands.size() > 1;
  return fmt::format("for an OSD with its data, DB and WAL on this drive{}: {}",
                     either ? " (rotating or solid state)" : "", fmt::join(commands, ", or "));
}

}  // namespace

std::string drive_profile_text(const record::Series& series) {
  const DriveProfile profile = record::drive_profile_of(series);
  return "  What the drive is worth:\n" + line("data", data_text(profile)) +
         line("WAL or DB", wal_text(profile)) + line("mclock", mclock_text(profile));
}

}  // namespace radosload::report
