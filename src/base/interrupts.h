// Ctrl-C and its kin, turned into a question that the run answers when it can. The signals are
// blocked in every thread and read by one, so no handler ever runs in the middle of anything.
// The first signal ends the run, which cleans up; the second skips whatever is waited for, the
// clean-up too; the third ends the process at once.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace radosload::base {

class Interrupts {
 public:
  // Blocks SIGINT, SIGTERM and SIGHUP in the calling thread, and so in every thread that it starts
  // from now on. Make it before any other thread. SIGHUP is left alone where it is ignored: that is
  // what nohup asks for. `leave`: what the third signal does.
  explicit Interrupts(std::function<void()> leave = exit_at_once);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  Interrupts(Interrupts&&) = delete;
  Interrupts& operator=(Interrupts&&) = delete;

  // How often it has been asked to stop.
  int count() const { return m_count.load(); }
  // Whether nothing is to be waited for any more.
  bool hurry() const { return count() >= hurries; }
  // Of the first one, which has ended the run: "SIGINT"; empty while nothing has come.
  std::string name() const;

  // What the reader's thread does with a signal.
  void notice(int signal);

  // Who is told, on the reader's thread, with the count so far and the first signal.
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
