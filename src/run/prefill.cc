#include "run/prefill.h"

#include <utility>

#include "run/file_findings.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

Error not_written(const std::string& pool, std::string reason, Exit exit) {
  return {.attempt = "write the objects to read",
          .subject = fmt::format("in pool {}", pool),
          .reason = std::move(reason),
          .exit = exit};
}

std::string failed_writes(const PassEnd& prefill, std::uint64_t lost) {
  const record::Cell all = record::total_of(prefill.total.kinds);
  return fmt::format("{} of {} writes failed, for example with {}", lost,
                     prefill.measured.submitted,
                     all.errors.empty() ? "ECANCELED" : rc_name(all.errors[0].rc));
}

}  // namespace

Status objects_written(const PassEnd& prefill, const std::string& pool, Time stall,
                       const base::Interrupts& interrupts) {
  if (interrupts.count() > 0) {
    return fail({.attempt = "finish writing the objects to read",
                 .reason = fmt::format("{}; nothing was measured", interrupts.name()),
                 .exit = Exit::interrupted});
  }
  if (prefill.end.ended_by == record::EndedBy::health) {
    Error refused = not_written(pool, prefill.reason() + "; nothing was measured", Exit::refused);
    refused.hint = "with --push-through the run continues";
    return fail(refused);
  }
  if (prefill.end.ended_by == record::EndedBy::stalled) {
    Error stalled = not_written(
        pool, fmt::format("no write was answered for {}", human_text(stall)), Exit::no_cluster);
    stalled.hint = "find the missing OSDs or placement groups with 'ceph health detail'";
    return fail(stalled);
  }
  const std::uint64_t lost = prefill.measured.failed + prefill.measured.cancelled;
  if (lost == 0) return {};
  return fail(not_written(pool, failed_writes(prefill, lost), Exit::no_cluster));
}

Status file_written(const PassEnd& prefill, const std::string& path, Time stall,
                    const base::Interrupts& interrupts) {
  Error error{.attempt = "write the file to read", .subject = path};
  const std::uint64_t lost = prefill.measured.failed + prefill.measured.cancelled;
  if (interrupts.count() > 0) {
    error.reason = interrupts.name() + "; nothing was measured";
    error.exit = Exit::interrupted;
  } else if (prefill.end.ended_by == record::EndedBy::stalled) {
    error.reason = fmt::format("no write was answered for {}", human_text(stall));
    error.hint = "look for errors of the drive in the kernel's log: dmesg";
  } else if (lost > 0) {
    error.reason = failed_writes(prefill, lost);
    error.hint = "look for errors of the drive in the kernel's log: dmesg";
  } else {
    return {};
  }
  return fail(std::move(error));
}

Status files_written(const PassEnd& prefill, const std::string& system, Time stall,
                     const base::Interrupts& interrupts) {
  Error error{.attempt = "write the files to read",
              .subject = fmt::format("in the file system {}", system),
              .exit = Exit::no_cluster};
  const std::uint64_t lost = prefill.measured.failed + prefill.measured.cancelled;
  if (interrupts.count() > 0) {
    error.reason = interrupts.name() + "; nothing was measured";
    error.exit = Exit::interrupted;
  } else if (prefill.end.ended_by == record::EndedBy::health) {
    error.reason = prefill.reason() + "; nothing was measured";
    error.hint = "with --push-through the run continues";
    error.exit = Exit::refused;
  } else if (prefill.end.ended_by == record::EndedBy::stalled) {
    error.reason = fmt::format("no operation was answered for {}", human_text(stall));
    error.hint = fmt::format("check with 'ceph fs status {}' that an MDS is active", system);
  } else if (lost > 0) {
    const record::Cell all = record::total_of(prefill.total.kinds);
    error.reason = failed_writes(prefill, lost);
    if (!all.errors.empty()) error.hint = file_hint(all.errors[0].rc);
  } else {
    return {};
  }
  return fail(std::move(error));
}

}  // namespace radosload::run
