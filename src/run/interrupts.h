// Ctrl-C and its kin, turned into a question that the run answers when it can. The signals are
// blocked in every thread and read by one, so no handler ever runs in the middle of anything.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace radosload::run {

class Interrupts {
 public:
  // Blocks SIGINT, SIGTERM and SIGHUP in the calling thread, and so in every thread that it starts
  // from now on. Make it before any other thread.
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  Interrupts(Interrupts&&) = delete;
  Interrupts& operator=(Interrupts&&) = delete;

  // How often it has been asked to stop.
  int count() const { return m_count.load(); }
  // "SIGINT"; empty while nothing has come.
  std::string name() const;

  // Who is told, on the reader's thread, with the count so far. While nobody listens, a first
  // signal waits to be asked for and a second one ends the process at once.
  using Listener = std::function<void(int count, const std::string& name)>;
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
  void read_signals();
  void notice(int signal);

  std::atomic<int> m_count{0};
  mutable std::mutex m_mutex;
  Listener m_listener;
  std::string m_name;
  int m_signals = -1;
  int m_wake = -1;
  std::thread m_reader;
};

}  // namespace radosload::run
