#include "prepare/drive.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <utility>

#include "footprint/drive_file.h"
#include "footprint/drive_guard.h"
#include "prepare/engine_plan.h"
#include "target/drive_queue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

Error unusable(const std::string& path, std::string reason, std::string hint,
               Exit exit = Exit::refused, int errnum = 0) {
  return {.attempt = "use the drive",
          .subject = path,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .errnum = errnum,
          .exit = exit};
}

Status check_multiple(const observe::Drive& drive, Bytes value, std::string_view key) {
  const std::uint64_t block = drive.logical_block.count;
  if (value.count % block == 0) return {};
  return fail(unusable(drive.path,
                       fmt::format("it reads and writes blocks of {}, but {} is {}",
                                   option_text(drive.logical_block), key, option_text(value)),
                       fmt::format("give a multiple of {0}: {1}={2}", block, key,
                                   option_text(Bytes{(value.count / block + 1) * block})),
                       Exit::usage));
}

bool is_bluestore(const std::string& content) {
  return content.starts_with("BlueStore");
}

void note_state(DriveDraft& draft) {
  const observe::Drive& drive = draft.drive;
  if (!drive.uses.empty()) {
    draft.taints.push_back(
        fmt::format("other programs use the drive during the run: {}; the figures include their "
                    "load",
                    fmt::join(drive.uses, "; ")));
  }
  const auto label = std::find_if(drive.content.begin(), drive.content.end(), is_bluestore);
  if (drive.uses.empty() && label != drive.content.end()) {
    draft.taints.push_back(
        fmt::format("the drive has the data of an OSD ({}): if that OSD runs, the figures include "
                    "its load",
                    *label));
  }
  if (!draft.no_ring.empty()) {
    draft.notes.push_back(
        fmt::format("this process may not use io_uring ({}): each operation in flight has a thread "
                    "instead, which costs more CPU",
                    draft.no_ring));
  }
  const Pattern& pattern = draft.plan.pattern;
  if (pattern.writes_data() && pattern.block_size.count % drive.physical_block.count != 0) {
    draft.notes.push_back(
        fmt::format("writes of {} are not multiples of the drive's physical block of {}: the drive "
                    "must read before it writes",
                    option_text(pattern.block_size), option_text(drive.physical_block)));
  }
}

// What is there is read as it is: not all of it was written by radosload.
void take_as_it_is(DriveDraft& draft) {
  draft.load.layout.prefill = workload::Prefill::nothing;
  draft.plan.pattern.verify = draft.load.pattern.verify = Verify::off;
  if (draft.plan.pattern.reads_data()) {
    draft.notes.emplace_back(
        "the content of the drive is read as it is: reads are not verified, and parts that were "
        "never written, or were discarded, may be answered without the medium");
  }
}

// All of a file is written before the load, also if the pattern would not need it: the first write
// to a block of a new file costs more than later ones.
void write_all_before(DriveDraft& draft) {
  constexpr Bytes chunk = mib(4);
  draft.load.layout.prefill = workload::Prefill::data;
  draft.load.layout.prefill_chunk = std::min(chunk, draft.load.layout.object_size);
}

Result<observe::Drive> look_at_device(const std::string& path, const struct stat& status,
                                      const observe::SystemFolders& folders) {
  RADOSLOAD_ASSIGN(
      auto drive,
      observe::read_device(
          path, {.major = ::major(status.st_rdev), .minor = ::minor(status.st_rdev)}, folders));
  const base::Descriptor plain(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!plain.valid()) {
    return fail(unusable(path, "", "run it as a user that may read the device (group disk)",
                         Exit::no_cluster, errno));
  }
  RADOSLOAD_ASSIGN(drive.content, observe::read_content(plain.get()));
  return drive;
}

observe::Drive drive_of(const std::string& path, const footprint::DriveFile& file) {
  observe::Drive drive;
  drive.path = path;
  drive.size = file.size;
  drive.logical_block = drive.physical_block = file.block;
  return drive;
}

// A read of what was never written measures the file system's bookkeeping.
std::optional<Error> refusal_of_holes(const DriveDraft& draft, int file) {
  const Bytes hole = footprint::first_hole(file, draft.drive.size);
  if (hole >= draft.load.layout.total()) return std::nullopt;
  return unusable(draft.drive.path,
                  fmt::format("its content from offset {} on was never written, so reads of it "
                              "measure nothing",
                              hole.count),
                  hole.count == 0 ? "write the file first, or make one with --create SIZE"
                                  : fmt::format("read less of it: --size {}", option_text(hole)));
}

Result<DriveDraft> with_load(const RunPlan& plan, observe::Drive drive) {
  DriveDraft draft;
  RADOSLOAD_ASSIGN(draft.plan, fit_to_drive(plan, drive));
  draft.drive = std::move(drive);
  RADOSLOAD_ASSIGN(draft.load, engine_plan_for(draft.plan, workload::PoolTraits{.flush = true}));
  draft.no_ring = target::why_no_ring();
  if (!draft.no_ring.empty() && plan.pattern.queue_depth > target::most_drive_threads) {
    return fail(unusable(plan.drive.path,
                         fmt::format("this process may not use io_uring ({}), and without it the "
                                     "limit is {} operations in flight",
                                     draft.no_ring, target::most_drive_threads),
                         fmt::format("give --qd {} or less", target::most_drive_threads),
                         Exit::usage));
  }
  note_state(draft);
  return draft;
}

Result<DriveDraft> inspect_new_file(const RunPlan& plan, const FilledFile* filled) {
  observe::Drive drive;
  drive.path = plan.drive.path;
  drive.size = plan.images.create;
  const bool there = filled != nullptr && filled->is_made_by(plan);
  if (there) drive.logical_block = drive.physical_block = filled->block;
  RADOSLOAD_ASSIGN(auto draft, with_load(plan, std::move(drive)));
  write_all_before(draft);
  // The content of a block depends on the object that it belongs to.
  if (there && filled->object_size == draft.load.layout.object_size) {
    draft.filled = filled;
    return draft;
  }
  draft.makes_file = true;
  const auto place = footprint::check_place_of_file(plan.drive.path, plan.images.create);
  if (!place) draft.refusal = place.error();
  return draft;
}

Result<DriveDraft> inspect_file(const RunPlan& plan) {
  RADOSLOAD_ASSIGN(auto file, footprint::open_drive_file(plan.drive.path, false));
  RADOSLOAD_ASSIGN(auto draft, with_load(plan, drive_of(plan.drive.path, file)));
  if (plan.pattern.writes_data()) {
    // Opened as the run will open it, and closed again.
    const auto writable = footprint::open_drive_file(plan.drive.path, true);
    if (!writable) draft.refusal = writable.error();
    write_all_before(draft);
    return draft;
  }
  draft.refusal = refusal_of_holes(draft, file.file.get());
  take_as_it_is(draft);
  return draft;
}

Result<DriveDraft> inspect_device(const RunPlan& plan, const struct stat& status,
                                  const observe::SystemFolders& folders) {
  RADOSLOAD_ASSIGN(auto drive, look_at_device(plan.drive.path, status, folders));
  if (drive.size.count == 0) {
    return fail(
        unusable(plan.drive.path, "its size is 0", "check that it has a medium", Exit::no_cluster));
  }
  RADOSLOAD_ASSIGN(auto draft, with_load(plan, std::move(drive)));
  take_as_it_is(draft);
  if (plan.pattern.writes_data()) {
    draft.refusal = footprint::refusal_to_overwrite(draft.drive, plan.drive.serial);
  }
  return draft;
}

Result<base::Descriptor> open_device(const DriveDraft& draft) {
  if (draft.plan.pattern.writes_data()) {
    return footprint::open_to_overwrite(draft.drive, draft.plan.drive.serial);
  }
  base::Descriptor file(
      ::open(draft.drive.path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY));
  if (file.valid()) return file;
  return fail(unusable(draft.drive.path, "", "run it as a user that may read the device",
                       Exit::no_cluster, errno));
}

base::Descriptor another_of(int file) {
  return base::Descriptor(::fcntl(file, F_DUPFD_CLOEXEC, 0));
}

Result<base::Descriptor> open_file(DriveDraft& draft, const std::string& run_id) {
  const RunPlan& plan = draft.plan;
  if (draft.filled != nullptr) {
    auto file = another_of(draft.filled->file.get());
    if (file.valid()) return file;
    return fail(unusable(plan.drive.path, "", "raise the limit of open files (ulimit -n)",
                         Exit::flawed, errno));
  }
  auto opened =
      draft.makes_file
          ? footprint::make_drive_file(plan.drive.path, plan.images.create, run_id, plan.keep)
          : footprint::open_drive_file(plan.drive.path, plan.pattern.writes_data());
  if (!opened) return fail(opened.error());
  // Only the open file tells.
  draft.drive.logical_block = draft.drive.physical_block = opened->block;
  if (auto fit = fit_to_drive(plan, draft.drive); !fit) {
    remove_made_file(draft, opened->file.get());
    return fail(fit.error());
  }
  return std::move(opened->file);
}

}  // namespace

Result<RunPlan> fit_to_drive(const RunPlan& plan, const observe::Drive& drive) {
  RunPlan fitted = plan;
  Pattern& pattern = fitted.pattern;
  pattern.object_size = std::min(pattern.object_size, drive.size);
  if (pattern.block_size > pattern.object_size) {
    return fail(
        unusable(drive.path,
                 fmt::format("operations of {} do not fit its {}", option_text(pattern.block_size),
                             human_text(pattern.object_size)),
                 "give a smaller --bs, or a larger --create", Exit::usage));
  }
  RADOSLOAD_TRY(check_multiple(drive, pattern.block_size, "bs"));
  RADOSLOAD_TRY(check_multiple(drive, pattern.object_size, "object-size"));
  pattern.whole_objects = pattern.whole_objects && pattern.block_size == pattern.object_size;
  const std::uint64_t object = pattern.object_size.count;
  const std::uint64_t hold = drive.size.count / object;
  const std::uint64_t named = (pattern.working_set.count + object - 1) / object;
  if (plan.size_named && named > hold) {
    return fail(unusable(drive.path,
                         fmt::format("its size is {}, but the working set is {}",
                                     human_text(drive.size), human_text(pattern.working_set)),
                         "give a smaller --size, or leave it out to use all of the drive",
                         Exit::usage));
  }
  pattern.working_set = Bytes{(plan.size_named ? named : hold) * object};
  return fitted;
}

Result<DriveDraft> inspect_drive(const RunPlan& plan, const FilledFile* filled,
                                 const observe::SystemFolders& folders) {
  if (plan.images.create.count > 0) return inspect_new_file(plan, filled);
  struct stat status {};
  if (::stat(plan.drive.path.c_str(), &status) != 0) {
    return fail(unusable(plan.drive.path, "",
                         errno == ENOENT ? "check the name ('lsblk' lists the devices), or make a "
                                           "file with --create SIZE"
                                         : "check the rights of its folder",
                         Exit::no_cluster, errno));
  }
  if (S_ISBLK(status.st_mode)) return inspect_device(plan, status, folders);
  if (S_ISREG(status.st_mode)) return inspect_file(plan);
  return fail(unusable(plan.drive.path, "it is neither a block device nor a file",
                       "name a device such as /dev/sdb, or a file", Exit::usage));
}

Result<base::Descriptor> open_drive(DriveDraft& draft, const std::string& run_id) {
  if (draft.refusal) return fail(*draft.refusal);
  return draft.drive.device ? open_device(draft) : open_file(draft, run_id);
}

void remove_made_file(const DriveDraft& draft, int file) {
  if (draft.makes_file) footprint::remove_drive_file(draft.drive.path, file);
}

std::optional<FilledFile> filled_file(const DriveDraft& draft, int file, std::uint64_t stamp) {
  if (!draft.makes_file && draft.filled == nullptr) return std::nullopt;
  auto another = another_of(file);
  if (!another.valid()) return std::nullopt;
  return FilledFile{.path = draft.plan.drive.path,
                    .size = draft.drive.size,
                    .block = draft.drive.logical_block,
                    .object_size = draft.load.layout.object_size,
                    .stamp = stamp,
                    .file = std::move(another)};
}

record::DriveFacts drive_facts(const DriveDraft& draft) {
  const observe::Drive& drive = draft.drive;
  record::DriveFacts facts;
  facts.path = drive.path;
  facts.device = drive.device;
  facts.size = drive.size;
  facts.logical_block = drive.logical_block;
  facts.physical_block = drive.physical_block;
  if (drive.rotational) facts.medium = *drive.rotational ? "rotating" : "solid state";
  facts.model = drive.model;
  facts.serial = drive.serial;
  facts.write_cache = drive.write_cache;
  facts.io = draft.no_ring.empty() ? "io_uring" : "threads";
  facts.no_ring = draft.no_ring;
  facts.uses = drive.uses;
  facts.content = drive.content;
  return facts;
}

}  // namespace radosload::prepare
