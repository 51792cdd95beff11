// A cluster that goes back to what it held before, behind radosload's back.
#include <algorithm>
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/pool.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class LostWrites : public Runs {};

// The name of a data object that the run is working on.
std::string any_object(librados::IoCtx& pool) {
  for (auto at = pool.nobjects_begin(); at != pool.nobjects_end(); ++at) {
    std::uint64_t size = 0;
    std::time_t changed = 0;
    if (pool.stat(at->get_oid(), &size, &changed) == 0 && size == kib(64).count) {
      return at->get_oid();
    }
  }
  return {};
}

std::string content_of(librados::IoCtx& pool, const std::string& object) {
  librados::bufferlist content;
  return pool.read(object, content, kib(64).count, 0) < 0 ? std::string() : content.to_str();
}

std::size_t blocks_that_differ(const std::string& before, const std::string& now) {
  const std::size_t block = kib(4).count;
  std::size_t differ = 0;
  for (std::size_t at = 0; at < std::min(before.size(), now.size()); at += block) {
    if (before.compare(at, block, now, at, block) != 0) ++differ;
  }
  return differ;
}

TEST_F(LostWrites, AnObjectThatIsRolledBackIsFoundAndNamed) {
  const TestPool pool("rolled-back");
  // So few blocks that each is read and written again and again, however slow the cluster is.
  Process process(launch(words(pool.name(), "randrw4k,size=256k,object-size=64k,qd=4",
                               until_ended({"--format", "json"}))));
  ASSERT_TRUE(await_second(process, 2));
  const auto connection = connect_here();
  auto io = open_pool(*connection, pool.name());
  const std::string object = any_object(io);
  ASSERT_NE(object, "");
  const std::string old = content_of(io, object);
  ASSERT_EQ(old.size(), kib(64).count);
  // A block that is rolled back is found if it is read before it is written again, which is as
  // likely as not: of so many blocks one is.
  ASSERT_TRUE(process.wait_for("12 blocks of the object to be overwritten", [&] {
    const auto differ = blocks_that_differ(old, content_of(io, object));
    return Seen(differ >= 12, std::to_string(differ));
  }));
  librados::bufferlist before;
  before.append(old);
  ASSERT_EQ(io.write_full(object, before), 0);
  EXPECT_TRUE(process.wait_for_output("LOST_WRITE"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.err, HasSubstr("LOST_WRITE"));
  EXPECT_THAT(done.err, HasSubstr(object));
  const json record = json::parse(done.out);
  ASSERT_TRUE(record["totals"]["read"]["errors"].contains("LOST_WRITE")) << done.err;
  EXPECT_GT(record["totals"]["read"]["errors"]["LOST_WRITE"].get<int>(), 0);
  EXPECT_EQ(record["totals"]["read"]["errors"].size(), 1U) << record["totals"]["read"]["errors"];
  EXPECT_EQ(record["verification"]["followed"], 64);
}

TEST_F(LostWrites, NothingIsFoundWhereNothingIsLost) {
  for (const char* pattern :
       {"randrw4k,size=1M,object-size=64k,qd=32", "rw4k,size=128k,object-size=128k,verify=full"}) {
    // So many that each block is written and read several times.
    const Finished done =
        run("ssd", pattern, {"--ops", "2000", "--clients", "2", "--format", "json"});
    EXPECT_EQ(done.status, 0) << done.err;
    const json record = json::parse(done.out);
    EXPECT_GT(record["verification"]["writes_read_back"].get<int>(), 0) << pattern;
  }
}

}  // namespace
}  // namespace radosload::test
