// Timers of a study that the cluster would refuse are found before the first cell.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cluster/runs.h"
#include "support/exit_status.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class StudyTimers : public Runs {
 protected:
  // OSDs 0 and 1 under a load and with restarts.
  Finished study(const std::string& restart, std::vector<std::string> more) const {
    const std::string file = (m_state.path() / "restarts.yaml").string();
    write_file(file,
               "arms: {one: --pool ssd --osd 0, other: --pool ssd --osd 1}\n"
               "patterns:\n  reads: randread4k,size=1M,object-size=64k\n"
               "timers:\n  restart: " +
                   restart + "\noptions: {ops: 64, time: 0, warmup: 0}\nrounds: 2\n");
    std::vector<std::string> words = {"study", file, "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    return test::run(launch(std::move(words)));
  }
  std::size_t saved(const char* folder) const {
    const auto path = m_state.path() / "radosload" / folder;
    if (!std::filesystem::exists(path)) return 0;
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
  }
};

TEST_F(StudyTimers, RestartThatWouldBeRefused_IsSaidBeforeTheFirstCell) {
  if (!on_lab()) GTEST_SKIP() << "only the lab has a pool of size 1 on OSDs 0 and 1";
  const std::string unsafe = "peering --how down";
  const Finished dry = study(unsafe, {"--dry-run", "--json"});
  EXPECT_EQ(dry.status, refused) << dry.err;
  EXPECT_THAT(json::parse(dry.out)["missing"].dump(),
              AllOf(HasSubstr("osd.0"), HasSubstr("osd.1"), HasSubstr("ok-to-stop")));
  const Finished begun = study(unsafe, {"--yes"});
  EXPECT_EQ(begun.status, refused) << begun.err;
  EXPECT_THAT(begun.err, HasSubstr("--offline-pools hdd1"));
  EXPECT_EQ(saved("runs"), 0U);
  EXPECT_EQ(saved("studies"), 0U);
  const Finished allowed = study(unsafe + " --offline-pools hdd1", {"--dry-run", "--json"});
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_EQ(json::parse(allowed.out)["missing"], json::array());
}

}  // namespace
}  // namespace radosload::test
