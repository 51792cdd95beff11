#include "plan/validate_drive.h"

#include <array>

#include "plan/names.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

Error conflict(std::string reason, std::string hint) {
  return Error{.attempt = "plan the run",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage};
}

// An option of clusters that the plan gives.
struct Foreign {
  bool given;
  const char* option;
};

// The first option of the plan that is about clusters, pools, images or OSDs; empty: none.
std::string foreign_option(const RunPlan& plan) {
  const RunPlan untouched;
  const std::array<Foreign, 14> all = {
      {{!plan.pool.empty(), "--pool"},
       {plan.files.any(), "--fs"},
       {plan.nspace != untouched.nspace || !plan.images.nspace.empty(), "--namespace"},
       {!plan.images.names.empty(), "--image"},
       {!plan.images.data_pool.empty(), "--data-pool"},
       {plan.images.cache, "--rbd-cache"},
       {!plan.images.passphrase_file.empty(), "--luks-passphrase"},
       {plan.pins != untouched.pins, "--osd"},
       {plan.observer != untouched.observer, "--observer-id"},
       {plan.session != untouched.session, "--session"},
       {!plan.reuse.empty(), "--reuse"},
       {!plan.sim.empty(), "--sim"},
       {plan.pattern.cache != CacheMode::warm, "--cache"},
       {plan.op_timeout != Time(0), "--op-timeout"}}};
  for (const Foreign& one : all) {
    if (one.given) return one.option;
  }
  return {};
}

Status check_other_target(const RunPlan& plan) {
  if (plan.drive.any()) {
    return fail(conflict(fmt::format("--drive measures a drive itself, but --target {} is given",
                                     name_of(plan.target)),
                         "leave out --target, or leave out --drive"));
  }
  if (!plan.drive.serial.empty()) {
    return fail(conflict("a serial in --destroy-data is for --drive",
                         "for images write --destroy-data without a value"));
  }
  if (plan.pattern.sync_each_write && needs_cluster(plan.target)) {
    return fail(conflict(
        fmt::format("{} is for drives: on pools and images every acknowledged write is durable",
                    plan.pattern.name == "sync-write4k" ? "the pattern sync-write4k" : "dsync=yes"),
        "use randwrite4k-qd1 or write4k on a pool, or name a drive with --drive"));
  }
  return {};
}

Status check_given_up(const RunPlan& plan) {
  if (plan.images.destroy_data) {
    return fail(conflict("--destroy-data must name the serial of the drive",
                         "give --destroy-data=SERIAL ('lsblk -o NAME,MODEL,SERIAL' lists them)"));
  }
  const bool made = plan.images.create.count > 0;
  if (made && !plan.drive.serial.empty()) {
    return fail(
        conflict("--create and --destroy-data cannot be combined: a new file has no "
                 "data to destroy",
                 "leave out one of them"));
  }
  if (plan.keep && !made) {
    return fail(
        conflict("--keep is for a file that --create makes; radosload never removes "
                 "an existing drive or file",
                 "leave out --keep"));
  }
  return {};
}

}  // namespace

Status check_drive(const RunPlan& plan) {
  if (plan.target != TargetKind::block) return check_other_target(plan);
  if (!plan.drive.any()) {
    return fail(conflict("--target block needs a drive",
                         "give --drive /dev/NAME, or --drive FILE with --create SIZE"));
  }
  if (const std::string option = foreign_option(plan); !option.empty()) {
    return fail(
        conflict(fmt::format("--drive measures a drive without a cluster, but {} is given", option),
                 fmt::format("leave out {}, or leave out --drive", option)));
  }
  if (!plan.pattern.is_data()) {
    return fail(conflict(
        fmt::format("the pattern {} works on objects, and a drive has none", plan.pattern.name),
        "use a pattern of reads and writes, or leave out --drive"));
  }
  return check_given_up(plan);
}

}  // namespace radosload::plan
