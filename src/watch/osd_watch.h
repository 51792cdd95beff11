// The counters of a cluster's OSDs over an interval, for any cluster, with no load of radosload's:
// dumps that are taken again and again, and what has grown between them. An OSD that was restarted,
// or whose counters were reset, has no figures for an interval with that in it; others keep theirs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/osd_counters.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "placement/osd_map.h"
#include "record/osd_window.h"
#include "watch/ask_osds.h"
#include "watch/osd_dumps.h"

namespace radosload::watch {

class OsdWatch {
 public:
  struct Watched {
    std::int32_t osd = no_osd;
    std::string kind = {};  // "plain", "wal", "db", "db+wal"; empty: unknown
  };
  // From the start of the watch; called from several threads at once.
  using Now = std::function<Time()>;

  OsdWatch(std::shared_ptr<AdminCommands> commands, const std::vector<Watched>& osds, Now now);

  // The first dumps. An error when no OSD gives one, as without the rights.
  Status begin();
  // Dumps again. Takes seconds at most, also when OSDs hang.
  void poll();

  // In the order in which they were given. From the first dump to the last:
  std::vector<record::OsdWindow> whole() const;
  // Between the last two.
  std::vector<record::OsdWindow> latest() const;
  // What to know of the figures, a line for each OSD that it is about.
  std::vector<std::string> notes() const;

 private:
  struct Dump {
    Time at{0};
    OsdCounters counters = {};
  };
  struct Seen {
    std::int32_t osd = no_osd;
    std::string kind = {};
    std::optional<placement::OsdIdentity> identity = {};
    std::optional<Dump> first = {};
    std::optional<Dump> before = {};  // the last but one
    std::optional<Dump> last = {};
    std::string broken = {};  // why there is no growth from the first to the last
    std::string lately = {};  // and from the last but one
    bool answers = true;      // to the last question
    std::vector<std::string> notes = {};
  };
  using Answers = OsdAnswers<Dump>;

  Answers ask_all() const;
  // Whether another process gives the answers than before; nothing when that is not known.
  static std::optional<bool> was_replaced(Seen& seen, const placement::OsdIdentity& now);
  static void ingest(Seen& seen, Dump dump, std::optional<bool> replaced);
  static void miss(Seen& seen, const Error& error, const placement::OsdMap* map);

  std::shared_ptr<AdminCommands> m_commands;
  std::unique_ptr<OsdDumps> m_dumps;
  std::vector<std::int32_t> m_ids;
  std::vector<Seen> m_osds;
  Now m_now;
};

}  // namespace radosload::watch
