// Watches for events that disturb a measurement, and grades the measurement. Mons and mgr are asked
// on separate threads. On a quiet cluster the cost does not depend on the number of PGs: PGs are
// listed only while the mons count some that do more than serve clients.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/units.h"

#include "observe/disturbances.h"
#include "observe/other_load.h"
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

  // Call before the measurement, at time 0 of its clock. Asks, and waits for the answers.
  void begin();
  // From now on disturbances count; earlier ones disturbed only a warm-up.
  void open(Time now);
  // The disturbances found since the last call, as text. Asks when it is time; never waits.
  std::vector<std::string> poll(Time now);
  // Adds a disturbance that another watch found.
  void add(observe::Disturbance found) { m_disturbances.add(std::move(found)); }
  // Of PGs of the run, by their seeds, whose moves are in the grade already.
  void known_moves(std::set<std::uint32_t> pgs) { m_known_moves = std::move(pgs); }
  // Whether a request is under way.
  bool waiting() { return m_mon_poll->asking() || m_mgr_poll->asking(); }
  // Ends the watch at `end`: asks for the last time, and waits. `unwatched`: what other parts of
  // the run could not watch. `own`: what the run did since open().
  record::Grade finish(Time end, std::vector<std::string> unwatched = {},
                       const observe::Work& own = {});
  // All disturbances since open().
  const std::vector<observe::Disturbance>& found() const { return m_disturbances.all(); }

 private:
  struct MonAnswer {
    Time asked{0};
    Result<observe::ClusterStatus> status;
    std::optional<placement::OsdMap> map = {};    // set when it differs from the map before
    std::vector<placement::OsdMap> between = {};  // and those that came between the two
    std::string unread = {};                      // why some between are missing; empty: none is
    std::vector<observe::SettingChange> settings = {};
  };
  struct MgrAnswer {
    Time asked{0};
    Status seen;
    std::optional<observe::Balancer> balancer = {};
    std::vector<observe::BusyPg> busy = {};
    observe::PoolWork work = {};  // empty: unknown
  };

  MonAnswer ask_mons();
  void ask_map(MonAnswer& answer);
  void ask_settings(MonAnswer& answer);
  MgrAnswer ask_mgr();
  // Of all PGs that matter.
  Result<std::vector<observe::ScrubbedPg>> ask_scrubs();
  void finish_scrubs(Time end);
  void finish_load(Time end, const observe::Work& own);
  void ingest(const MonAnswer& answer);
  void ingest(MgrAnswer answer);
  // The texts of disturbances that were not returned yet.
  std::vector<std::string> news();

  std::shared_ptr<AdminCommands> m_commands;
  std::int64_t m_listed_pool;  // the pool whose busy PGs matter; negative: all pools
  bool m_whole_pools;          // of which PGs may move unseen when the map changes
  bool m_map_changed = false;  // since open()
  std::string m_unread;        // the osdmaps since open() that could not be read
  std::set<std::uint32_t> m_known_moves;
  std::vector<std::string> m_list_pgs;                           // the commands
  Result<std::vector<observe::ScrubbedPg>> m_scrubs = fail({});  // when it began
  bool m_others_matter;                                          // there is a run that they disturb
  observe::OtherLoad m_others;
  observe::Disturbances m_disturbances;
  Coverage m_mons{"what the mons show"};
  Coverage m_mgr{"what the mgr shows"};
  Time m_start{0};
  Time m_start_wall{0};  // the same, since 1970

  std::atomic<Time::rep> m_now{0};
  std::atomic<bool> m_busy{false};            // the mons count PGs that do more than serve clients
  std::mutex m_asking;                        // guards the next three
  std::uint64_t m_epoch = 0;                  // epoch of the last map
  std::uint64_t m_setting = 0;                // version of the last setting; 0: not known yet
  std::string m_settings_refused;             // why settings are not asked for; empty: they are
  std::optional<Poll<MonAnswer>> m_mon_poll;  // last: their threads use the rest
  std::optional<Poll<MgrAnswer>> m_mgr_poll;
};

// "PG 2.1f was deep-scrubbed (osd.1), 12 to 18 s": times count from `start`.
std::string disturbance_text(const observe::Disturbance& disturbance, Time start);
// The grade and its reasons, the worst first, from the disturbances and from what was not watched.
record::Grade grade_of(const std::vector<observe::Disturbance>& found,
                       const std::vector<std::string>& unwatched, Time start);

}  // namespace radosload::watch
