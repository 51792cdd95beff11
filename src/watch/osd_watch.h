// Shows the counters of OSDs over an interval, on any cluster, without a load of radosload's: takes
// dumps repeatedly and computes their growth. An OSD that was restarted, or whose counters were
// reset, has no figures for that interval; the other OSDs keep theirs.
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
  // The time since the start of the watch; called from several threads at once.
  using Now = std::function<Time()>;

  OsdWatch(std::shared_ptr<AdminCommands> commands, const std::vector<Watched>& osds, Now now);

  // Takes the first dumps. Fails when no OSD gives one, for example without the rights.
  Status begin();
  // Takes another dump. Needs seconds at most, also when OSDs do not answer.
  void poll();

  // The growth from the first dump to the last, in the given order of the OSDs.
  std::vector<record::OsdWindow> whole() const;
  // The growth between the last two dumps.
  std::vector<record::OsdWindow> latest() const;
  // Remarks on the figures, one line for each OSD concerned.
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
    std::optional<Dump> before = {};  // the one before the last
    std::optional<Dump> last = {};
    std::string broken = {};  // why the growth from the first to the last is unknown
    std::string lately = {};  // why the growth between the last two is unknown
    bool answers = true;      // whether it answered the last request
    std::vector<std::string> notes = {};
  };
  using Answers = OsdAnswers<Dump>;

  Answers ask_all() const;
  // Whether another process of the OSD answers now; empty when that is unknown.
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
