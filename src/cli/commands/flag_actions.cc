#include "cli/commands/flag_actions.h"

#include <algorithm>
#include <chrono>

#include "base/interrupts.h"
#include "cli/commands/confirm.h"
#include "cli/output.h"
#include "cluster/admin.h"
#include "footprint/osd_flags.h"
#include "views/timers_text.h"

namespace radosload::cli {

Result<Exit> remove_noout_flags(const ClusterOptions& cluster, const FlagRemoving& removing) {
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(cluster));
  footprint::FlagRemoval removal{.force = removing.force,
                                 .dry_run = removing.dry_run || removing.ask};
  RADOSLOAD_ASSIGN(auto flags, footprint::remove_flags(*admin, removal));
  const auto now = [] { return std::chrono::system_clock::now().time_since_epoch(); };
  const auto count = [&](footprint::Fate fate) {
    return std::count_if(flags.begin(), flags.end(),
                         [fate](const auto& one) { return one.fate == fate; });
  };
  if (removing.ask && count(footprint::Fate::would) > 0) {
    RADOSLOAD_TRY(confirm_removal(
        {.attempt = "remove flags", .subject = "of OSDs", .shown = views::flags_text(flags, now())},
        interrupts));
    // The user was not shown flags that other processes left after that, so they are not removed.
    removal.agreed.emplace();
    for (const auto& one : flags) {
      if (one.fate == footprint::Fate::would) removal.agreed->push_back(one.found);
    }
    removal.dry_run = false;
    RADOSLOAD_ASSIGN(flags, footprint::remove_flags(*admin, removal));
  }
  return print_result(removing.json ? views::flags_json(flags, removing.dry_run, now())
                                    : views::flags_text(flags, now()),
                      count(footprint::Fate::failed) > 0 ? Exit::flawed : Exit::measured);
}

}  // namespace radosload::cli
