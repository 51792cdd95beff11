#include "footprint/drive_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

constexpr const char* made_by_mark = "user.radosload.made_by";
constexpr const char* other_folder =
    "use a file on a disk, for example below /var/tmp, or the device itself";

Error failed(std::string attempt, const std::string& path, std::string reason, std::string hint,
             int errnum = 0, Exit exit = Exit::refused) {
  return {.attempt = std::move(attempt),
          .subject = path,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .errnum = errnum,
          .exit = exit};
}

bool lies_in_memory(const struct statfs& where) {
  return where.f_type == TMPFS_MAGIC || where.f_type == RAMFS_MAGIC;
}

Error in_memory(const std::string& attempt, const std::string& path) {
  return failed(attempt, path, "it lies in memory (tmpfs), so the figures would not be of a drive",
                other_folder);
}

Error only_cached(const std::string& attempt, const std::string& path, int errnum = 0) {
  return failed(attempt, path,
                "its file system cannot bypass the page cache (O_DIRECT), and radosload does not "
                "measure caches",
                other_folder, errnum);
}

// What offsets and lengths must be multiples of; 0: nothing goes past the page cache.
Bytes direct_block(int file) {
  constexpr Bytes usual{4096};  // enough for every file system, also those that do not report it
#ifdef STATX_DIOALIGN
  struct statx known {};
  if (::statx(file, "", AT_EMPTY_PATH, STATX_DIOALIGN, &known) != 0) return usual;
  if ((known.stx_mask & STATX_DIOALIGN) == 0) return usual;
  return Bytes{known.stx_dio_offset_align};
#else
  static_cast<void>(file);
  return usual;
#endif
}

Status check_direct(const std::string& attempt, const std::string& path, DriveFile& file) {
  struct statfs where {};
  if (::fstatfs(file.file.get(), &where) == 0 && lies_in_memory(where)) {
    return fail(in_memory(attempt, path));
  }
  file.block = direct_block(file.file.get());
  if (file.block.count == 0) return fail(only_cached(attempt, path));
  return {};
}

std::string mark_of(int file) {
  std::array<char, 128> text{};
  const ssize_t size = ::fgetxattr(file, made_by_mark, text.data(), text.size());
  if (size <= 0) return {};
  return printable({text.data(), static_cast<std::size_t>(size)});
}

std::filesystem::path folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

Error exists(const std::string& path) {
  return failed("make the file", path, "it exists, and --create never replaces a file",
                "leave out --create to measure it as it is, or name another file", EEXIST);
}

// All its space is taken at once, so that a full disk is noticed before the load.
Status allocate(int file, const std::string& path, Bytes size) {
  const auto length = static_cast<off_t>(size.count);
  int rc = 0;
  do {
    rc = ::fallocate(file, 0, 0, length);
  } while (rc != 0 && errno == EINTR);
  if (rc != 0 && errno == EOPNOTSUPP) rc = ::ftruncate(file, length);
  if (rc == 0) return {};
  return fail(failed("make the file", path, fmt::format("its size would be {}", human_text(size)),
                     "give a smaller --create, or name a file on another disk", errno));
}

Status prepare_made(DriveFile& made, const std::string& path, const std::string& run, bool keep) {
  const int file = made.file.get();
  RADOSLOAD_TRY(check_direct("make the file", path, made));
  if (::fcntl(file, F_SETFL, O_DIRECT) != 0) return fail(only_cached("make the file", path, errno));
  RADOSLOAD_TRY(allocate(file, path, made.size));
  // Where the mark cannot be kept, later runs may only read the file.
  if (keep) static_cast<void>(::fsetxattr(file, made_by_mark, run.data(), run.size(), 0));
  made.made_by = run;
  static_cast<void>(::flock(file, LOCK_EX | LOCK_NB));
  return {};
}

}  // namespace

Result<DriveFile> open_drive_file(const std::string& path, bool write) {
  const std::string attempt = write ? "write to" : "read";
  DriveFile opened;
  opened.file = base::Descriptor(
      ::open(path.c_str(), (write ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC | O_NOCTTY));
  if (!opened.file.valid()) {
    if (errno == EINVAL) return fail(only_cached(attempt, path, errno));
    return fail(failed(attempt, path, "",
                       write ? "measure it with a pattern that only reads, such as randread4k"
                             : "check the name and the rights of the file",
                       errno));
  }
  const int file = opened.file.get();
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail(failed(attempt, path, "it is neither a block device nor a file",
                       "name a device such as /dev/sdb, or a file", 0, Exit::usage));
  }
  RADOSLOAD_TRY(check_direct(attempt, path, opened));
  opened.size = Bytes{static_cast<std::uint64_t>(status.st_size)};
  opened.made_by = mark_of(file);
  if (!write) return opened;
  if (opened.made_by.empty()) {
    return fail(failed(attempt, path,
                       "radosload did not make this file, so it is never overwritten",
                       "name a new file and let the run make it: --create SIZE, or only read"));
  }
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    return fail(
        failed(attempt, path, "another run uses it", "wait for that run, or only read", errno));
  }
  return opened;
}

Result<DriveFile> make_drive_file(const std::string& path, Bytes size, const std::string& run,
                                  bool keep) {
  constexpr mode_t of_the_user_alone = 0600;
  DriveFile made;
  made.size = size;
  // Without O_DIRECT at first: where that is not possible, open() may fail and leave the file.
  made.file = base::Descriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, of_the_user_alone));
  if (!made.file.valid()) {
    if (errno == EEXIST) return fail(exists(path));
    return fail(failed("make the file", path, "", "check the folder and your rights in it", errno));
  }
  auto prepared = prepare_made(made, path, run, keep);
  if (!prepared || !keep) remove_drive_file(path, made.file.get());
  if (!prepared) return fail(prepared.error());
  return made;
}

void remove_drive_file(const std::string& path, int file) {
  struct stat named {};
  struct stat open {};
  if (::lstat(path.c_str(), &named) != 0 || ::fstat(file, &open) != 0) return;
  if (named.st_ino == open.st_ino && named.st_dev == open.st_dev) ::unlink(path.c_str());
}

Status check_place_of_file(const std::string& path, Bytes size) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) return fail(exists(path));
  const auto folder = folder_of(path);
  struct statfs where {};
  struct statvfs space {};
  if (::statfs(folder.c_str(), &where) != 0 || ::statvfs(folder.c_str(), &space) != 0) {
    return fail(failed("make the file", path, "", "check the folder and your rights in it", errno));
  }
  if (lies_in_memory(where)) return fail(in_memory("make the file", path));
  const Bytes free{std::uint64_t{space.f_bavail} * space.f_frsize};
  if (size <= free) return {};
  return fail(failed(
      "make the file", path,
      fmt::format("its size would be {}, but only {} are free", human_text(size), human_text(free)),
      "give a smaller --create, or name a file on another disk", ENOSPC));
}

Bytes first_hole(int file, Bytes size) {
  const off_t hole = ::lseek(file, 0, SEEK_HOLE);
  return hole < 0 ? size : std::min(size, Bytes{static_cast<std::uint64_t>(hole)});
}

}  // namespace radosload::footprint
