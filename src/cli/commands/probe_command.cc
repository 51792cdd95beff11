// `radosload probe`: probes each OSD every few minutes, keeps the history, reports changes, and
// serves metrics; `probe show` prints the history.

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/interrupts.h"
#include "base/log.h"
#include "cli/commands/command.h"
#include "cli/commands/probe_exec.h"
#include "cli/commands/probe_words.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "probe/change_finder.h"
#include "probe/cluster_prober.h"
#include "probe/history.h"
#include "probe/metrics.h"
#include "probe/metrics_server.h"
#include "probe/missing_lines.h"
#include "probe/service.h"
#include "probe/sim_prober.h"
#include "record/store.h"
#include "target/sim_model.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// Rows of OSDs that are printed when a probe ends. `probe show` prints all.
constexpr std::size_t rows_at_the_end = 40;

class RealClock final : public probe::Clock {
 public:
  explicit RealClock(const base::Interrupts& interrupts) : m_interrupts(interrupts) {}

  Time now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  Time wall() const override { return std::chrono::system_clock::now().time_since_epoch(); }
  bool ended() const override { return m_interrupts.count() > 0; }
  bool sleep_until(Time due) override {
    constexpr Time nap = std::chrono::milliseconds(50);
    while (!ended()) {
      const Time left = due - now();
      if (left <= Time(0)) return true;
      std::this_thread::sleep_for(std::min(left, nap));
    }
    return false;
  }

 private:
  const base::Interrupts& m_interrupts;
};

tl::unexpected<Error> probe_usage(std::string reason, std::string hint) {
  return fail({.attempt = "probe",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

Status check_words(const ProbeWords& words) {
  constexpr Time shortest = std::chrono::milliseconds(100);
  const bool sim = words.target == "sim";
  if (!sim && words.pool.empty()) {
    return probe_usage("no pool is named", "add --pool POOL; 'radosload status' lists the pools");
  }
  if (!sim && !words.sim.empty()) {
    return probe_usage("--sim belongs to a simulated cluster", "add --target sim");
  }
  if (sim && !words.osds.empty()) {
    return probe_usage("--osd belongs to a real cluster", "leave it out, or name a pool");
  }
  if (words.by_pool() && !words.osds.empty()) {
    return probe_usage("--osd and --by pool contradict each other",
                       "leave out one of them; --by pool probes objects on all OSDs of the pool");
  }
  if (words.interval < shortest) {
    return probe_usage(fmt::format("--interval {} is shorter than {}", option_text(words.interval),
                                   human_text(shortest)),
                       "write for example --interval 5m");
  }
  if (words.samples.reads + words.samples.writes == 0) {
    return probe_usage("with --reads 0 and --writes 0 nothing is left to do",
                       "leave one of them out");
  }
  return {};
}

// What a probe is made of, beside the prober and the clock.
class Probing {
 public:
  static Result<std::unique_ptr<Probing>> open(const ProbeWords& words,
                                               const std::string& started) {
    RADOSLOAD_ASSIGN(auto folder, history_folder(words));
    RADOSLOAD_ASSIGN(auto history,
                     probe::History::open(folder,
                                          {.pool = pool_of(words),
                                           .nspace = words.target == "sim" ? "" : words.nspace,
                                           .started = started},
                                          words.retention));
    std::unique_ptr<Probing> probing(new Probing(words, std::move(history)));
    RADOSLOAD_TRY(probing->recall());
    if (words.listen.empty()) return probing;
    RADOSLOAD_ASSIGN(const auto where, probe::parse_listening(words.listen));
    RADOSLOAD_ASSIGN(probing->m_server, probe::MetricsServer::start(where));
    warn(fmt::format("metrics are at http://{}:{}/metrics", where.address,
                     probing->m_server->port()));
    return probing;
  }

  Result<Exit> run(probe::Prober& prober, probe::Clock& clock, const base::Interrupts& interrupts) {
    probe::Service service(prober, clock, m_finder,
                           {.interval = m_words.interval,
                            .samples = m_words.samples,
                            .rounds = m_words.rounds,
                            .force = m_words.force});
    const auto ended = service.run(
        {.on_round = [this](const probe::Round& round,
                            const probe::Survey& survey) { take(round, survey); },
         .on_change = [this](const probe::Change& change, Time at) { take(change, at); }});
    if (!ended) return fail(ended.error());
    const Exit usual = ended->failed > 0 ? Exit::flawed : Exit::measured;
    return print_result(history_shown(m_history.folder(), m_words, rows_at_the_end),
                        interrupts.count() > 0 ? Exit::interrupted : usual);
  }

 private:
  Probing(const ProbeWords& words, probe::History history)
      : m_words(words), m_history(std::move(history)), m_commands(words.exec) {}

  static std::string pool_of(const ProbeWords& words) {
    return words.target == "sim" ? "sim" : words.pool;
  }

  // What earlier processes have seen, so that a restart forgets nothing.
  Status recall() {
    const probe::FinderRules rules;
    RADOSLOAD_ASSIGN(const auto files, probe::latest_files(m_history.folder(), rules.window));
    RADOSLOAD_ASSIGN(const auto reading,
                     probe::read_history(files, [this](const probe::HistoryLine& line) {
                       if (const auto* const round = std::get_if<probe::Round>(&line)) {
                         m_finder.replay(*round);
                       }
                       if (const auto* const change = std::get_if<probe::Change>(&line)) {
                         m_finder.replay(*change);
                       }
                     }));
    if (reading.unreadable > 0) {
      warn(fmt::format("{} lines of the history cannot be read, the first: {}", reading.unreadable,
                       reading.problem));
    }
    return {};
  }

  void take(const probe::Round& round, const probe::Survey& survey) {
    m_commands.look();
    m_metrics.add(round);
    keep(m_history.append(round));
    if (!round.error.empty() && round.error != m_last_error) warn(round.error);
    if (round.error.empty() && !m_last_error.empty()) warn("the cluster answers again");
    m_last_error = round.error;
    for (const std::string& note : round.notes) warn(note);
    m_facts = {
        .pool = pool_of(m_words),
        .interval = m_words.interval,
        .share_of_drive = probe::share_of_drive(survey.cost, m_words.samples, m_words.interval)};
    publish();
  }

  void take(const probe::Change& change, Time at) {
    warn(probe::change_text(change));
    m_metrics.add(change);
    keep(m_history.append(change, at));
    m_commands.start(change);
    publish();
  }

  // A full disk does not end the probe.
  void keep(const Status& written) {
    if (!written) m_metrics.lost_history();
    if (const auto said = m_missing.note(written)) warn(*said);
  }

  void publish() {
    if (m_server) m_server->publish(m_metrics.text(m_facts, m_finder.standing()));
  }

  const ProbeWords& m_words;
  probe::History m_history;
  probe::ChangeFinder m_finder;
  probe::Metrics m_metrics;
  probe::MetricsFacts m_facts;
  ChangeCommands m_commands;
  std::unique_ptr<probe::MetricsServer> m_server;
  std::string m_last_error;
  probe::MissingLines m_missing;
};

std::string started_now() {
  return record::iso_time(std::chrono::system_clock::now());
}

Result<Exit> probe_sim(const ProbeWords& words, const base::Interrupts& interrupts) {
  RADOSLOAD_ASSIGN(const auto model, target::parse_sim(words.sim));
  std::random_device device;
  if (model.threads > 0) {
    RealClock clock(interrupts);
    RADOSLOAD_ASSIGN(const auto probing, Probing::open(words, started_now()));
    probe::SimProber prober(model, words.by_pool(), device(),
                            [](Time time) { std::this_thread::sleep_for(time); });
    return probing->run(prober, clock, interrupts);
  }
  if (words.rounds == 0) {
    return probe_usage("a simulation in virtual time has no end without --rounds",
                       "add --rounds 100, or --sim threads=1 for real time");
  }
  // It ends now.
  const Time length = words.interval * static_cast<std::int64_t>(words.rounds);
  probe::VirtualClock clock(std::chrono::system_clock::now().time_since_epoch() - length);
  clock.end_when([&interrupts] { return interrupts.count() > 0; });
  RADOSLOAD_ASSIGN(const auto probing, Probing::open(words, started_now()));
  probe::SimProber prober(model, words.by_pool(), device(),
                          [&clock](Time time) { clock.pass(time); });
  return probing->run(prober, clock, interrupts);
}

Result<Exit> probe_cluster(const ProbeWords& words, const base::Interrupts& interrupts) {
  RealClock clock(interrupts);
  RADOSLOAD_ASSIGN(const auto probing, Probing::open(words, started_now()));
  constexpr Time longest_wait = std::chrono::seconds(10);
  RADOSLOAD_ASSIGN(const auto prober, probe::ClusterProber::open({.cluster = words.cluster,
                                                                  .pool = words.pool,
                                                                  .nspace = words.nspace,
                                                                  .by_pool = words.by_pool(),
                                                                  .osds = words.osds,
                                                                  .started = started_now(),
                                                                  .limit = longest_wait}));
  auto ended = probing->run(*prober, clock, interrupts);
  if (ended) {
    warn(
        fmt::format("the objects of the probe stay for the next one; 'radosload cleanup --pool {} "
                    "--run {}' removes them",
                    words.pool, probe::probe_id));
  }
  return ended;
}

Result<Exit> run_probe(const ProbeWords& words) {
  if (!words.action.empty()) return show_history(words);
  RADOSLOAD_TRY(check_words(words));
  if (!words.listen.empty()) RADOSLOAD_TRY(probe::parse_listening(words.listen));
  const base::Interrupts interrupts;  // must exist before librados starts its threads
  return words.target == "sim" ? probe_sim(words, interrupts) : probe_cluster(words, interrupts);
}

void add_where(CLI::App& command, ProbeWords& words) {
  command.add_option("ACTION", words.action, "show: print the history; without it: probe")
      ->check(CLI::IsMember({"show"}).description(""));
  command
      .add_option("--pool", words.pool, "the pool whose OSDs are probed, and that of the history")
      ->type_name("POOL");
  command.add_option("--namespace", words.nspace, "the namespace of the probe's objects")
      ->capture_default_str()
      ->type_name("NAME");
  command
      .add_option("--osd", words.osds,
                  "OSDs, as in 0,3-5,host=NAME,class=hdd; show: numbers only [all that lead PGs of "
                  "the pool]")
      ->type_name("LIST");
  command
      .add_option("--by", words.by,
                  "osd: each OSD, with objects that it leads; pool: the pool as a whole, with "
                  "objects on all its OSDs")
      ->check(one_of_choices("osd|pool"))
      ->capture_default_str()
      ->type_name("osd|pool")
      ->configurable(false);
  command.add_option("--target", words.target, "rados: a cluster; sim: a simulated one")
      ->check(one_of_choices("rados|sim"))
      ->capture_default_str()
      ->type_name("rados|sim");
  command
      .add_option("--sim", words.sim,
                  "sim: latency, OSDs, failures as of 'run --sim'; slow OSDs (slow=3:1.5) become "
                  "slow after 40 rounds; threads=1: in real time")
      ->type_name("MODEL");
}

void add_load(CLI::App& command, ProbeWords& words) {
  add_duration(command, "--interval", words.interval, "time from one round to the next");
  constexpr std::uint32_t most = 1000;
  command.add_option("--reads", words.samples.reads, "reads of each OSD in a round, 4 KiB each")
      ->check(CLI::Range(0U, most).description(""))
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--writes", words.samples.writes, "writes of each OSD in a round")
      ->check(CLI::Range(0U, most).description(""))
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--rounds", words.rounds, "end after N rounds [without end]")
      ->type_name("N")
      ->configurable(false);
  command
      .add_flag("--force", words.force, "probe more often than 0.1 % of a drive of 77 IOPS allows")
      ->configurable(false);
}

void add_results(CLI::App& command, ProbeWords& words) {
  command
      .add_option("--history", words.history,
                  "folder of the history [the pool's, below radosload/probe in the user's state "
                  "folder]")
      ->type_name("DIR");
  command.add_option("--keep-days", words.retention.days, "days of history that are kept")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{36500}).description(""))
      ->capture_default_str()
      ->type_name("N");
  add_size(command, "--keep-size", words.retention.bytes, "size of the history that is kept [4G]");
  command
      .add_option("--listen", words.listen,
                  "serve metrics for Prometheus there: 127.0.0.1:9925; a port alone is one of this "
                  "machine only")
      ->type_name("[ADDRESS:]PORT");
  command
      .add_option("--exec", words.exec,
                  "shell command for each change; {subject}, {osd}, {op}, {ratio}, {since} and "
                  "{text} are replaced")
      ->type_name("CMD");
  command.add_option("--days", words.days, "show: the last days with rounds")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{36500}).description(""))
      ->capture_default_str()
      ->type_name("N")
      ->configurable(false);
  add_format_options(command, words.format);
}

}  // namespace

void add_probe(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "probe", "Probe OSDs every few minutes; report when one becomes slower");
  auto words = std::make_shared<ProbeWords>();
  add_where(*command, *words);
  add_load(*command, *words);
  add_results(*command, *words);
  add_cluster_options(*command, words->cluster);
  command->final_callback([words, &chosen] { chosen = [words] { return run_probe(*words); }; });
}

}  // namespace radosload::cli
