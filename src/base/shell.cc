#include "base/shell.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace radosload::base {

namespace {

class Spawning {
 public:
  Spawning(int output, int errors) {
    ::posix_spawnattr_init(&m_attributes);
    ::posix_spawn_file_actions_init(&m_actions);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&m_attributes, &signals);
    ::sigaddset(&signals, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&m_attributes, &signals);
    ::posix_spawnattr_setpgroup(&m_attributes, 0);
    ::posix_spawnattr_setflags(
        &m_attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    ::posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&m_actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&m_actions, errors, STDERR_FILENO);
  }
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&m_actions);
    ::posix_spawnattr_destroy(&m_attributes);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;
  Spawning(Spawning&&) = delete;
  Spawning& operator=(Spawning&&) = delete;

  int start(const std::string& command, pid_t& pid) {
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    std::array<char*, 4> words = {shell.data(), option.data(), text.data(), nullptr};
    return ::posix_spawn(&pid, "/bin/sh", &m_actions, &m_attributes, words.data(), environ);
  }

 private:
  posix_spawnattr_t m_attributes{};
  posix_spawn_file_actions_t m_actions{};
};

}  // namespace

int start_shell(const std::string& command, int output, int errors, pid_t& pid) {
  return Spawning(output, errors).start(command, pid);
}

}  // namespace radosload::base
