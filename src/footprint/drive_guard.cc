#include "footprint/drive_guard.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

Error refused(const observe::Drive& drive, std::string reason, std::string hint, int errnum = 0) {
  return {.attempt = "write to",
          .subject = drive.path,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .errnum = errnum,
          .exit = Exit::refused};
}

constexpr const char* read_instead =
    "measure it with a pattern that only reads, such as randread4k";

std::string content_text(const observe::Drive& drive) {
  if (drive.content.empty()) return "a device's data may be of a kind that radosload does not know";
  return fmt::format("it has data: {}", fmt::join(drive.content, ", "));
}

Error busy(const observe::Drive& drive, int errnum) {
  return refused(drive, "another program has it open for itself",
                 std::string(read_instead) + ", or stop that program", errnum);
}

// Whether the name leads to the device that was examined: names of devices change hands.
bool is_same_device(int fd, const observe::Drive& drive) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISBLK(status.st_mode)) return false;
  const observe::DeviceNumber number{.major = ::major(status.st_rdev),
                                     .minor = ::minor(status.st_rdev)};
  return number.text() == drive.number;
}

// Until it succeeds, or fails for another reason than EBUSY or EAGAIN, for two seconds at most:
// udev holds a device for a moment, and the kernel lets go of the files of an io_uring only some
// time after its process has ended.
template <typename Attempt>
bool succeeds_soon(Attempt&& attempt) {
  constexpr int tries = 20;
  constexpr std::chrono::milliseconds pause(100);
  for (int i = 0; !attempt(); ++i) {
    if (i == tries || (errno != EBUSY && errno != EAGAIN)) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

// BlueStore locks its device with one of the two, by its version.
bool lock_device(int fd) {
  if (!succeeds_soon([fd] { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; })) return false;
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

}  // namespace

std::optional<Error> refusal_to_overwrite(const observe::Drive& drive, const std::string& serial) {
  if (!drive.uses.empty()) {
    return refused(drive, fmt::format("it is in use: {}", fmt::join(drive.uses, "; ")),
                   read_instead);
  }
  if (drive.read_only) return refused(drive, "it is read-only", read_instead);
  if (drive.serial.empty()) {
    return refused(drive, "it has neither a serial nor a WWN that --destroy-data could name",
                   read_instead);
  }
  if (serial.empty()) {
    return refused(
        drive, content_text(drive),
        fmt::format("if its data may be lost, name its serial: --destroy-data={}", drive.serial));
  }
  if (serial != drive.serial) {
    return refused(
        drive, fmt::format("its serial is {}, but --destroy-data names {}", drive.serial, serial),
        "check which drive you mean: lsblk -o NAME,MODEL,SERIAL,MOUNTPOINTS");
  }
  return std::nullopt;
}

Result<base::Descriptor> open_to_overwrite(const observe::Drive& drive, const std::string& serial) {
  if (auto refusal = refusal_to_overwrite(drive, serial)) return fail(*std::move(refusal));
  base::Descriptor file;
  const auto open = [&] {
    file = base::Descriptor(
        ::open(drive.path.c_str(), O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC | O_NOCTTY));
    return file.valid();
  };
  if (!succeeds_soon(open)) {
    if (errno == EBUSY) return fail(busy(drive, errno));
    return fail(refused(drive, "", "run it as a user that may write to the device", errno));
  }
  if (!is_same_device(file.get(), drive)) {
    return fail(
        refused(drive, "it is no longer the device that was examined", "start the run again"));
  }
  if (!lock_device(file.get())) return fail(busy(drive, errno));
  return file;
}

}  // namespace radosload::footprint
