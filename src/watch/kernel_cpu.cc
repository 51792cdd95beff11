#include "watch/kernel_cpu.h"

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace radosload::watch {

namespace {

namespace fs = std::filesystem;

// Ticks of /proc/stat.
Time of_ticks(std::uint64_t ticks) {
  const long in_second = ::sysconf(_SC_CLK_TCK);
  return Time(static_cast<Time::rep>(ticks)) * (std::chrono::seconds(1) / Time(in_second));
}

// "throttled_usec 1200", in other units where the name is another.
std::optional<Time> throttled_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string name;
  std::int64_t value = 0;
  while (stream >> name >> value) {
    if (name == "throttled_usec") return std::chrono::microseconds(value);
    if (name == "throttled_time") return Time(value);
  }
  return std::nullopt;
}

// A limit holds for all cgroups below.
void add_limits(const fs::path& top, fs::path group, std::vector<fs::path>& into) {
  while (true) {
    const fs::path file = top / group.relative_path() / "cpu.stat";
    if (throttled_in(file)) into.push_back(file);
    if (!group.has_relative_path()) return;
    group = group.parent_path();
  }
}

bool names_cpu(std::string_view controllers) {
  const std::string listed = "," + std::string(controllers) + ",";
  return listed.find(",cpu,") != std::string::npos;
}

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234"
std::optional<Time> pressure_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  constexpr std::string_view lead = "total=";
  const std::size_t at = line.find(lead);
  if (at == std::string::npos) return std::nullopt;
  try {
    return std::chrono::microseconds(std::stoll(line.substr(at + lead.size())));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void read_stat(const fs::path& file, KernelCpu& into) {
  std::ifstream stream(file);
  std::string name;
  if (!(stream >> name) || name != "cpu") return;
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are in the first two as well.
  std::array<std::uint64_t, 8> ticks{};
  std::uint64_t sum = 0;
  for (std::uint64_t& one : ticks) {
    if (!(stream >> one)) return;
    sum += one;
  }
  into.stolen = of_ticks(ticks.back());
  into.all = of_ticks(sum);
}

}  // namespace

KernelCpuFiles::KernelCpuFiles(fs::path proc, const fs::path& cgroups) : m_proc(std::move(proc)) {
  std::ifstream groups(m_proc / "self" / "cgroup");
  for (std::string line; std::getline(groups, line);) {
    // "0::/path", or in the first version "4:cpu,cpuacct:/path"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      add_limits(cgroups, group, m_limits);
    } else if (names_cpu(controllers)) {
      add_limits(cgroups / controllers, group, m_limits);
    }
  }
}

KernelCpu KernelCpuFiles::read() const {
  KernelCpu counted;
  for (const fs::path& file : m_limits) {
    if (const auto one = throttled_in(file)) {
      counted.throttled = counted.throttled.value_or(Time(0)) + *one;
    }
  }
  read_stat(m_proc / "stat", counted);
  counted.pressure = pressure_in(m_proc / "pressure" / "cpu");
  return counted;
}

}  // namespace radosload::watch
