// Notices when this process does not run: a thread that does nothing but sleep and look at the
// clock. It looks every millisecond, and less often where waking up costs more than 0.2 % of a CPU.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "radosload/target.h"
#include "radosload/units.h"

#include "record/pauses.h"
#include "watch/kernel_cpu.h"

namespace radosload::watch {

// The clocks at one moment.
struct Moment {
  Time monotonic{0};  // stands still while the machine is suspended
  Time boot{0};       // does not
};

// The shortest pause. Threads that share CPUs with other programs wait for up to some 15 ms.
inline constexpr Time least_pause = std::chrono::milliseconds(20);

// What lies between the last look and this one, which was to be at `due`: by the monotonic clock.
std::optional<record::Pause> pause_between(const Moment& last, Time due, const Moment& now);
// `before`, `after`: what the kernel had counted.
record::PauseCause cause_of(const record::Pause& pause, const KernelCpu& before,
                            const KernelCpu& after);
// The time between looks that costs no more than the thread may, when each costs `look`.
Time period_for(Time look);

class ClientWitness {
 public:
  struct Seen {
    record::Pauses pauses = {};
    double squares = 0;     // of their lengths in seconds
    KernelCpu kernel = {};  // in that time
    Time cpu{0};            // that the thread took
  };

  explicit ClientWitness(KernelCpuFiles files = KernelCpuFiles()) : m_files(std::move(files)) {}
  ~ClientWitness();
  ClientWitness(const ClientWitness&) = delete;
  ClientWitness& operator=(const ClientWitness&) = delete;
  ClientWitness(ClientWitness&&) = delete;
  ClientWitness& operator=(ClientWitness&&) = delete;

  // Call when a phase begins; the measured one is watched. Never waits.
  void enter(Phase phase);
  // Call after the last answer. Nothing: there was no measured phase.
  std::optional<Seen> finish();

 private:
  void watch();
  // Whether it is to end before.
  bool sleep_until(Time due);
  void end();

  KernelCpuFiles m_files;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_ended = false;
  Seen m_seen;  // of the thread, until it has ended
  std::thread m_thread;
};

}  // namespace radosload::watch
