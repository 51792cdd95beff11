// Traces of runs on a real cluster, where lanes are driven from librados's and librbd's threads.

#include <filesystem>

#include "cluster/runs.h"
#include "support/grave.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ClusterTrace : public Runs {
 protected:
  std::string trace() const { return (m_state.path() / "run.npy").string(); }
  std::uint64_t rows() const { return (std::filesystem::file_size(trace()) - 512) / 48; }
  json record_of(const std::string& pattern, std::vector<std::string> more) const {
    more.insert(more.end(), {"--trace", trace(), "--format", "json", "--no-progress"});
    const Finished done = run("ssd", pattern, std::move(more));
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    return done.status == 0 ? json::parse(done.out) : json::object();
  }
  // Sent by the warm-up, and answered after it.
  static std::uint64_t carried(const json& record) {
    return record["counts"]["carried"]["submitted"].get<std::uint64_t>();
  }
  static std::uint64_t ops(const json& record, const char* kind) {
    return record["totals"][kind]["ops"].get<std::uint64_t>();
  }
};

TEST_F(ClusterTrace, OfAPoolHasEveryOperationAndNothingOfThePrefill) {
  const json record = record_of("randrw4k,size=16M", {"--clients", "2"});
  EXPECT_EQ(rows(), ops(record, "all") + carried(record)) << wrong_figure;
  const Finished shown = test::run(launch({"trace", trace()}));
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("whole"));
}

TEST_F(ClusterTrace, OfAnImageHasWritesAndFlushes) {
  const json record = record_of("etcd-wal", {"--create", "32M"});
  EXPECT_GT(ops(record, "flush"), 0U);
  EXPECT_EQ(rows(), ops(record, "write") + ops(record, "flush") + carried(record)) << wrong_figure;
}

TEST_F(ClusterTrace, OfARunThatWasRefusedIsNotLeft) {
  const Finished done = run("no-such-pool", "randrw4k,size=8M", {"--trace", trace()});
  EXPECT_EQ(done.status, no_cluster) << done.err;
  EXPECT_FALSE(std::filesystem::exists(trace()));
}

}  // namespace
}  // namespace radosload::test
