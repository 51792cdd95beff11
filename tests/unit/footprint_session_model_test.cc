// Sessions that begin, live and end in many random namespaces, while others act between any two
// commands: processes come, take part, die, and are stopped for a minute at their end; cleanups and
// newcomers remove what dead sessions have left, and are killed at any command. Nothing of a
// session in which somebody lives is ever removed, nor anything of others; and when all are dead, a
// last cleanup leaves nothing. RADOSLOAD_MODEL_SEED=N repeats one, RADOSLOAD_MODEL_CLUSTERS=N tries
// more.
#include <map>
#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "footprint/cleanup.h"
#include "session_support.h"
#include "unit/model_seeds.h"

namespace radosload::footprint {
namespace {

using testing::MemorySessions;
using testing::MemorySite;
using testing::SessionProcesses;

struct KilledAtIt {};

class SessionModel {
 public:
  explicit SessionModel(std::uint64_t seed)
      : m_random(seed), m_sessions(m_site), m_processes(m_site, m_sessions, m_random) {
    for (const char* const name : {"radosload.sessions.notes", "radosload.sessionbook", "notes"}) {
      m_site.objects[name] = {"theirs"};
    }
    m_site.before = [this](const std::string& call) { between(call); };
  }

  void step() {
    for (int i = draw(3); i > 0; --i) m_processes.begin();
    for (int i = draw(20); i > 0; --i) m_processes.advance();
    if (draw(3) == 0) m_processes.die();
    m_commands_left = draw(3) == 0 ? draw(16) : -1;
    try {
      work();
    } catch (const KilledAtIt&) {
      ++m_kills;
    }
    m_commands_left = -1;
    m_depth = 0;
    check("after a step");
  }

  void finish() {
    m_quiet = true;
    m_processes.all_die();
    EXPECT_TRUE(cleanup(m_site, m_sessions, {}));
    m_processes.expect_nothing_left(false);
    EXPECT_TRUE(cleanup(m_site, m_sessions, {.scan = true}));
    m_processes.expect_nothing_left(true);
    check("at the end");
  }

  std::uint64_t commands() const { return m_commands; }
  int kills() const { return m_kills; }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

  void work() {
    switch (draw(4)) {
      case 0:
        return m_processes.end_one();
      case 1:
        return m_processes.remove_deserted();
      default:
        EXPECT_TRUE(cleanup(m_site, m_sessions, {.scan = draw(3) == 0, .dry_run = draw(8) == 0}));
    }
  }

  void between(const std::string& call) {
    ++m_commands;
    if (m_quiet) return;
    check("before " + call);
    if (m_depth == 0 && m_commands_left >= 0 && m_commands_left-- == 0) throw KilledAtIt{};
    for (int i = draw(4); i > 0; --i) m_processes.advance();
    if (draw(12) == 0) m_processes.begin();
    if (draw(16) == 0) m_processes.die();
    if (draw(4) == 0) m_processes.stop_those_at_their_end();
    if (m_depth >= 2 || draw(6) != 0) return;
    ++m_depth;
    work();
    --m_depth;
  }

  void check(const std::string& when) const {
    m_processes.check(when);
    for (const char* const name : {"radosload.sessions.notes", "radosload.sessionbook", "notes"}) {
      const auto found = m_site.objects.find(name);
      ASSERT_NE(found, m_site.objects.end()) << name << " is gone " << when;
      EXPECT_EQ(found->second.text, "theirs") << when;
    }
  }

  std::mt19937_64 m_random;
  MemorySite m_site;
  MemorySessions m_sessions;
  SessionProcesses m_processes;
  std::uint64_t m_commands = 0;
  int m_commands_left = -1;  // until who is at work is killed
  int m_depth = 0;
  int m_kills = 0;
  bool m_quiet = false;
};

TEST(SessionModel, LiveSessionsStay_DeadSessionsAreRemoved) {
  testing::run_models<SessionModel>(100, 8);
}

}  // namespace
}  // namespace radosload::footprint
