// Runs a program like a shell: arguments, environment, signals. Always returns, with the output and
// the exit status.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "support/files.h"
#include "support/wait_for.h"

namespace radosload::test {

struct Finished {
  int status = -1;  // exit status, or 128 + signal
  std::string out;
  std::string err;
  double seconds = 0;
  bool timed_out = false;  // it was killed at the limit
};

// Where the program's output goes.
enum class Sink {
  pipe,          // to the test
  nobody,        // a pipe whose reader has closed it
  full,          // a full disk
  closed,        // a closed descriptor
  terminal,      // a terminal that the test reads; closing it sends no SIGHUP
  own_terminal,  // the terminal of the program's session: the kernel sends SIGHUP when it closes
};

struct Launch {
  std::vector<std::string> words;                  // words[0] is the program
  std::map<std::string, std::string> env = {};     // changes to Process's; empty: removed from it
  std::string directory = {};                      // to run in
  std::chrono::milliseconds limit = 2 * patience;  // a safety bound: it is killed then
  Sink out = Sink::pipe;
  Sink err = Sink::pipe;
  bool typed_on_err = false;  // stdin is the same terminal as stderr, and type() writes to it
};

// Runs in the environment of the test, with an empty HOME of its own: neither does the program find
// a config or runs of the user who tests, nor do later tests find what it leaves there.
class Process {
 public:
  explicit Process(Launch launch);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&&) = delete;
  Process& operator=(Process&&) = delete;

  pid_t pid() const { return m_pid; }
  void signal(int number) const;
  // Closes the terminal or pipe that reads its stderr.
  void hang_up();
  // Types keys at the terminal of its stderr.
  void type(const std::string& keys) const;
  // Like test::wait_for(), but ends when the program ends, and says how it ended.
  testing::AssertionResult wait_for(const std::string& what, const Look& look,
                                    std::chrono::milliseconds limit = patience);
  // Until stdout or stderr contains the text.
  testing::AssertionResult wait_for_output(const std::string& text,
                                           std::chrono::milliseconds limit = patience);
  // What it has written to stdout and stderr so far.
  std::string output();
  // Waits for the end; kills it at the launch's limit. A JSON document of radosload on stdout is
  // checked against its schema.
  Finished wait();

 private:
  // Whether there was something to read.
  bool pump(std::chrono::milliseconds patience);
  bool reap();
  void read_rest();
  int exit_status() const;

  Launch m_launch;
  TemporaryFolder m_home;
  pid_t m_pid = -1;
  int m_out = -1;
  int m_err = -1;
  std::chrono::steady_clock::time_point m_start;
  std::optional<int> m_wait_status;
  Finished m_finished;
};

// Launches and waits.
Finished run(Launch launch);

// The program under test, from the build folder of the tests, without variables CEPH_* in its
// environment.
Finished radosload(std::vector<std::string> words, std::map<std::string, std::string> env = {});
std::string radosload_path();

// An environment with a library from the build folder of the tests that is preloaded: "no_ring".
std::map<std::string, std::string> preloaded(const std::string& library);
// An environment in which the program's wall clock jumps an hour back and forth all the time.
std::map<std::string, std::string> jumping_clock();

}  // namespace radosload::test
