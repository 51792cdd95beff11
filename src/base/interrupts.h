// Ctrl-C, SIGTERM and SIGHUP, counted for the run to poll. All threads block these signals and one
// thread reads them, so no handler interrupts other code. The first signal ends the run, which
// still cleans up; the second skips everything the run waits for, also the clean-up; the third ends
// the process at once.
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace radosload::base {

// Those that end a run.
inline constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

class Interrupts {
 public:
  // Blocks SIGINT, SIGTERM and SIGHUP in the calling thread, and so in every thread that it starts
  // later. Create it before any other thread. An ignored SIGHUP stays ignored, as nohup requires.
  // `leave`: what the third signal does.
  explicit Interrupts(std::function<void()> leave = exit_at_once);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  Interrupts(Interrupts&&) = delete;
  Interrupts& operator=(Interrupts&&) = delete;

  // How often it has been asked to stop.
  int count() const { return m_count.load(); }
  // True after the second signal: nothing may be waited for any more.
  bool hurry() const { return count() >= hurries; }
  // The first signal, which ended the run: "SIGINT"; empty before any.
  std::string name() const;

  // Handles one signal, on the reader's thread.
  void notice(int signal);

  // Called on the reader's thread, with the count so far and the first signal.
  using Listener = std::function<void(int count, int signal)>;
  class Listening {
   public:
    Listening(Interrupts& interrupts, Listener listener);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    Listening(Listening&&) = delete;
    Listening& operator=(Listening&&) = delete;

   private:
    Interrupts& m_interrupts;
  };

 private:
  static constexpr int hurries = 2;
  static constexpr int leaves = 3;
  static void exit_at_once();
  void read_signals();

  std::atomic<int> m_count{0};
  mutable std::mutex m_mutex;
  Listener m_listener;
  int m_signal = 0;  // the first; 0: none has come
  std::function<void()> m_leave;
  int m_signals = -1;
  int m_wake = -1;
  std::thread m_reader;
};

}  // namespace radosload::base
