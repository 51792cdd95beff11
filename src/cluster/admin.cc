#include "cluster/admin.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "base/log.h"
#include "cluster/bounded_call.h"
#include "cluster/command_text.h"

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

std::string hint_for(int rc, const std::string& daemon) {
  if (rc == ETIMEDOUT && daemon.starts_with("osd.")) {
    return "it may be down; or this user has no osd caps, and OSDs of newer releases do not answer "
           "such a key: it needs 'allow *' ('radosload auth watch' prints the command)";
  }
  if (rc != EACCES && rc != EPERM) return {};
  if (daemon == "the mgr") {
    return "give this user the mgr caps 'allow r': 'radosload auth status' prints the command";
  }
  if (daemon == "the mons") {
    return "give this user the mon caps 'allow r': 'radosload auth status' prints the command";
  }
  return "give this user the osd caps 'allow *', or name another one (--observer-id in a run): "
         "'radosload auth watch' prints the command";
}

struct Answer {
  int rc = 0;
  std::string output;
  std::string remark;
};

using Clock = std::chrono::steady_clock;

// What a daemon prints may hold keys: only its length is logged.
void log_answer(const std::string& daemon, const std::string& command,
                const std::optional<Answer>& answer, Clock::time_point asked) {
  if (!base::logs(base::LogLevel::info)) return;
  const std::chrono::duration<double, std::milli> took = Clock::now() - asked;
  const std::string what = fmt::format("{}: {}", daemon, command_text(command));
  if (!answer) {
    base::log_warning("{}: no answer after {:.0f} ms", what, took.count());
  } else if (answer->rc < 0) {
    base::log_warning("{}: failed after {:.1f} ms: {} {}", what, took.count(),
                      errno_text(answer->rc), answer->remark);
  } else {
    base::log_info("{}: {} bytes in {:.1f} ms", what, answer->output.size(), took.count());
  }
}

}  // namespace

Admin::Admin(std::shared_ptr<Connection> connection, std::shared_ptr<Silent> silent, Time limit)
    : m_connection(std::move(connection)), m_silent(std::move(silent)), m_limit(limit) {}

Result<std::unique_ptr<Admin>> Admin::open(const ClusterOptions& options) {
  // These commands have our own time limit; librados's limit for the mgr frees memory that a late
  // answer writes to.
  RADOSLOAD_ASSIGN(auto connection, Connection::open(options, {{"rados_mon_op_timeout", "0"}}));
  return std::unique_ptr<Admin>(
      new Admin(std::move(connection), std::make_shared<Silent>(), options.timeout));
}

std::unique_ptr<AdminCommands> Admin::within(Time limit) const {
  return std::unique_ptr<AdminCommands>(
      new Admin(m_connection, m_silent, std::min(limit, m_limit)));
}

Result<std::string> Admin::ask(const std::string& daemon, const std::string& command, Call call) {
  auto asked = [connection = m_connection, call = std::move(call)] {
    librados::bufferlist output;
    Answer given;
    given.rc = call(connection->rados(), &output, &given.remark);
    given.output = output.to_str();
    return given;
  };
  const Clock::time_point start = Clock::now();
  const auto answer = value_within<Answer>(m_limit, std::move(asked), CallKind::question);
  log_answer(daemon, command, answer, start);
  const std::string attempt = fmt::format("get '{}' from", command_name(command));
  if (!answer) {
    return fail({.attempt = attempt,
                 .subject = daemon,
                 .reason = fmt::format("no answer within {}", human_text(m_limit)),
                 .hint = hint_for(ETIMEDOUT, daemon),
                 .errnum = ETIMEDOUT,
                 .exit = Exit::no_cluster});
  }
  if (answer->rc < 0) {
    return fail({.attempt = attempt,
                 .subject = daemon,
                 .reason = answer->remark,
                 .hint = hint_for(-answer->rc, daemon),
                 .errnum = -answer->rc,
                 .exit = Exit::no_cluster});
  }
  return answer->output;
}

Result<std::string> Admin::ask_once(const std::string& daemon, const std::string& command,
                                    std::atomic<bool> Silent::*silent, Call call) {
  // Set before the command is sent, so that it stays set if no answer comes.
  if (((*m_silent).*silent).exchange(true)) {
    base::log_warning("{}: {} was not sent: an earlier command has no answer yet", daemon,
                      command_text(command));
    return fail({.attempt = fmt::format("get '{}' from", command_name(command)),
                 .subject = daemon,
                 .reason = "an earlier command is still unanswered",
                 .errnum = ETIMEDOUT,
                 .exit = Exit::no_cluster});
  }
  return ask(
      daemon, command,
      [shared = m_silent, silent, call = std::move(call)](auto& rados, auto* output, auto* remark) {
        const int rc = call(rados, output, remark);
        ((*shared).*silent) = false;
        return rc;
      });
}

Result<std::string> Admin::mon(const std::string& command) {
  return ask_once("the mons", command, &Silent::mons,
                  [command](auto& rados, auto* output, auto* remark) {
                    return rados.mon_command(command, {}, output, remark);
                  });
}

Result<std::string> Admin::mgr(const std::string& command) {
  return ask_once("the mgr", command, &Silent::mgr,
                  [command](auto& rados, auto* output, auto* remark) {
                    return rados.mgr_command(command, {}, output, remark);
                  });
}

Result<std::string> Admin::osd(int id, const std::string& command) {
  return ask(fmt::format("osd.{}", id), command,
             [command, id](auto& rados, auto* output, auto* remark) {
               return rados.osd_command(id, command, {}, output, remark);
             });
}

}  // namespace radosload::cluster
