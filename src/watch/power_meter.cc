#include "watch/power_meter.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "watch/power_command.h"

namespace radosload::watch {

namespace {

constexpr Time between_readings = std::chrono::seconds(1);
constexpr Time longest_command = std::chrono::seconds(5);

std::chrono::steady_clock::time_point moment_of(Time time) {
  return std::chrono::steady_clock::time_point(time);
}

}  // namespace

Result<std::unique_ptr<PowerMeter>> PowerMeter::open(const PowerPlan& plan,
                                                     const PowerFolders& folders) {
  if (!plan.any()) return nullptr;
  RADOSLOAD_ASSIGN(auto files, find_power_files(plan.sensors, folders));
  std::unique_ptr<PowerMeter> meter(new PowerMeter(std::move(files), plan.command));
  RADOSLOAD_TRY(meter->read_first());
  meter->start();
  return meter;
}

PowerMeter::PowerMeter(std::vector<PowerFile> files, std::string command)
    : m_files(std::move(files)), m_command(std::move(command)) {
  for (const PowerFile& file : m_files) m_readings.push_back({.name = file.name});
  if (!m_command.empty()) m_readings.push_back({.name = "--power-cmd"});
}

Time PowerMeter::now() {
  return std::chrono::duration_cast<Time>(std::chrono::steady_clock::now().time_since_epoch());
}

void PowerMeter::read_soon() {
  {
    const std::lock_guard lock(m_mutex);
    m_asked = true;
  }
  m_wake.notify_all();
}

Time PowerMeter::read_until() {
  const std::lock_guard lock(m_mutex);
  Time until = Time::max();
  for (const PowerReadings& source : m_readings) {
    until = std::min(until, source.curve.last().value_or(Time::min()));
  }
  return until;
}

Status PowerMeter::read_first() {
  for (std::size_t i = 0; i < m_files.size(); ++i) read_file(i);
  return m_command.empty() ? Status() : run_command();
}

void PowerMeter::start() {
  if (!m_files.empty()) {
    m_file_watcher = std::jthread([this](const std::stop_token& end) { watch_files(end); });
  }
  if (!m_command.empty()) {
    m_command_watcher = std::jthread([this](const std::stop_token& end) { watch_command(end); });
  }
}

void PowerMeter::read_file(std::size_t file) {
  const PowerFile& source = m_files[file];
  const auto value = read_power_file(source.path);
  const Time at = now();
  const std::lock_guard lock(m_mutex);
  PowerReadings& readings = m_readings[file];
  constexpr double micro = 1e-6;
  if (!value) {
    readings.failure = value.error().message();
    if (!source.counter) readings.curve.miss_power();
  } else if (source.counter) {
    readings.curve.add_counter(at, *value, source.range);
  } else {
    readings.curve.add_power(at, static_cast<double>(*value) * micro);
  }
}

Status PowerMeter::run_command() {
  const auto watts = ask_power_command(m_command, longest_command, m_ends);
  const Time at = now();
  const std::lock_guard lock(m_mutex);
  PowerReadings& readings = m_readings.back();
  if (watts) {
    readings.curve.add_power(at, *watts);
    return {};
  }
  // One that was killed because the run ended has not failed.
  if (!m_ends) {
    readings.failure = watts.error().reason;
    readings.curve.miss_power();
  }
  return fail(watts.error());
}

void PowerMeter::watch_files(const std::stop_token& end) {
  Time next = now() + between_readings;
  while (!end.stop_requested()) {
    {
      std::unique_lock lock(m_mutex);
      m_wake.wait_until(lock, end, moment_of(next), [this] { return m_asked; });
      m_asked = false;
    }
    if (end.stop_requested()) break;
    for (std::size_t i = 0; i < m_files.size(); ++i) read_file(i);
    if (now() >= next) next = std::max(next + between_readings, now());
  }
}

void PowerMeter::watch_command(const std::stop_token& end) {
  Time next = now() + between_readings;
  while (!end.stop_requested()) {
    {
      std::unique_lock lock(m_mutex);
      m_wake.wait_until(lock, end, moment_of(next), [] { return false; });
    }
    if (end.stop_requested()) break;
    next = now() + between_readings;
    static_cast<void>(run_command());
  }
}

std::vector<PowerReadings> PowerMeter::finish() {
  m_ends = true;
  for (std::jthread* const watcher : {&m_file_watcher, &m_command_watcher}) {
    watcher->request_stop();
    if (watcher->joinable()) watcher->join();
  }
  for (std::size_t i = 0; i < m_files.size(); ++i) read_file(i);
  if (!m_command.empty()) m_readings.back().curve.hold(now());
  return std::move(m_readings);
}

}  // namespace radosload::watch
