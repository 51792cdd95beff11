#include "cli/commands/time_probe.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cluster/bounded_io.h"
#include "cluster/connection.h"

namespace radosload::cli {

namespace {

// The time limit of one read.
constexpr Time read_limit = std::chrono::seconds(30);
// The pause after a failed read, so that errors do not come by the thousand.
constexpr std::chrono::milliseconds after_failure(100);

class ReadingThread final : public timers::Probe {
 public:
  ReadingThread(std::shared_ptr<footprint::ProbeObjects> objects, std::int32_t osd)
      : m_objects(std::move(objects)), m_osd(osd) {
    m_thread = std::jthread([this](const std::stop_token& end) { read_until(end); });
  }

  timers::ProbeTimes take() override {
    std::unique_lock lock(m_mutex);
    const std::uint64_t under_way = m_turn;
    m_ended.wait(lock, [&] { return m_turn > under_way; });
    return timers::probe_times(std::exchange(m_answered, {}), std::exchange(m_failed, 0));
  }

 private:
  void read_until(const std::stop_token& end) {
    while (!end.stop_requested()) {
      const auto sent = std::chrono::steady_clock::now();
      const int rc = m_objects->read(m_osd, m_turn);
      const auto took = std::chrono::steady_clock::now() - sent;
      {
        const std::lock_guard lock(m_mutex);
        if (rc < 0) {
          ++m_failed;
        } else {
          m_answered.push_back(std::chrono::duration_cast<Time>(took));
        }
        ++m_turn;
      }
      m_ended.notify_all();
      if (rc < 0) std::this_thread::sleep_for(after_failure);
    }
  }

  std::shared_ptr<footprint::ProbeObjects> m_objects;
  std::int32_t m_osd;
  std::mutex m_mutex;  // guards what follows
  std::condition_variable m_ended;
  std::vector<Time> m_answered;
  std::uint64_t m_failed = 0;
  std::uint64_t m_turn = 0;  // only the thread writes it
  std::jthread m_thread;     // last: it uses the rest
};

}  // namespace

Result<std::unique_ptr<ProbedPool>> ProbedPool::open(const ClusterOptions& cluster,
                                                     AdminCommands& commands,
                                                     const footprint::ProbeWish& wish) {
  RADOSLOAD_ASSIGN(auto connection, cluster::Connection::open(cluster));
  RADOSLOAD_ASSIGN(auto pool,
                   connection->pool(wish.pool, std::string(footprint::default_namespace)));
  RADOSLOAD_ASSIGN(
      auto objects,
      footprint::ProbeObjects::make(
          commands, cluster::BoundedIo(connection, std::move(pool), read_limit), wish));
  return std::unique_ptr<ProbedPool>(new ProbedPool(std::move(objects)));
}

ProbedPool::~ProbedPool() {
  if (const auto removed = m_objects->remove(); !removed) warn(removed.error().message());
}

std::unique_ptr<timers::Probe> ProbedPool::start(std::int32_t osd) const {
  return std::make_unique<ReadingThread>(m_objects, osd);
}

}  // namespace radosload::cli
