#include "record/saving.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "record/file.h"

#include <fmt/format.h>

namespace radosload::record {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(std::string attempt, const fs::path& path, int errnum) {
  return fail(
      {.attempt = std::move(attempt),
       .subject = path.string(),
       .hint = errnum == ENOSPC ? "free some space, or give another file with --save FILE" : "",
       .errnum = errnum});
}

tl::unexpected<Error> already_there(const fs::path& path) {
  return fail({.attempt = "save to",
               .subject = path.string(),
               .reason = "the file exists",
               .hint = "give another file, or add --overwrite to replace this one",
               .exit = Exit::refused});
}

enum class There : std::uint8_t { nothing, file, stream, other };

// A descriptor of this process. Any other symbolic link could be an attack.
bool is_own_descriptor(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

bool is_stream(mode_t mode) {
  return S_ISFIFO(mode) || S_ISCHR(mode);
}

There what_is_at(const fs::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return There::nothing;
  if (is_stream(found.st_mode)) return There::stream;
  if (S_ISREG(found.st_mode)) return There::file;
  if (!S_ISLNK(found.st_mode)) return There::other;
  const bool own = is_own_descriptor(path.string());
  return own && ::stat(path.c_str(), &found) == 0 && is_stream(found.st_mode) ? There::stream
                                                                              : There::file;
}

// Refuses what may not be replaced, independent of permissions.
Status check_kind(const fs::path& path, There there, Existing existing) {
  if (there == There::file && existing == Existing::refuse) return already_there(path);
  if (there != There::other) return {};
  return fail({.attempt = "save to",
               .subject = path.string(),
               .reason = "it is neither a file nor a pipe",
               .hint = "give a file with --save FILE",
               .exit = Exit::refused});
}

// A new file in the same folder, so that the rename stays within one file system.
struct Draft {
  File file;
  fs::path path;
};

Result<Draft> make_draft(const fs::path& beside) {
  constexpr int tries = 16;  // a killed process or another one may have taken some names
  int errnum = EEXIST;
  for (int i = 0; i < tries && errnum == EEXIST; ++i) {
    fs::path path = beside;
    path += fmt::format(".{}-{}.new", ::getpid(), i);
    File file = open_file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (file.is_open()) return Draft{std::move(file), std::move(path)};
    errnum = errno;
  }
  return failed("write beside", beside, errnum);
}

// 0 or an errno. EINVAL: the file system cannot sync a folder.
int sync_folder(const fs::path& folder) {
  const File opened = open_file(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open()) return errno;
  return ::fsync(opened.fd()) == 0 || errno == EINVAL ? 0 : errno;
}

// 0 or an errno; EEXIST when a file that may not be replaced has appeared.
int put_in_place(const fs::path& draft, const fs::path& path, Existing existing) {
  if (existing == Existing::replace) {
    return std::rename(draft.c_str(), path.c_str()) == 0 ? 0 : errno;
  }
  if (::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // File systems without this kind of rename (NFS).
  if (::link(draft.c_str(), path.c_str()) != 0) return errno;
  ::unlink(draft.c_str());
  return 0;
}

Status write_into(const fs::path& path, std::string_view contents) {
  const int follow = is_own_descriptor(path.string()) ? 0 : O_NOFOLLOW;
  const File file = open_file(path, O_WRONLY | follow);
  if (!file.is_open()) return failed("write", path, errno);
  struct stat opened {};
  if (::fstat(file.fd(), &opened) != 0 || !is_stream(opened.st_mode)) return already_there(path);
  if (const int errnum = file.write_all(contents); errnum != 0) {
    return failed("write", path, errnum);
  }
  return {};
}

}  // namespace

Status check_place(const fs::path& path, Existing existing) {
  const There there = what_is_at(path);
  if (auto fit = check_kind(path, there, existing); !fit) return fit;
  const auto unwritable = [&path](int errnum) {
    return fail({.attempt = "save to",
                 .subject = path.string(),
                 .hint = "give a file that can be written, or save nothing with --save none",
                 .errnum = errnum,
                 .exit = Exit::refused});
  };
  if (there == There::stream) {
    return ::access(path.c_str(), W_OK) == 0 ? Status{} : Status(unwritable(errno));
  }
  const auto draft = make_draft(path);
  if (!draft) return unwritable(draft.error().errnum);
  ::unlink(draft->path.c_str());
  return {};
}

Status save(const fs::path& path, std::string_view contents, Existing existing) {
  const There there = what_is_at(path);
  if (auto fit = check_kind(path, there, existing); !fit) return fit;
  if (there == There::stream) return write_into(path, contents);
  RADOSLOAD_ASSIGN(const auto draft, make_draft(path));
  int errnum = draft.file.write_all(contents);
  if (errnum == 0 && ::fsync(draft.file.fd()) != 0) errnum = errno;
  if (errnum == 0) errnum = put_in_place(draft.path, path, existing);
  if (errnum != 0) {
    ::unlink(draft.path.c_str());
    if (errnum == EEXIST) return already_there(path);
    return failed("write", path, errnum);
  }
  errnum = sync_folder(path.parent_path());
  if (errnum != 0) return failed("sync the folder of", path, errnum);
  return {};
}

}  // namespace radosload::record
