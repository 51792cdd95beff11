// A cluster that goes back to what it held before, behind radosload's back.
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/pool.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;
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

TEST_F(LostWrites, AnObjectThatIsRolledBackIsFoundAndNamed) {
  const TestPool pool("rolled-back");
  Process process(
      launch({"run", "--pool", pool.name(), "--pattern", "randrw4k,size=1M,object-size=64k,qd=4",
              "--warmup", "0", "--time", "8", "--format", "json"}));
  ASSERT_TRUE(process.wait_for_output("    2 ", seconds(60)));
  const auto connection = connect_here();
  auto io = open_pool(*connection, pool.name());
  const std::string object = any_object(io);
  ASSERT_NE(object, "");
  librados::bufferlist old;
  ASSERT_GT(io.read(object, old, kib(64).count, 0), 0);
  std::this_thread::sleep_for(seconds(2));  // in which it is written all over
  ASSERT_EQ(io.write_full(object, old), 0);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, 1) << done.err;
  EXPECT_THAT(done.err, HasSubstr("LOST_WRITE"));
  EXPECT_THAT(done.err, HasSubstr(object));
  const json record = json::parse(done.out);
  EXPECT_GT(record["totals"]["read"]["errors"]["LOST_WRITE"].get<int>(), 0);
  EXPECT_EQ(record["totals"]["read"]["errors"].size(), 1U) << record["totals"]["read"]["errors"];
  EXPECT_EQ(record["verification"]["followed"], 256);
}

TEST_F(LostWrites, NothingIsFoundWhereNothingIsLost) {
  for (const char* words :
       {"randrw4k,size=1M,object-size=64k,qd=32", "rw4k,size=128k,object-size=128k,verify=full"}) {
    const Finished done = radosload_here({"run", "--pool", "ssd", "--pattern", words, "--time", "3",
                                          "--warmup", "1", "--clients", "2", "--format", "json"});
    EXPECT_EQ(done.status, 0) << done.err;
    const json record = json::parse(done.out);
    EXPECT_GT(record["verification"]["writes_read_back"].get<int>(), 0) << words;
  }
}

}  // namespace
}  // namespace radosload::test
