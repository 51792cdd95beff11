#include "footprint/owner.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace radosload::footprint {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string link_target(const char* path) {
  std::array<char, 256> target{};
  const ssize_t size = ::readlink(path, target.data(), target.size());
  return size <= 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(size));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Field 22 of /proc/PID/stat, counted after the name in parentheses, which may contain anything;
// 0 when there is no such process.
std::uint64_t started_ticks(std::int64_t pid) {
  const std::string stat = first_line("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  constexpr int starttime = 22;
  for (int number = 3; number <= starttime; ++number) fields >> field;
  return parse_count(field).value_or(0);
}

}  // namespace

Owner this_process() {
  Owner owner;
  owner.host = host_name();
  owner.boot = first_line("/proc/sys/kernel/random/boot_id");
  owner.pid_space = link_target("/proc/self/ns/pid");
  owner.pid = ::getpid();
  owner.started_ticks = started_ticks(owner.pid);
  return owner;
}

OwnerState state_of(const Owner& owner) {
  const Owner here = this_process();
  // Not the same boot: another machine, or this one before it was started again. Who can tell?
  if (owner.boot.empty() || owner.boot != here.boot) return OwnerState::unknown;
  if (owner.pid_space.empty() || owner.pid_space != here.pid_space) return OwnerState::unknown;
  if (::kill(static_cast<pid_t>(owner.pid), 0) != 0 && errno == ESRCH) return OwnerState::gone;
  // The pid may have been given to another process since. 0: /proc does not tell us.
  const std::uint64_t ticks = started_ticks(owner.pid);
  if (ticks == 0 || owner.started_ticks == 0) return OwnerState::unknown;
  return ticks == owner.started_ticks ? OwnerState::runs : OwnerState::gone;
}

bool certainly_gone(const Owner& owner) {
  return state_of(owner) == OwnerState::gone;
}

}  // namespace radosload::footprint
