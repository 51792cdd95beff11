// Watches for what would disturb a measurement, and grades it. Mons and mgr are asked on threads of
// their own. What a look costs on a quiet cluster does not depend on its number of PGs: PGs are
// listed only while the mons count some that do something besides serving clients.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/units.h"

#include "observe/disturbances.h"
#include "record/run_record.h"
#include "watch/coverage.h"
#include "watch/poll.h"

namespace radosload::watch {

class ClusterWatch {
 public:
  static constexpr Time mon_period = std::chrono::seconds(2);
  static constexpr Time mgr_period = std::chrono::seconds(4);

  // `commands` take questions from several threads (OneAtATime).
  ClusterWatch(std::shared_ptr<AdminCommands> commands, observe::Measured measured);

  // Before what is watched begins, at time 0 of the clock that follows. Asks, and waits.
  void begin();
  // From now on disturbances count; before, a warm-up was disturbed.
  void open(Time now);
  // What has been noticed since the last call, in words. Asks when it is time; never waits.
  std::vector<std::string> poll(Time now);
  // What others have noticed.
  void add(observe::Disturbance found) { m_disturbances.add(std::move(found)); }
  // Whether a question is under way.
  bool waiting() { return m_mon_poll->asking() || m_mgr_poll->asking(); }
  // What was watched ended at `end`. Asks for the last time, and waits. `unwatched`: what others
  // know not to have been watched.
  record::Grade finish(Time end, std::vector<std::string> unwatched = {});
  // All that was noticed since open().
  const std::vector<observe::Disturbance>& found() const { return m_disturbances.all(); }

 private:
  struct MonAnswer {
    Time asked{0};
    Result<observe::ClusterStatus> status;
    std::optional<placement::OsdMap> map = {};  // when it is another one than before
  };
  struct MgrAnswer {
    Time asked{0};
    Status seen;
    std::optional<observe::Balancer> balancer = {};
    std::vector<observe::BusyPg> busy = {};
  };

  MonAnswer ask_mons();
  MgrAnswer ask_mgr();
  void ingest(const MonAnswer& answer);
  void ingest(MgrAnswer answer);
  // The texts of what was found and not yet told.
  std::vector<std::string> news();

  std::shared_ptr<AdminCommands> m_commands;
  std::int64_t m_listed_pool;  // whose busy PGs matter; negative: those of all pools
  observe::Disturbances m_disturbances;
  Coverage m_mons{"what the mons show"};
  Coverage m_mgr{"what the mgr shows"};
  Time m_start{0};

  std::atomic<Time::rep> m_now{0};
  std::atomic<bool> m_busy{false};            // the mons count PGs that do something else
  std::mutex m_asking;                        // guards m_epoch
  std::uint64_t m_epoch = 0;                  // of the map that was read
  std::optional<Poll<MonAnswer>> m_mon_poll;  // last: their threads use the rest
  std::optional<Poll<MgrAnswer>> m_mgr_poll;
};

// "PG 2.1f was deep-scrubbed (osd.1), 12 to 18 s": times count from `start`.
std::string disturbance_text(const observe::Disturbance& disturbance, Time start);
// What was found and what was not watched, as a grade with its reasons, the worst first.
record::Grade grade_of(const std::vector<observe::Disturbance>& found,
                       const std::vector<std::string>& unwatched, Time start);

}  // namespace radosload::watch
