#include "cli/command_texts.h"

#include <array>

#include <fmt/format.h>

namespace radosload::cli {

namespace {

constexpr std::string_view group_measure = "Measure";
constexpr std::string_view group_results = "Results";
constexpr std::string_view group_cluster = "Cluster";
constexpr std::string_view group_explanations = "Explanations";

constexpr std::array<CommandText, 22> texts = {{
    {"run", group_measure,
     "Radosload writes the objects or images that the load needs, runs the load for --warmup and "
     "then for --time, removes what it wrote, prints a report and saves the record of the run. A "
     "list of values (qd=1:4:16) or a suite makes several runs and one table.",
     "  radosload --target sim --pattern randrw4k            without a cluster\n"
     "  radosload --pool hdd --pattern randrw4k\n"
     "  radosload --pool ssd --pattern randread4k --rate 2000,poisson --time 5m\n"
     "  radosload --pool hdd --pattern seq,read=0,bs=1M --clients 4 --format json\n"
     "  radosload --pool hdd --pattern randread4k,qd=1:4:16  a sweep: three runs\n"
     "  radosload --pool hdd --pattern kbench                a suite: twelve runs\n"
     "  radosload --pool ssd --create 10G --data-pool hdd --pattern randrw4k\n"
     "  radosload --pool ssd --image vm1 --pattern randread4k --dry-run\n"
     "  radosload --pool hdd --pattern randread4k --osd 0,3 --each\n"},
    {"join", group_measure,
     "Becomes one more process of a load that another machine has started with 'run --session NAME "
     "--members N'. It takes the plan from there, waits for all members, then starts and ends the "
     "load with them. The leader prints one report of all members. Ctrl-C on any member ends the "
     "load for all; with --leave it ends that member only.",
     "  radosload --pool hdd --pattern randrw4k --session big --members 3\n"
     "  radosload join big --pool hdd          on the two other machines\n"
     "  radosload join big --pool hdd --id load --wait 5m --leave\n"},
    {"replicas", group_measure,
     "Runs a load of writes and estimates how much each OSD adds to their latency. A write waits "
     "for the slowest OSD of its acting set; many acting sets together show the share of each "
     "OSD, with a confidence interval. An OSD is reported slow only if its whole interval exceeds "
     "--matters.",
     "  radosload replicas --pool hdd\n"
     "  radosload replicas --pool hdd --time 5m --rate 200 --fail-if slow\n"
     "  radosload replicas --pool hdd --pattern randrw4k --json\n"},
    {"study", group_measure,
     "Answers a question with a verdict: measures every OSD, pool or image of two or more arms in "
     "shuffled rounds, repeats what was disturbed, and reports which arm is faster, with an "
     "interval, or that the data are inconclusive. The file (YAML) names the question, the arms "
     "and the "
     "loads; 'radosload help studies' explains its keys. Every measurement is kept, and --resume "
     "continues a study that was stopped or killed. Before the first cell it reports the "
     "smallest difference that it can detect; so do --dry-run and --pilot.",
     "  radosload study question.yaml --dry-run\n"
     "  radosload study question.yaml --pilot\n"
     "  radosload study question.yaml --set rounds=5\n"
     "  radosload study wal-vs-db --arm 'wal=--pool hdd --osd 0-3'\n"
     "  radosload study --resume last\n"},
    {"mark", group_measure,
     "Adds an event to the record of each live run of this user on this machine, at the current "
     "time. Use it to note what you do to the cluster. The live view, the picture over time and "
     "'events' in JSON show it. A run takes marks from its warm-up to its last answer, unless it "
     "has --save none.",
     "  radosload mark restart osd.3\n"
     "  radosload mark --run last 'compaction begins'\n"},
    {"list", group_results,
     "Shows one line for each saved run, series, study and timing. Other commands take the ID in "
     "the first column, its beginning if that is unique, or 'last'. An ID is the start of the run "
     "in UTC, to "
     "the millisecond, and a random part.",
     "  radosload list\n"
     "  radosload list --label rack=3\n"
     "  radosload list --steps    with the runs that are steps of a series\n"},
    {"report", group_results,
     "Prints the report of a saved run or series, in any format that 'run' can print; a study with "
     "its verdict; or what 'radosload time' measured, as text, JSON or CSV. With -o it writes the "
     "report of runs or of a study as one HTML file with pictures.",
     "  radosload report last\n"
     "  radosload report last -o report.html\n"
     "  radosload report 20261124-1030 --format json\n"
     "  radosload report last --format fio-json > fio.json\n"
     "  radosload report last --format prometheus > radosload.prom\n"},
    {"explain", group_results,
     "Looks through a saved run for known causes of low speed: a slow OSD, slow drives or flushes, "
     "reads before writes of erasure-coded pools, metadata that is not in memory, a client that "
     "is the limit, and others. Each cause is shown with its evidence, how much of an operation's "
     "time it takes, and the command that would refute it. Most need the counters of the OSDs: "
     "give the run an --observer-id.",
     "  radosload --id load --observer-id admin --pool hdd --pattern randwrite4k\n"
     "  radosload explain last\n"
     "  radosload explain last --json\n"},
    {"compare", group_results,
     "Shows the figures of two or more runs, or of two or more series, side by side, and the "
     "options in which they differ. With --against, --by or --csv it compares two arms of several "
     "OSDs or rounds, and reports which is faster, with an interval, or that the data are "
     "inconclusive. With --against-drives it shows what share of its drives' sum a pool delivers.",
     "  radosload compare 20261124-1030 last\n"
     "  radosload compare before.json after.json\n"
     "  radosload compare 20261124-10 20261124-11 --against 20261124-12 20261124-13\n"
     "  radosload compare --csv figures.csv --primary p99\n"
     "  radosload compare last --against-drives 20261124-14 20261124-15 --drives 12\n"},
    {"baseline", group_results,
     "Keeps runs as a baseline of a cluster, with copies of their records. 'check' measures the "
     "same loads again, for example after an upgrade, and compares the new runs with the kept "
     "ones. Its exit status is 5 if a verdict is 'slower', 1 if runs failed, and otherwise 0, also "
     "when the "
     "data are inconclusive. 'keep' reports the smallest change that such a check can find: four "
     "runs of each load are needed for a verdict without an assumption.",
     "  radosload baseline keep before 20261124-10 20261124-11 20261124-12 20261124-13\n"
     "  radosload baseline check before\n"
     "  radosload baseline check before --dry-run\n"
     "  radosload baseline check before --runs 8 --require-clean\n"
     "  radosload baseline list\n"
     "  radosload baseline remove before --yes\n"},
    {"trace", group_results,
     "Reads the file of 'run --trace', which has a row for each operation. Prints a summary with "
     "the slowest operations, all rows as CSV, the table of rados bench, or fio's log files. "
     "Several files, such as the traces of a session's members, are read as one.",
     "  radosload trace run.npy\n"
     "  radosload trace run.npy --slowest 50 --object-size 4M\n"
     "  radosload trace run.npy --format csv | head\n"
     "  radosload trace member1.npy member2.npy\n"
     "  radosload trace run.npy --format fio-log --output plots/run\n"},
    {"bug-report", group_results,
     "Packs what is known of a run into one file for a bug report: its record, its journal, the "
     "versions of everything, and the log if there is one. Keys and passphrases are left out. It "
     "works for a run that was killed, too.",
     "  radosload bug-report last\n"
     "  radosload bug-report 20261124-1030 --output report.tar.gz\n"},
    {"status", group_cluster,
     "Shows the cluster, its pools and its health, and every condition that may distort a run, "
     "such as recovery, scrubs or OSDs that are down.",
     "  radosload status\n"
     "  radosload status --id load --format json\n"},
    {"osds", group_cluster,
     "Shows host, class, drives and fill of each OSD. --match finds pairs of OSDs that differ in "
     "one kind only (plain, WAL, DB), and names what else would influence their comparison.",
     "  radosload osds\n"
     "  radosload osds class=hdd/host=node1\n"
     "  radosload osds --match plain,wal\n"},
    {"watch", group_cluster,
     "Reads the counters of OSDs again and again, without putting a load on them, and shows how "
     "long "
     "operations took in the OSDs and where they waited: since the watch began, not since the OSDs "
     "started. On a terminal it shows the last interval until it ends. Reading counters takes a "
     "user with osd caps 'allow *' ('radosload auth watch').",
     "  radosload watch\n"
     "  radosload watch --osd class=hdd --time 5m --id watcher\n"
     "  radosload watch --osd 0,3 --time 10s --json\n"},
    {"probe", group_cluster,
     "Reads and writes a few small objects of its own on each OSD every five minutes, keeps the "
     "history in files, and reports which OSD became slower or faster, since when and by how much. "
     "OSDs of a class are compared with each other, so that load that all of them share "
     "raises no alarm. It takes at most 0.1 % of a drive of 77 IOPS. --listen serves metrics for "
     "Prometheus, --exec runs a command for each change. The package has a service, "
     "radosload-probe, that is not enabled.",
     "  radosload probe --pool hdd --listen 9925\n"
     "  radosload probe --pool hdd --osd class=hdd --exec 'logger {text}'\n"
     "  radosload probe show --pool hdd\n"
     "  radosload probe show --osd 3 --days 14 --json\n"
     "  radosload probe --target sim --sim osds=8,slow=3:1.5 --rounds 100\n"},
    {"time", group_cluster,
     "Times what an OSD does by itself, one OSD after the other. 'scrub' separates the time in the "
     "queue from the work. 'peering' restarts the OSD and waits until every PG is active; noout is "
     "set for this OSD alone meanwhile. 'compact' and 'bench' are commands that the OSD carries "
     "out. 'backfill' changes nothing: it watches the rate and estimates the time left. What was "
     "measured is saved: 'radosload list' shows it, 'radosload report ID' prints it again.",
     "  radosload time scrub --osd 0,3 --rounds 3\n"
     "  radosload time scrub --deep --osd kind=wal\n"
     "  radosload time peering --osd 3 --restart-cmd \\\n"
     "      'ssh node1 systemctl restart ceph-osd@{osd}' --yes\n"
     "  radosload time compact --osd host=node1 --json\n"
     "  radosload time bench --osd all --bs 4k\n"
     "  radosload time backfill --limit 1h\n"},
    {"scratch", group_cluster,
     "Makes, lists and removes pools of size 1 whose placement groups are on chosen OSDs. Data in "
     "such a pool is lost with its OSD: use them for measurements only. Without --yes, nothing is "
     "changed.",
     "  radosload scratch create --osd 0,3        show what would be made\n"
     "  radosload scratch create --osd 0,3 --yes  make radosload-scratch-0-3\n"
     "  radosload scratch list                    show scratch pools and their PGs\n"
     "  radosload scratch destroy 0-3 --yes       remove it, with everything in it\n"},
    {"cleanup", group_cluster,
     "Removes objects and images that runs have left in a pool, because they were killed or given "
     "--keep. It leaves alone what a live run uses, and everything that radosload did not make. On "
     "a terminal it shows what it found and asks; scripts give --yes.",
     "  radosload cleanup --pool hdd              show what killed runs left, and ask\n"
     "  radosload cleanup --pool hdd --yes        remove it without asking\n"
     "  radosload cleanup --pool hdd --run ID     a run's kept objects or images\n"
     "  radosload cleanup --scratch               scratch pools that are not in use\n"
     "  radosload cleanup --flags                 flags that 'radosload time' left\n"},
    {"auth", group_cluster,
     "Prints the least rights for each feature of radosload, and the command that makes a Ceph "
     "user "
     "with them. It changes nothing and does not contact a cluster.",
     "  radosload auth\n"
     "  radosload auth run --id load --pool hdd\n"
     "  radosload auth watch\n"},
    {"patterns", group_explanations,
     "Lists the patterns and suites that --pattern takes. With a name, explains it and shows every "
     "key with its value.",
     "  radosload patterns\n"
     "  radosload patterns randrw4k\n"
     "  radosload patterns randrw4k,qd=16\n"},
    {"help", group_explanations,
     "Explains a topic, or prints what --help prints for a command. Without a topic, lists both.",
     "  radosload help\n"
     "  radosload help pinning\n"
     "  radosload help run\n"},
}};

}  // namespace

std::span<const CommandText> command_texts() {
  return texts;
}

std::string footer_of(const CommandText& text) {
  return fmt::format("{}\n\nExamples:\n{}", text.about, text.examples);
}

}  // namespace radosload::cli
