#include "plan/validate_files.h"

#include <algorithm>
#include <array>

#include "plan/names.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

Error file_conflict(std::string reason, std::string hint) {
  return Error{.attempt = "plan the run",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage};
}

Status check_without_files(const RunPlan& plan) {
  if (plan.files.any()) {
    return fail(file_conflict(
        fmt::format("--fs measures a file system, but --target {} is given", name_of(plan.target)),
        "leave out --target, or leave out --fs"));
  }
  // The targets without a cluster take any pattern.
  if (plan.pattern.is_of_files() && needs_cluster(plan.target)) {
    return fail(file_conflict(
        fmt::format("the pattern {} works on files, and {} has none", plan.pattern.name,
                    plan.target == TargetKind::rbd ? "an image" : "a pool"),
        "name a file system with --fs, or use the pattern without 'fs-'"));
  }
  return {};
}

// An option of the plan that a file system cannot do.
struct FileObstacle {
  bool given;
  const char* option;
  const char* why;
};

std::array<FileObstacle, 8> obstacles(const RunPlan& plan) {
  const RunPlan untouched;
  return {{{plan.pins != untouched.pins, "--osd", "a file may lie on any OSD of its pool"},
           {plan.session != untouched.session, "--session", "members cannot share files yet"},
           {plan.keep, "--keep", "files cannot be used again yet"},
           {!plan.reuse.empty(), "--reuse", "files cannot be used again yet"},
           {plan.op_timeout != Time(0), "--op-timeout", "libcephfs has no limit for an operation"},
           {plan.pattern.flush_each_write, "flush=yes",
            "without a cache of the client a write is durable when it is answered"},
           {plan.pattern.is_data() && plan.pattern.cache == CacheMode::bypass, "cache=bypass",
            "libcephfs passes on no advice to OSDs"},
           {plan.images.cache, "--rbd-cache", "it is for images"}}};
}

}  // namespace

Status check_files(const RunPlan& plan) {
  if (plan.target != TargetKind::cephfs) return check_without_files(plan);
  if (!plan.files.any()) {
    return fail(file_conflict("--target cephfs needs a file system",
                              "give --fs NAME ('ceph fs ls' lists them)"));
  }
  const auto all = obstacles(plan);
  const auto* const found =
      std::find_if(all.begin(), all.end(), [](const FileObstacle& one) { return one.given; });
  if (found != all.end()) {
    return fail(file_conflict(
        fmt::format("{} does not work on a file system: {}", found->option, found->why),
        fmt::format("leave out {}, or leave out --fs", found->option)));
  }
  if (!plan.pattern.is_data() && !plan.pattern.is_of_files()) {
    const bool omap = plan.pattern.is_omap();
    return fail(
        file_conflict(fmt::format("the pattern {} works on objects of a pool", plan.pattern.name),
                      omap ? "use a pattern of reads and writes, or fs-create, fs-stat, fs-list"
                           : fmt::format("use fs-{}, or leave out --fs", plan.pattern.name)));
  }
  return {};
}

}  // namespace radosload::plan
