#include "watch/power_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace radosload::watch {

namespace {

namespace fs = std::filesystem;
using Found = Result<std::vector<PowerFile>>;

// The kernel's driver of ACPI's power meter, which measures the whole machine.
constexpr std::string_view machine_meter = "power_meter";

std::string first_line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The number between prefix and suffix, as 12 in "power12_input"; empty for other names.
std::optional<unsigned> number_in(std::string_view name, std::string_view prefix,
                                  std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  if (name.size() <= prefix.size() + suffix.size()) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  unsigned number = 0;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (wrong != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

// The entries of a folder whose names have a number there, in the order of the numbers.
std::vector<fs::path> numbered_entries(const fs::path& folder, std::string_view prefix,
                                       std::string_view suffix) {
  std::vector<std::pair<unsigned, fs::path>> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto number = number_in(entry->path().filename().string(), prefix, suffix);
    if (number) found.emplace_back(*number, entry->path());
  }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (auto& [number, path] : found) paths.push_back(std::move(path));
  return paths;
}

bool is_denied(const Error& error) {
  return error.errnum == EACCES || error.errnum == EPERM;
}

Error not_permitted(Error error) {
  error.attempt = "read the power sensor";
  error.hint =
      "most kernels let only root read it; an administrator can give a group the right to read "
      "this file, or use --power-cmd CMD with a command that prints watts";
  error.exit = Exit::refused;
  return error;
}

Error no_sensor(std::string option, std::string reason) {
  return {.attempt = "measure power with",
          .subject = std::move(option),
          .reason = std::move(reason),
          .hint =
              "virtual machines and containers often have none; use --power-cmd CMD with a "
              "command that prints watts, or leave the option out",
          .exit = Exit::refused};
}

// Only packages: their parts (core, uncore) are contained in them, and psys contains them.
Found rapl_files(const fs::path& powercap) {
  std::vector<PowerFile> files;
  for (const fs::path& domain : numbered_entries(powercap, "intel-rapl:", "")) {
    const std::string name = first_line_of(domain / "name");
    if (!name.starts_with("package")) continue;
    const fs::path path = domain / "energy_uj";
    const auto now = read_power_file(path);
    if (!now) return fail(is_denied(now.error()) ? not_permitted(now.error()) : now.error());
    files.push_back({.name = "RAPL " + name,
                     .path = path,
                     .counter = true,
                     .range = read_power_file(domain / "max_energy_range_uj").value_or(0)});
  }
  return files;
}

// Sensors of a chip that are there but give no value are left out: many drivers list such ones.
Found files_of_chip(const fs::path& chip, const std::string& name) {
  std::vector<PowerFile> files;
  const auto add = [&](const fs::path& path, bool counter) -> Status {
    const auto now = read_power_file(path);
    if (!now && is_denied(now.error())) return fail(not_permitted(now.error()));
    const std::string file = path.filename().string();
    const std::string sensor = file.substr(0, file.find('_'));
    const std::string label = first_line_of(chip / (sensor + "_label"));
    // The sockets of amd_energy contain its cores.
    if (!now || label.starts_with("Ecore")) return {};
    const std::string called = fmt::format("hwmon {} {}", name, label.empty() ? sensor : label);
    const bool twice = std::any_of(files.begin(), files.end(), [&](const PowerFile& one) {
      return one.path.filename().string().starts_with(sensor + "_");
    });
    if (!twice) files.push_back({.name = called, .path = path, .counter = counter});
    return {};
  };
  for (const fs::path& path : numbered_entries(chip, "energy", "_input")) {
    RADOSLOAD_TRY(add(path, true));
  }
  // A chip that counts energy shows the same power a second time.
  if (!files.empty()) return files;
  for (const char* const value : {"_average", "_input"}) {
    for (const fs::path& path : numbered_entries(chip, "power", value)) {
      RADOSLOAD_TRY(add(path, false));
    }
  }
  return files;
}

// The meters of the whole machine, if there are any; else the sensors of all other chips.
Found hwmon_files(const fs::path& hwmon, bool machine_only) {
  std::vector<PowerFile> machine;
  std::vector<PowerFile> others;
  for (const fs::path& chip : numbered_entries(hwmon, "hwmon", "")) {
    const std::string name = first_line_of(chip / "name");
    const bool whole = name == machine_meter;
    if (machine_only && !whole) continue;
    RADOSLOAD_ASSIGN(auto found, files_of_chip(chip, name));
    auto& files = whole ? machine : others;
    files.insert(files.end(), found.begin(), found.end());
  }
  return machine.empty() ? others : machine;
}

// The first that is there and may be read, in the order of how much of the machine it sees.
Found best_files(const PowerFolders& folders) {
  std::optional<Error> denied;
  for (const auto& look :
       {std::function<Found()>([&] { return hwmon_files(folders.hwmon, true); }),
        std::function<Found()>([&] { return rapl_files(folders.powercap); }),
        std::function<Found()>([&] { return hwmon_files(folders.hwmon, false); })}) {
    auto found = look();
    if (found && !found->empty()) return found;
    if (!found && !denied) denied = found.error();
  }
  if (denied) return fail(*denied);
  return fail(no_sensor("--power auto", "this machine shows no sensor of power"));
}

}  // namespace

Result<std::uint64_t> read_power_file(const fs::path& path) {
  const auto wrong = [&](int errnum, std::string reason) {
    return fail({.attempt = "read",
                 .subject = path.string(),
                 .reason = std::move(reason),
                 .errnum = errnum,
                 .exit = Exit::refused});
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return wrong(errno, "");
  std::array<char, 64> text{};
  const ssize_t got = ::read(file, text.data(), text.size());
  const int errnum = errno;
  ::close(file);
  if (got < 0) return wrong(errnum, "");
  std::uint64_t value = 0;
  const char* const end = text.data() + got;
  const auto [stop, bad] = std::from_chars(text.data(), end, value);
  const bool number = bad == std::errc() && std::all_of(stop, end, [](unsigned char letter) {
                        return std::isspace(letter) != 0;
                      });
  if (!number) return wrong(0, "it holds no number");
  return value;
}

Result<std::vector<PowerFile>> find_power_files(PowerSensors sensors, const PowerFolders& folders) {
  switch (sensors) {
    case PowerSensors::off:
      return std::vector<PowerFile>();
    case PowerSensors::automatic:
      return best_files(folders);
    case PowerSensors::rapl: {
      auto found = rapl_files(folders.powercap);
      if (!found || !found->empty()) return found;
      return fail(no_sensor("--power rapl",
                            fmt::format("{} shows no CPU package", folders.powercap.string())));
    }
    case PowerSensors::hwmon:
      break;
  }
  auto found = hwmon_files(folders.hwmon, false);
  if (!found || !found->empty()) return found;
  return fail(no_sensor("--power hwmon",
                        fmt::format("{} shows no sensor of power", folders.hwmon.string())));
}

}  // namespace radosload::watch
