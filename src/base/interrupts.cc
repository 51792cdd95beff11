#include "base/interrupts.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

#include "radosload/result.h"

namespace radosload::base {

namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t our_signals() {
  sigset_t set{};
  ::sigemptyset(&set);
  for (const int signal : ending_signals) {
    // The kernel delivers a blocked signal even if it is ignored.
    if (signal != SIGHUP || !is_ignored(signal)) ::sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

void Interrupts::exit_at_once() {
  ::_exit(static_cast<int>(Exit::interrupted));
}

Interrupts::Interrupts(std::function<void()> leave) : m_leave(std::move(leave)) {
  const sigset_t set = our_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  m_signals = ::signalfd(-1, &set, SFD_CLOEXEC);
  m_wake = ::eventfd(0, EFD_CLOEXEC);
  m_reader = std::thread([this] { read_signals(); });
}

Interrupts::~Interrupts() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(m_wake, &one, sizeof one);
  m_reader.join();
  ::close(m_signals);
  ::close(m_wake);
}

void Interrupts::read_signals() {
  std::array<pollfd, 2> wanted = {{{m_signals, POLLIN, 0}, {m_wake, POLLIN, 0}}};
  while (true) {
    if (::poll(wanted.data(), wanted.size(), -1) < 0) continue;
    if (wanted[1].revents != 0) return;
    signalfd_siginfo info{};
    if (::read(m_signals, &info, sizeof info) != sizeof info) continue;
    notice(static_cast<int>(info.ssi_signo));
  }
}

void Interrupts::notice(int signal) {
  const std::lock_guard lock(m_mutex);
  // A closing terminal sends several: one from the kernel, and one from the shell to its jobs.
  if (signal == SIGHUP && m_count > 0) return;
  const int count = m_count + 1;
  if (count >= leaves) return m_leave();
  if (count == 1) m_signal = signal;
  if (m_listener) m_listener(count, m_signal);
  // Last: a thread that sees the count must find the listener's work done.
  m_count = count;
}

std::string Interrupts::name() const {
  const std::lock_guard lock(m_mutex);
  if (m_signal == 0) return {};
  return m_signal == SIGINT ? "SIGINT" : m_signal == SIGTERM ? "SIGTERM" : "SIGHUP";
}

Interrupts::Listening::Listening(Interrupts& interrupts, Listener listener)
    : m_interrupts(interrupts) {
  const std::lock_guard lock(m_interrupts.m_mutex);
  m_interrupts.m_listener = std::move(listener);
  // Signals that came before there was a listener are delivered now.
  if (const int count = m_interrupts.count(); count > 0) {
    m_interrupts.m_listener(count, m_interrupts.m_signal);
  }
}

Interrupts::Listening::~Listening() {
  const std::lock_guard lock(m_interrupts.m_mutex);
  m_interrupts.m_listener = nullptr;
}

}  // namespace radosload::base
