// Operations that are given up while messages of theirs still wait for an OSD that does not answer:
// when it answers again, what the messages say is what was meant, and nothing they refer to is
// gone.

#include <csignal>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/osd_processes.h"
#include "cluster/runs.h"
#include "support/images.h"
#include "support/pool.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// One OSD writes this many at a time: more than the kernel's sockets take for an OSD that does not
// read, so that most still lie in the client's memory.
constexpr const char* depth = "32";
constexpr const char* late_osd = "3";
// In a series several do not answer: most objects lie on them.
const std::vector<std::string> late_osds = {"2", "3"};
// Half of the read leases: see longer_leases.
constexpr seconds longest_pause(78);

// A setting of every OSD, for as long as it lives.
class OsdSetting {
 public:
  OsdSetting(std::string option, const std::string& value) : m_option(std::move(option)) {
    EXPECT_EQ(tell({"set", m_option, value}).status, 0);
  }
  ~OsdSetting() { EXPECT_EQ(tell({"unset", m_option}).status, 0); }
  OsdSetting(const OsdSetting&) = delete;
  OsdSetting& operator=(const OsdSetting&) = delete;
  OsdSetting(OsdSetting&&) = delete;
  OsdSetting& operator=(OsdSetting&&) = delete;

 private:
  static Finished tell(std::vector<std::string> config) {
    config.insert(config.begin(), {"tell", "osd.*", "config"});
    return ceph(std::move(config));
  }

  std::string m_option;
};

// After 20 s without an answer an OSD would be taken for dead, and its connections with their
// messages would be gone. With the flag the time that the program takes does not matter.
class NobodyTakenForDead {
 public:
  NobodyTakenForDead() { EXPECT_EQ(ceph({"osd", "set", "nodown"}).status, 0); }
  ~NobodyTakenForDead() { EXPECT_EQ(ceph({"osd", "unset", "nodown"}).status, 0); }
  NobodyTakenForDead(const NobodyTakenForDead&) = delete;
  NobodyTakenForDead& operator=(const NobodyTakenForDead&) = delete;
  NobodyTakenForDead(NobodyTakenForDead&&) = delete;
  NobodyTakenForDead& operator=(NobodyTakenForDead&&) = delete;
};

class LateMessages : public Runs {
 protected:
  void SetUp() override {
    if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be paused";
    // PGs that are created meanwhile have a read lease of 160 s instead of 16. An OSD that has been
    // silent for longer than half of it may leave PGs without replicas laggy until it is restarted,
    // a fault of Ceph; and a pause takes as long as the program does.
    const OsdSetting longer_leases("osd_pool_default_read_lease_ratio", "8");
    m_pool.emplace("late", TestPool::Kind::unreplicated);
  }
  void TearDown() override {
    m_pool.reset();
    if (on_lab()) await_clean();
  }
  const std::string& pool() const { return m_pool->name(); }

  // Two steps; OSDs are silent from the end of the first on, until the second has begun.
  void expect_a_series_survives(const std::vector<std::string>& target) const {
    // Time: it ends a step in which no operation is answered, and the OSDs stand still by then.
    std::vector<std::string> more = {"--time", "12", "--drain", "5s", "--push-through"};
    more.insert(more.end(), target.begin(), target.end());
    // All that asks the cluster comes first: the OSDs must stand still before the step ends.
    const auto osds = pids_of_osds(late_osds);
    const NobodyTakenForDead alive;
    Process process(launch(
        words(pool(), std::string("write1m,size=64M,object-size=2M,qd=") + depth + ":48", more)));
    ASSERT_TRUE(await_second(process, 1));
    testing::AssertionResult second = testing::AssertionFailure();
    {
      const Stopped stopped(osds);
      second = process.wait_for_output("step 2 of 2", longest_pause);
    }
    const Finished done = process.wait();
    ASSERT_TRUE(second) << "the OSDs answered before the second step: " << done.err;
    EXPECT_THAT(done.err, Not(HasSubstr("Sanitizer")));
    EXPECT_EQ(done.status, flawed) << done.err;
    const Finished shown = test::run(launch({"--resume", "last", "--format", "json"}));
    const json series = json::parse(shown.out, nullptr, false);
    ASSERT_TRUE(series.is_object()) << shown.out << shown.err;
    EXPECT_EQ(series["status"], "complete") << done.err;
    const json& first = series["steps"][0]["record"]["totals"]["all"];
    EXPECT_GT(first["cancelled"].get<std::uint64_t>(), 0U) << "nothing was given up";
    const Finished cleanup = radosload_here({"cleanup", "--yes", "--pool", pool()});
    EXPECT_EQ(cleanup.status, 0) << cleanup.err << done.err;
    EXPECT_EQ(names_in(pool()), "");
    EXPECT_EQ(images_in(pool()), "");
  }

  // Lines of the OSDs' logs that contain the text.
  static std::size_t logged(const std::string& text) {
    std::size_t found = 0;
    const auto logs = std::filesystem::path(cluster_conf()).parent_path() / "log";
    for (const auto& log : std::filesystem::directory_iterator(logs)) {
      if (log.path().filename().string().find("osd.") == std::string::npos) continue;
      std::istringstream lines(read_file(log.path()));
      for (std::string line; std::getline(lines, line);) {
        if (line.find(text) != std::string::npos) ++found;
      }
    }
    return found;
  }
  // How often OSDs of the lab have complained of a message whose bytes changed on its way. What
  // they say depends on the protocol, and that of today says it with debug_ms 1 only.
  static std::size_t bad_checksums() { return logged("bad segment crc") + logged("bad crc"); }

  std::optional<TestPool> m_pool;
};

TEST_F(LateMessages, OsdAnswersAStepLater_SeriesOnAnImageCompletes) {
  expect_a_series_survives({"--create", "64M"});
}

TEST_F(LateMessages, OsdAnswersAStepLater_SeriesOnAPoolCompletes) {
  expect_a_series_survives({});
}

// Slots whose operations have timed out go on with others, while the messages of the first wait.
TEST_F(LateMessages, TimedOutWrites_ReachTheirObjectsUnchanged) {
  const OsdSetting logs_messages("debug_ms", "1");
  const std::size_t bad_before = bad_checksums();
  const std::size_t messages_before = logged("osd_op(");
  const auto client_log = m_state.path() / "client.log";
  const auto osd = pids_of_osds({late_osd});
  Launch writing = launch(words(pool(), std::string("rw1m,size=128M,object-size=2M,qd=") + depth,
                                until_ended({"--op-timeout", "2s", "--push-through", "--keep"})));
  writing.env["CEPH_ARGS"] = "--debug-objecter=1 --log-file=" + client_log.string();
  Process process(std::move(writing));
  ASSERT_TRUE(await_second(process, 1));
  {
    const NobodyTakenForDead alive;
    const Stopped stopped(osd);
    // Two rounds of operations time out.
    EXPECT_TRUE(await_more_seconds(process, 5));
  }
  EXPECT_TRUE(await_more_seconds(process, 3)) << "the late messages are there";
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err << done.out;
  EXPECT_THAT(done.out, HasSubstr("ETIMEDOUT"));
  EXPECT_THAT(done.out, Not(AnyOf(HasSubstr("EIO"), HasSubstr("STALE"), HasSubstr("CORRUPT"))));
  ASSERT_TRUE(std::filesystem::exists(client_log));
  EXPECT_THAT(read_file(client_log), Not(HasSubstr("ms_handle_reset")));
  EXPECT_GT(logged("osd_op("), messages_before) << "the OSDs did not log their messages";
  EXPECT_EQ(bad_checksums(), bad_before);
  // Every read is checked, and each object is read several times.
  const Finished read = run(pool(), "read1m,size=128M,object-size=2M",
                            {"--ops", "256", "--reuse", "last", "--format", "json"});
  EXPECT_EQ(read.status, 0) << read.err << read.out;
  const std::size_t begin = done.out.find(", run ") + 6;
  const std::string kept = done.out.substr(begin, done.out.find(',', begin) - begin);
  EXPECT_EQ(radosload_here({"cleanup", "--yes", "--pool", pool(), "--run", kept}).status, 0);
  EXPECT_EQ(names_in(pool()), "");
}

}  // namespace
}  // namespace radosload::test
