// `radosload watch`: shows what OSDs count over an interval, without a load of radosload's. On a
// terminal the figures of the last interval are redrawn. The result is the table of the whole watch
// with a grade that says whether something disturbed these OSDs.

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/interrupts.h"
#include "base/log.h"
#include "cli/commands/command.h"
#include "cli/drawn_lines.h"
#include "cli/options/display_options.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "cluster/admin.h"
#include "observe/osds.h"
#include "placement/osd_select.h"
#include "record/store.h"
#include "views/watch_text.h"
#include "watch/cluster_watch.h"
#include "watch/one_at_a_time.h"
#include "watch/osd_watch.h"
#include "watch/window_signs.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

using SteadyClock = std::chrono::steady_clock;

struct WatchWords {
  ClusterOptions cluster;
  std::string osds = "all";
  Time length = std::chrono::minutes(1);
  Time interval = std::chrono::seconds(5);
  std::string format = "text";
};

Status check_times(const WatchWords& words) {
  constexpr Time shortest = std::chrono::seconds(1);
  for (const auto& [option, time] :
       {std::pair("--time", words.length), std::pair("--interval", words.interval)}) {
    if (time >= shortest) continue;
    return fail({.attempt = fmt::format("use {} {}", option, option_text(time)),
                 .reason = fmt::format("it is shorter than {}", human_text(shortest)),
                 .hint = fmt::format("write for example {} 5s", option),
                 .exit = Exit::usage});
  }
  return {};
}

bool named_by_number(const placement::OsdSelection& selection, std::int32_t osd) {
  const auto is_it = [osd](const placement::OsdTerm& term) {
    return term.by == placement::OsdTerm::By::id && term.first == osd;
  };
  return std::any_of(selection.groups.begin(), selection.groups.end(), [&](const auto& group) {
    return std::any_of(group.begin(), group.end(), is_it);
  });
}

Error down_error(const std::string& osds, bool one) {
  return {.attempt = "watch " + osds,
          .reason = one ? "it is down" : "they are down",
          .hint = "'radosload osds' shows which OSDs are up",
          .exit = Exit::no_cluster};
}

struct WatchedOsds {
  std::vector<watch::OsdWatch::Watched> up;
  std::vector<std::int32_t> down;  // OSDs that were chosen by properties and are down
};

// An OSD that is down is an error if the user gave its number. If it was chosen by properties, the
// other OSDs are watched.
Result<WatchedOsds> choose_osds(AdminCommands& commands, const std::string& list) {
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(list));
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(commands));
  RADOSLOAD_ASSIGN(const auto ids, placement::select_osds(selection, inventory));
  WatchedOsds chosen;
  for (const std::int32_t id : ids) {
    const placement::Osd& osd = *inventory.find(id);
    if (osd.up) {
      const bool known = osd.kind != placement::OsdKind::unknown;
      chosen.up.push_back(
          {.osd = id, .kind = known ? std::string(placement::kind_name(osd.kind)) : ""});
    } else if (named_by_number(selection, id)) {
      return fail(down_error(fmt::format("osd.{}", id), true));
    } else {
      chosen.down.push_back(id);
    }
  }
  if (chosen.up.empty()) {
    return fail(down_error("OSDs " + placement::ids_text(chosen.down), chosen.down.size() == 1));
  }
  return chosen;
}

// The live view; prints nothing if stderr is not a terminal, or the log goes to stderr.
class LiveWatch {
 public:
  explicit LiveWatch(std::size_t osds)
      : m_osds(osds), m_terminal(::isatty(STDERR_FILENO) != 0 && !base::logs_to_stderr()) {}

  // Draws once a second, or at once.
  void show(const views::WatchFrame& frame, bool at_once) {
    if (!m_terminal) return;
    if (!at_once && m_shown && frame.elapsed - *m_shown < std::chrono::seconds(1)) return;
    m_shown = frame.elapsed;
    const Screen screen = screen_of(STDERR_FILENO);
    // The last column is left free: some terminals wrap when it is written.
    m_lines.show(views::watch_frame(frame, m_osds, screen.columns - 1, screen.rows));
  }

 private:
  std::size_t m_osds;
  bool m_terminal;
  std::optional<Time> m_shown;
  DrawnLines m_lines;
};

// The watches of the OSDs' counters and of disturbances.
struct Watches {
  watch::OsdWatch& counters;
  watch::ClusterWatch& cluster;
};

// Polls until the time is over, or Ctrl-C. The last reading is taken at the end in both cases.
Time poll_until_the_end(const WatchWords& words, const base::Interrupts& interrupts,
                        const watch::OsdWatch::Now& now, std::size_t osds, Watches watch) {
  constexpr auto nap = std::chrono::milliseconds(50);
  LiveWatch live(osds);
  views::WatchFrame frame{.length = words.length, .interval = words.interval};
  for (Time next = words.interval; interrupts.count() == 0;) {
    frame.elapsed = now();
    if (frame.elapsed >= words.length) break;
    for (auto& text : watch.cluster.poll(frame.elapsed)) frame.disturbed.push_back(std::move(text));
    live.show(frame, false);
    if (frame.elapsed < next) {
      std::this_thread::sleep_for(std::min<Time>(nap, next - frame.elapsed));
      continue;
    }
    watch.counters.poll();
    frame.windows = watch.counters.latest();
    frame.elapsed = now();
    live.show(frame, true);
    while (next <= frame.elapsed) next += words.interval;
  }
  const Time end = now();
  if (!interrupts.hurry()) watch.counters.poll();
  return end;
}

// All other activity of the chosen OSDs is a disturbance, for any pool.
observe::Measured watched_osds(const std::vector<watch::OsdWatch::Watched>& osds) {
  observe::Measured measured{.counters_only = true};
  for (const watch::OsdWatch::Watched& one : osds) measured.osds.insert(one.osd);
  return measured;
}

record::Grade grade_of(watch::ClusterWatch& cluster, const views::Watched& watched) {
  for (auto& one : watch::compactions_in(watched.windows, Time(0))) cluster.add(std::move(one));
  return cluster.finish(watched.length, watch::uncounted_osds(watched.windows, watched.length));
}

Result<Exit> watch_osds(const WatchWords& words) {
  RADOSLOAD_TRY(check_times(words));
  RADOSLOAD_TRY(placement::parse_osd_selection(words.osds));
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(words.cluster));
  RADOSLOAD_ASSIGN(const auto chosen, choose_osds(*admin, words.osds));

  constexpr Time patience = std::chrono::seconds(3);
  views::Watched result{.started = record::iso_time(std::chrono::system_clock::now()),
                        .interval = words.interval};
  const auto commands = std::make_shared<watch::OneAtATime>(admin->within(patience));
  watch::ClusterWatch cluster(commands, watched_osds(chosen.up));
  cluster.begin();
  const auto start = SteadyClock::now();
  const auto now = [start]() -> Time { return SteadyClock::now() - start; };
  watch::OsdWatch watch(commands, chosen.up, now);
  RADOSLOAD_TRY(watch.begin());
  cluster.open(Time(0));
  result.length = poll_until_the_end(words, interrupts, now, chosen.up.size(), {watch, cluster});
  result.interrupted = interrupts.count() > 0;
  result.windows = watch.whole();
  result.notes = watch.notes();
  if (interrupts.hurry()) {
    result.grade.reasons = {"the watch was interrupted twice, and ended without its last look"};
  } else {
    result.grade = grade_of(cluster, result);
  }
  if (!chosen.down.empty()) {
    result.notes.push_back("not watched, because down: OSDs " + placement::ids_text(chosen.down));
  }
  return print_result(
      words.format == "json" ? views::watch_json(result) : views::watch_text(result),
      result.interrupted ? Exit::interrupted : Exit::measured);
}

}  // namespace

void add_watch(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("watch", "Show what OSDs count over an interval, without adding load");
  auto words = std::make_shared<WatchWords>();
  command
      ->add_option("--osd", words->osds,
                   "OSDs to watch, as in 0,3-5,host=NAME,class=hdd,kind=wal; a slash combines: "
                   "kind=wal/host=NAME")
      ->capture_default_str()
      ->type_name("LIST");
  add_duration(*command, "--time", words->length, "how long; Ctrl-C ends it earlier");
  add_duration(*command, "--interval", words->interval, "time between two readings");
  add_format_options(*command, words->format);
  add_cluster_options(*command, words->cluster);
  command->final_callback([words, &chosen] { chosen = [words] { return watch_osds(*words); }; });
}

}  // namespace radosload::cli
