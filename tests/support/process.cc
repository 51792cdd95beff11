#include "support/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "support/documents.h"
#include "support/grave.h"
#include "support/places.h"

namespace radosload::test {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int exec_failed = 127;
constexpr int signal_base = 128;
constexpr milliseconds tick(20);

// Whether the variable leads to a folder that is in HOME by default.
bool replaces_home(const std::string& name) {
  return name.starts_with("XDG_") && name.ends_with("_HOME");
}

std::vector<std::string> environment(const std::filesystem::path& home,
                                     const std::map<std::string, std::string>& changes) {
  std::map<std::string, std::string> all = {{"RADOSLOAD_CONFIG", "/dev/null"},
                                            {"HOME", home.string()}};
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t end = text.find('=');
    const std::string name = text.substr(0, end);
    if (!replaces_home(name)) all.emplace(name, text.substr(end + 1));
  }
  for (const auto& [name, value] : changes) {
    if (value.empty()) {
      all.erase(name);
    } else {
      all[name] = value;
    }
  }
  std::vector<std::string> entries;
  entries.reserve(all.size());
  for (const auto& [name, value] : all) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> null_terminated(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// The end that the test reads, and the end that is written to; -1: none.
std::array<int, 2> open_sink(Sink sink) {
  std::array<int, 2> ends = {-1, -1};
  bool made = true;
  if (sink == Sink::pipe || sink == Sink::nobody) made = ::pipe2(ends.data(), O_CLOEXEC) == 0;
  if (sink == Sink::terminal || sink == Sink::own_terminal) {
    made = ::openpty(ends.data(), &ends[1], nullptr, nullptr, nullptr) == 0;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  if (sink == Sink::full) ends[1] = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (!made) throw std::runtime_error("no pipes or no terminals");
  if (sink == Sink::nobody) ::close(std::exchange(ends[0], -1));
  return ends;
}

void use(int end, int descriptor) {
  if (end < 0) {
    ::close(descriptor);
  } else {
    ::dup2(end, descriptor);
  }
}

// Of the threads of a process fork() copies only the one that calls it. Another one, of librados
// for example, may hold a lock of the allocator at that moment, which stays locked in the copy for
// ever: here nothing is allocated.
[[noreturn]] void become(const Launch& launch, char** words, char** env, int out, int err) {
  // The process that runs the tests may ignore signals that the tests send.
  for (const int number : {SIGHUP, SIGINT, SIGPIPE}) ::signal(number, SIG_DFL);
  if (launch.err == Sink::terminal || launch.err == Sink::own_terminal) ::setsid();
  if (launch.err == Sink::own_terminal) ::ioctl(err, TIOCSCTTY, 0);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(launch.typed_on_err ? err : nothing, STDIN_FILENO);
  use(out, STDOUT_FILENO);
  use(err, STDERR_FILENO);
  if (!launch.directory.empty() && ::chdir(launch.directory.c_str()) != 0) ::_exit(exec_failed);
  ::environ = env;  // its PATH is searched
  ::execvp(words[0], words);
  ::_exit(exec_failed);
}

// Reads what is there; closes at the end of the stream.
void drain(int& descriptor, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  if (got > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    ::close(descriptor);
    descriptor = -1;
  }
}

// A crash, a hang or a sanitizer's report of the program under test is never the machine's fault.
void report_grave(const Launch& launch, const Finished& finished) {
  if (launch.words[0] != radosload_path()) return;
  constexpr std::array crashes = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  std::string what;
  for (const int number : crashes) {
    if (finished.status == signal_base + number)
      what = "it crashed (" + std::to_string(number) + ")";
  }
  if (finished.timed_out) what = "it hung";
  if (finished.err.find("Sanitizer") != std::string::npos) what = "a sanitizer's report";
  if (what.empty()) return;
  std::string command;
  for (const std::string& word : launch.words) command += " " + word;
  std::fprintf(stderr, "%s%s:%s\n%s\n", never_again, what.c_str(), command.c_str(),
               finished.err.c_str());
}

}  // namespace

Process::Process(Launch launch) : m_launch(std::move(launch)), m_start(Clock::now()) {
  const std::array<int, 2> out = open_sink(m_launch.out);
  const std::array<int, 2> err = open_sink(m_launch.err);
  const std::vector<std::string> entries = environment(m_home.path(), m_launch.env);
  std::vector<char*> words = null_terminated(m_launch.words);
  std::vector<char*> env = null_terminated(entries);
  m_pid = ::fork();
  if (m_pid == 0) become(m_launch, words.data(), env.data(), out[1], err[1]);
  for (const int end : {out[1], err[1]}) {
    if (end >= 0) ::close(end);
  }
  m_out = out[0];
  m_err = err[0];
}

Process::~Process() {
  if (!m_wait_status) {
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
  }
  if (m_out >= 0) ::close(m_out);
  if (m_err >= 0) ::close(m_err);
}

void Process::signal(int number) const {
  if (!m_wait_status) ::kill(m_pid, number);
}

void Process::hang_up() {
  ::close(std::exchange(m_err, -1));
}

void Process::type(const std::string& keys) const {
  if (::write(m_err, keys.data(), keys.size()) < 0) throw std::runtime_error("cannot type");
}

bool Process::pump(milliseconds patience) {
  std::array<pollfd, 2> wanted = {{{m_out, POLLIN, 0}, {m_err, POLLIN, 0}}};
  if (::poll(wanted.data(), wanted.size(), static_cast<int>(patience.count())) <= 0) return false;
  if (m_out >= 0 && wanted[0].revents != 0) drain(m_out, m_finished.out);
  if (m_err >= 0 && wanted[1].revents != 0) drain(m_err, m_finished.err);
  return true;
}

std::string Process::output() {
  while (pump(milliseconds(0))) {
  }
  return m_finished.out + m_finished.err;
}

bool Process::reap() {
  int status = 0;
  if (!m_wait_status && ::waitpid(m_pid, &status, WNOHANG) == m_pid) m_wait_status = status;
  return m_wait_status.has_value();
}

// A grandchild may hold the pipes open: reads what is there, not until the end of the stream.
void Process::read_rest() {
  for (int quiet = 0; quiet < 2 && (m_out >= 0 || m_err >= 0); ++quiet) pump(tick);
}

int Process::exit_status() const {
  return WIFEXITED(*m_wait_status) ? WEXITSTATUS(*m_wait_status)
                                   : signal_base + WTERMSIG(*m_wait_status);
}

testing::AssertionResult Process::wait_for(const std::string& what, const Look& look,
                                           milliseconds limit) {
  auto result = test::wait_for(what, look, limit, [this]() -> std::optional<std::string> {
    pump(tick);
    if (!reap()) return std::nullopt;
    read_rest();
    return m_launch.words.front() + " has ended with status " + std::to_string(exit_status());
  });
  if (!result) result << "\nIts output: " << last_part(output());
  return result;
}

testing::AssertionResult Process::wait_for_output(const std::string& text, milliseconds limit) {
  const auto found = [&] {
    return m_finished.out.find(text) != std::string::npos ||
           m_finished.err.find(text) != std::string::npos;
  };
  return wait_for("the output \"" + text + "\"", found, limit);
}

Finished Process::wait() {
  while (!reap()) {
    if (Clock::now() - m_start > m_launch.limit && !m_finished.timed_out) {
      m_finished.timed_out = true;
      ::kill(m_pid, SIGKILL);
    }
    pump(tick);
  }
  m_finished.seconds = std::chrono::duration<double>(Clock::now() - m_start).count();
  read_rest();
  m_finished.status = exit_status();
  report_grave(m_launch, m_finished);
  if (is_document(m_finished.out)) expect_follows_schema(m_finished.out);
  return m_finished;
}

Finished run(Launch launch) {
  return Process(std::move(launch)).wait();
}

std::string radosload_path() {
  // `tools/dev test full tsan` sets it to a program built with TSan.
  const char* const other = std::getenv("RADOSLOAD_PROGRAM");
  return other != nullptr ? other : in_build("src/radosload");
}

std::map<std::string, std::string> preloaded(const std::string& library) {
  const char* const asan = std::getenv("ASAN_OPTIONS");
  return {{"LD_PRELOAD", in_build("tests/" + library + ".so")},
          // Without this, a sanitizer's library must be the first one in LD_PRELOAD.
          {"ASAN_OPTIONS",
           (asan == nullptr ? "" : std::string(asan) + ":") + "verify_asan_link_order=0"}};
}

std::map<std::string, std::string> jumping_clock() {
  return preloaded("jumping_clock");
}

Finished radosload(std::vector<std::string> words, std::map<std::string, std::string> env) {
  words.insert(words.begin(), radosload_path());
  // The environment of the user who runs the tests must not lead to another cluster.
  env.insert({{"CEPH_CONF", ""}, {"CEPH_ARGS", ""}, {"CEPH_KEYRING", ""}});
  return run({.words = std::move(words), .env = std::move(env)});
}

}  // namespace radosload::test
