// What it costs a cluster to be watched for disturbances, as every run watches it: questions to
// mons and mgr, and the bytes of their answers, over some seconds. Prints a line of JSON.
//
// usage: watched_bytes POOL_ID [SECONDS]     CEPH_CONF names the cluster

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "cluster/admin.h"
#include "watch/cluster_watch.h"
#include "watch/one_at_a_time.h"

namespace {

using radosload::AdminCommands;
using radosload::Result;

struct Count {
  long questions = 0;
  unsigned long bytes = 0;
};

class Counting final : public AdminCommands {
 public:
  explicit Counting(std::shared_ptr<AdminCommands> inner) : m_inner(std::move(inner)) {}
  Result<std::string> mon(const std::string& command) override {
    return counted(m_inner->mon(command), mons);
  }
  Result<std::string> mgr(const std::string& command) override {
    return counted(m_inner->mgr(command), mgrs);
  }
  Result<std::string> osd(int id, const std::string& command) override {
    return m_inner->osd(id, command);
  }
  Count mons;
  Count mgrs;

 private:
  Result<std::string> counted(Result<std::string> answer, Count& count) {
    const std::lock_guard lock(m_mutex);
    ++count.questions;
    if (answer) count.bytes += answer->size();
    return answer;
  }
  std::shared_ptr<AdminCommands> m_inner;
  std::mutex m_mutex;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const long pool = std::strtol(argv[1], nullptr, 10);
  const long seconds = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 20;
  auto admin = radosload::cluster::Admin::open({});
  if (!admin) {
    std::fprintf(stderr, "%s\n", admin.error().message().c_str());
    return 1;
  }
  auto owned = std::make_unique<Counting>(std::shared_ptr<AdminCommands>(*std::move(admin)));
  const Counting* const counting = owned.get();
  // What it was told goes with it, so it lives until the end.
  const auto commands = std::make_shared<radosload::watch::OneAtATime>(std::move(owned));
  radosload::watch::ClusterWatch watch(commands, {.pool = pool});
  watch.begin();
  watch.open(radosload::Time(0));
  for (long second = 1; second <= seconds; ++second) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    watch.poll(std::chrono::seconds(second));
  }
  const auto grade = watch.finish(std::chrono::seconds(seconds));
  std::printf(
      "{\"mon_questions\": %ld, \"mon_bytes\": %lu, \"mgr_questions\": %ld, \"mgr_bytes\": %lu, "
      "\"clean\": %s}\n",
      counting->mons.questions, counting->mons.bytes, counting->mgrs.questions,
      counting->mgrs.bytes, grade.value == radosload::record::GradeValue::clean ? "true" : "false");
  return 0;
}
