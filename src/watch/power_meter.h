// Reads all sources of power of a run once a second, on threads of its own: a sensor or a command
// may take long to answer, and the load must not wait for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"
#include "radosload/units.h"

#include "watch/energy_curve.h"
#include "watch/power_files.h"

namespace radosload::watch {

// What one source has told; its times are those of PowerMeter::now().
struct PowerReadings {
  std::string name;
  EnergyCurve curve = {};
  std::string failure = {};  // why the last reading that failed did; empty: none failed
};

class PowerMeter {
 public:
  // Reads each source a first time: an error where one cannot be read. Null: the plan asks for
  // none.
  static Result<std::unique_ptr<PowerMeter>> open(const PowerPlan& plan,
                                                  const PowerFolders& folders = {});
  ~PowerMeter() { m_ends = true; }
  PowerMeter(const PowerMeter&) = delete;
  PowerMeter& operator=(const PowerMeter&) = delete;
  PowerMeter(PowerMeter&&) = delete;
  PowerMeter& operator=(PowerMeter&&) = delete;

  static Time now();
  // Has the sensors read soon, and not only at the next second. Never waits.
  void read_soon();
  // The moment up to which every source has been read.
  Time read_until();
  // Reads the sensors a last time, and ends. Waits for a sensor that is being read.
  std::vector<PowerReadings> finish();

 private:
  explicit PowerMeter(std::vector<PowerFile> files, std::string command);
  Status read_first();
  void start();
  void read_file(std::size_t file);
  Status run_command();
  void watch_files(const std::stop_token& end);
  void watch_command(const std::stop_token& end);

  std::vector<PowerFile> m_files;
  std::string m_command;                  // empty: none
  std::mutex m_mutex;                     // of the two below
  std::vector<PowerReadings> m_readings;  // of the files, then of the command
  bool m_asked = false;
  std::condition_variable_any m_wake;
  std::atomic<bool> m_ends{false};
  std::jthread m_file_watcher;  // last: they use everything above
  std::jthread m_command_watcher;
};

}  // namespace radosload::watch
