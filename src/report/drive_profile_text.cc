#include "report/drive_profile_text.h"

#include <optional>

#include "record/drive_profile.h"
#include "report/layout.h"

#include <fmt/format.h>

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

std::string random_text(const DriveProfile& profile) {
  return fmt::format(
      "{} reads/s and {} writes/s (4 KiB, depth 32); {} a read, {} a write (depth 1)",
      rate_or_dash(profile.read_iops), rate_or_dash(profile.write_iops),
      ms_or_dash(profile.read_us), ms_or_dash(profile.write_us));
}

std::string in_order_text(const DriveProfile& profile) {
  return fmt::format("{} MiB/s read, {} MiB/s written (1 MiB)",
                     rate_or_dash(profile.read_mib_per_s), rate_or_dash(profile.write_mib_per_s));
}

std::string mixed_text(const DriveProfile& profile) {
  return fmt::format("99 % of reads beside writes take at most {}",
                     ms_or_dash(profile.mixed_read_p99_us));
}

std::string durable_text(const DriveProfile& profile) {
  return fmt::format("{} a write, p99 {} (4 KiB); {}/s one at a time, {}/s by 16",
                     ms_or_dash(profile.durable_us), ms_or_dash(profile.durable_p99_us),
                     rate_or_dash(profile.durable_iops), rate_or_dash(profile.durable_iops_16));
}

std::string wal_text(const DriveProfile& profile) {
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

// A command on each line, to be copied.
std::string mclock_lines(const DriveProfile& profile) {
  if (!profile.mclock_iops) return {};
  std::string text;
  for (const std::string& option : profile.mclock_options) {
    text += line(text.empty() ? "mclock" : "or",
                 fmt::format("ceph config set osd.N {} {:.0f}", option, *profile.mclock_iops));
  }
  return text + line("", "for an OSD with its data, DB and WAL on this drive");
}

}  // namespace

std::string drive_profile_text(const record::Series& series) {
  const DriveProfile profile = record::drive_profile_of(series);
  return "  What the drive is worth:\n" + line("random", random_text(profile)) +
         line("in order", in_order_text(profile)) + line("mixed", mixed_text(profile)) +
         line("durable", durable_text(profile)) + line("WAL or DB", wal_text(profile)) +
         mclock_lines(profile);
}

}  // namespace radosload::report
