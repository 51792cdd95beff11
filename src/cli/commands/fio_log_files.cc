#include "cli/commands/fio_log_files.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <unistd.h>

#include "report/compat/fio_logs.h"

namespace radosload::cli {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> already_there(const fs::path& path) {
  return fail({.attempt = "write the log",
               .subject = path.string(),
               .reason = "the file exists, perhaps from another run",
               .hint = "give another folder with --fio-logs, or move the file away",
               .exit = Exit::refused});
}

tl::unexpected<Error> unwritable(const fs::path& path, int errnum) {
  return fail({.attempt = "write logs to",
               .subject = path.string(),
               .hint = "give --fio-logs a folder that you can write to",
               .errnum = errnum,
               .exit = Exit::refused});
}

// 0 or an errno.
int write_new(const fs::path& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wxe");
  if (file == nullptr) return errno;
  errno = 0;
  const bool all = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int errnum = all ? 0 : errno;
  // Closing writes what is buffered, which may fail as well.
  if (std::fclose(file) != 0 && errnum == 0) errnum = errno;
  if (errnum != 0) ::unlink(path.c_str());
  return errnum;
}

}  // namespace

Status prepare_fio_logs(const fs::path& folder, const RunPlan& plan) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return unwritable(folder, error.value());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return unwritable(folder, errno);
  for (const report::FioLog log : report::fio_logs) {
    const fs::path path = folder / report::fio_log_name(plan, log);
    if (fs::exists(fs::symlink_status(path, error))) return already_there(path);
  }
  return {};
}

Status write_fio_logs(const fs::path& folder, const record::RunRecord& record) {
  for (const report::FioLogFile& file : report::fio_log_files(record)) {
    const fs::path path = folder / file.name;
    const int errnum = write_new(path, file.text);
    if (errnum == EEXIST) return already_there(path);
    if (errnum != 0) {
      return fail({.attempt = "write the log",
                   .subject = path.string(),
                   .hint = "the report above is complete; only fio's logs are missing",
                   .errnum = errnum});
    }
  }
  return {};
}

}  // namespace radosload::cli
