// The topics of `radosload help`, which are also man pages. Facts are taken from the source if
// possible: patterns, keys, rights.
#include <algorithm>
#include <array>

#include "cli/prose.h"
#include "observe/rights.h"
#include "plan/patterns.h"
#include "plan/steps.h"
#include "plan/suites.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

void add_catalogue(Prose& prose) {
  prose.push_back(heading("Named patterns"));
  for (const auto& named : plan::catalogue()) {
    prose.push_back(term(named.defaults.name, fmt::format("{}. {}", named.summary, named.detail)));
  }
  prose.push_back(heading("Suites"));
  for (const auto& suite : plan::suites()) {
    prose.push_back(term(std::string(suite.name),
                         fmt::format("{}. {} Each step is measured for {} after {} of warm-up, "
                                     "unless --time or --warmup is given.",
                                     suite.summary, suite.detail, option_text(suite.time),
                                     option_text(suite.warmup))));
  }
}

void add_keys(Prose& prose) {
  prose.push_back(heading("Keys"));
  for (const auto& key : plan::pattern_keys()) {
    prose.push_back(term(fmt::format("{}={}", key.key, key.values), std::string(key.summary)));
  }
}

Prose patterns() {
  Prose prose = {
      paragraph(
          "A pattern defines the operations of a run. It has a name, and keys that change its "
          "defaults:"),
      code("--pattern NAME[,key=value...]\n\n"
           "--pattern randrw4k\n"
           "--pattern randread4k,bs=8k,dist=zipf:1.1\n"
           "--pattern seq,read=0,bs=64k,object-size=8M"),
      paragraph(
          "Each key is also an option: '--bs 8k' is the same as ',bs=8k'. If both are given, "
          "the option is used. To build a pattern of your own, start from 'rand' or 'seq'. "
          "Sizes are binary: 4k is 4096 bytes, 1M is 1024k. Durations are in seconds or have a "
          "unit: 250ms, 5m, 1h30m, 2d."),
      paragraph("'radosload patterns NAME' shows every key of a pattern with its value, and "
                "--dry-run shows the first operations of a run.")};
  add_keys(prose);
  prose.push_back(heading("Verification"));
  prose.push_back(paragraph(
      "Each block that is written contains the run and the number of the write. A read that "
      "returns "
      "an older write than one that was acknowledged before the read was sent fails as LOST_WRITE. "
      "NEVER_SENT is a write that this run has not sent, MISDIRECTED a write to another place, "
      "TORN "
      "a mixture of several writes. The report names the first such blocks, with object, block and "
      "write."));
  prose.push_back(paragraph(
      "The report also says which share of the blocks was followed (all, up to 128 million), and "
      "which share of the acknowledged writes was read back: a write that is lost and overwritten "
      "before it is read is not detected. On objects that other runs write to as well (--reuse), "
      "blocks of other runs are never reported as lost."));
  prose.push_back(paragraph(
      "verify=stamp only checks that each block is whole and in its place. verify=full also checks "
      "every byte. verify=off checks nothing. Lost writes are detected only in runs that read the "
      "blocks that they write, with a block size that is a multiple of 512 bytes."));
  prose.push_back(heading("Lists of values"));
  prose.push_back(paragraph(fmt::format(
      "A list of values (with colons) makes a run for each value, on the same objects, and one "
      "table. Several lists make every combination, up to {} runs; the key that is given first "
      "changes slowest. Every key takes a list except dist, because zipf:THETA has a colon of its "
      "own; so do the name of the pattern, --rate and --clients. If a series is interrupted, "
      "--resume runs the missing steps.",
      plan::most_steps)));
  prose.push_back(
      code("--pattern randread4k,qd=1:4:16:64\n"
           "--pattern randrw4k,bs=4k:64k --clients 1:2"));
  add_catalogue(prose);
  return prose;
}

// The command that creates a user with the rights for a feature, wrapped to the page.
std::string grant(std::string_view feature) {
  const auto rights = observe::rights_for(feature);
  if (!rights) return {};
  const observe::Rights& found = **rights;
  const observe::Caps caps = observe::caps_of(found);
  return fmt::format("ceph auth get-or-create {} \\\n    mon '{}' mgr '{}' \\\n    osd '{}'",
                     observe::user_name(found), caps.mon, caps.mgr, caps.osd);
}

Prose pinning() {
  return {
      paragraph("radosload knows which OSD serves each operation, so every record has figures for "
                "each OSD. --osd limits the load to some OSDs: only objects that they serve are "
                "used, the same number for each OSD. Each OSD gets its own load: --qd, --size and "
                "--rate are for each of them."),
      code("--osd 3                     reads go to osd.3 only\n"
           "--osd 0-3,class=hdd         several OSDs, by number or property\n"
           "--osd class=hdd/host=node1  OSDs with both properties\n"
           "--osd 0,3,6 --each          one at a time, in shuffled rounds\n"
           "--osd 0,1,2 --pin all       only PGs whose whole acting set is listed\n"
           "--osd 3 --dry-run           show how many objects each would serve"),
      paragraph("The list has numbers (0,3-5), host=NAME, class=hdd, kind=wal or 'all'. 'radosload "
                "osds' shows these properties of each OSD."),
      heading("What pinning isolates"),
      paragraph("A read involves one OSD only. A write is answered when all OSDs of its acting set "
                "have it: its latency is that of the slowest of them, unless the pool has size 1."),
      heading("How routing is verified"),
      paragraph(
          "radosload follows the OSD map: if a placement group of a pinned run moves, the run "
          "is void. Once a second it samples, over the admin socket of each client (no extra "
          "rights needed), to which OSDs the operations in flight are going. The report "
          "counts the samples that were on their way to the right OSD. A single one on its "
          "way to another OSD makes a pinned run void."),
      paragraph("With --observer-id, radosload also reads the OSDs' own counters before the first "
                "operation and after the last. Each OSD must have served at least the operations "
                "that it answered to radosload; the rest is load from other clients. The observer "
                "is a separate user that never does I/O, because reading counters needs rights "
                "that could also destroy pools:"),
      code(grant("counters")),
      paragraph("Without those rights the run continues without counters, and the report warns. "
                "If the user or keyring of the observer does not exist, radosload refuses the run "
                "before it writes anything."),
      heading("Scratch pools"),
      paragraph("For writes that touch a single OSD, use a scratch pool: a pool of size 1 whose "
                "placement groups are on chosen OSDs:"),
      code("radosload scratch create --osd 0,3          # shows what would be made\n"
           "radosload scratch create --osd 0,3 --yes\n"
           "radosload --pool radosload-scratch-0-3 \\\n"
           "    --pattern randwrite4k --osd 0,3\n"
           "radosload scratch destroy 0-3 --yes"),
      paragraph(
          "Data in such a pool is lost if its OSD is lost: use it for measurements only. The "
          "mons must allow pools of size 1 and the deletion of pools. radosload checks this "
          "first and never changes these settings. The pool has its own CRUSH rule, CRUSH "
          "weights and upmaps, so the balancer does not move it. If an OSD is marked out, its "
          "placement groups move to other OSDs: 'radosload scratch list' shows where they "
          "are. 'radosload cleanup --scratch' removes all scratch pools that are not in use, "
          "and the remains of a killed 'scratch create'."),
      paragraph("The least rights for scratch pools:"),
      code(grant("scratch")),
      paragraph("'radosload auth' prints the least rights for every feature.")};
}

Prose config() {
  return {
      paragraph("Config files hold defaults for options. radosload reads two files, if they exist; "
                "the second has priority:"),
      term("/etc/radosload/radosload.conf", "for all users of this machine"),
      term("~/.config/radosload/radosload.conf",
           "for you ($XDG_CONFIG_HOME/radosload/radosload.conf if XDG_CONFIG_HOME is set)"),
      code("# how to reach the cluster, for every command\n"
           "[cluster]\n"
           "id = load\n"
           "keyring = /etc/ceph/ceph.client.load.keyring\n"
           "\n"
           "# options of 'radosload run', by their long names\n"
           "[run]\n"
           "pool = fast\n"
           "time = 2m\n"
           "no-progress = yes\n"
           "\n"
           "# names of your own for pools: --pool fast\n"
           "[pools]\n"
           "fast = nvme-rep3"),
      paragraph(
          "There is a section for each command that has options. Its keys are the long names "
          "of the options, without dashes. Switches take yes or no. A # at the start of a line "
          "or after a blank begins a comment."),
      paragraph(
          "Priority, highest first: the command line, the environment (CEPH_CONF, CEPH_ARGS), "
          "your file, the machine's file, the built-in default. --SWITCH=no turns off a "
          "switch that a file turns on. --no-config ignores both files."),
      paragraph(
          "If you select another cluster (--conf, --cluster, --mon-host, CEPH_CONF), id, name "
          "and keyring from config files are ignored. If you select another user (--id, "
          "--name), keyring from config files is ignored. With --drive, --target sim or null, "
          "pool is ignored. A suite uses its own times."),
      paragraph("A file cannot set options that are meant for a single run (destroy-data, image, "
                "create, resume and others), or single keys of patterns, because the name of a "
                "pattern must mean the same everywhere. Secrets are refused: they belong in "
                "keyrings. Invalid settings are reported with their line number."),
      paragraph("If --pool is a name from [pools], radosload prints the real pool. Records contain "
                "every option in force, wherever it was set.")};
}

Prose exit_statuses() {
  return {term("0", "success"),
          term("1",
               "measured, but operations failed, the run ended early, or its record, trace or logs "
               "could not be saved"),
          term("2", "usage error on the command line or in a config file"),
          term("3", "no cluster, no permission, no such pool"),
          term("4",
               "refused: not enough space, the cluster is not healthy enough, a file would be "
               "overwritten, or --yes is missing"),
          term("5", "the --fail-if condition was met, or 'baseline check' says slower"),
          term("130", "interrupted; the report shows what was measured, and the record is saved")};
}

Prose environment() {
  return {
      term("CEPH_CONF", "the Ceph config file, unless --conf is given"),
      term("CEPH_ARGS",
           "options of Ceph's programs: --conf, --id, --name, --keyring, --mon-host, --cluster. "
           "The command line has priority"),
      term("CEPH_KEYRING", "the keyring, as for any program that uses librados"),
      term("RADOSLOAD_CONFIG",
           "config file to read instead of /etc/radosload/radosload.conf; empty: none"),
      term("XDG_CONFIG_HOME", "folder of radosload/radosload.conf [~/.config]"),
      term("XDG_STATE_HOME",
           "folder of radosload, with the saved runs, series, studies, timings and baselines "
           "[~/.local/state]"),
      term("XDG_RUNTIME_DIR", "folder for the admin sockets of radosload's clients [/tmp]"),
      term("TMPDIR", "folder for the unnamed trace of 'radosload replicas' [/tmp]"),
      term("NO_COLOR", "if it is not empty: no colours, unless --color always is given"),
      term("TERM", "if it is 'dumb' or not set: no colours and no live view")};
}

Prose files() {
  return {term("/etc/ceph/ceph.conf",
               "how to reach the cluster; the keyring of a user is expected "
               "beside it as ceph.client.ID.keyring"),
          term("/etc/radosload/radosload.conf", "defaults for all users of this machine"),
          term("~/.config/radosload/radosload.conf", "your own defaults"),
          term("~/.local/state/radosload/runs",
               "records of runs, and the journals of runs in progress"),
          term("~/.local/state/radosload/series", "sweeps and suites, which --resume continues"),
          term("~/.local/state/radosload/studies", "studies, which 'study --resume' continues"),
          term("~/.local/state/radosload/times", "what 'radosload time' measured"),
          term("~/.local/state/radosload/baselines",
               "baselines, with copies of the records of their runs"),
          term("/usr/share/radosload/schema", "JSON Schemas of every JSON document"),
          term("/usr/share/radosload/studies", "the studies that are shipped")};
}

constexpr std::array<Topic, 9> all = {{
    {"patterns", "Patterns: names, keys, verification, lists of values, suites", patterns,
     "radosload-patterns", 7},
    {"pinning", "Load on chosen OSDs: what it isolates, how routing is verified", pinning,
     "radosload-pinning", 7},
    {"studies", "Studies: the file, its keys, the studies that are shipped", study_format,
     "radosload-studies", 7},
    {"config", "Config files: defaults for options, and names for pools", config, "radosload.conf",
     5},
    {"record-format", "The record of a run, a JSON document", record_format, "radosload-record", 5},
    {"trace-format", "The trace of a run, a NumPy array", trace_format, "radosload-trace", 5},
    {"exit", "Exit statuses", exit_statuses},
    {"environment", "Environment variables", environment},
    {"files", "Files that radosload reads and writes", files},
}};

}  // namespace

std::span<const Topic> topics() {
  return all;
}

const Topic* find_topic(std::string_view name) {
  const auto* const found =
      std::find_if(all.begin(), all.end(), [&](const Topic& topic) { return topic.name == name; });
  return found == all.end() ? nullptr : found;
}

}  // namespace radosload::cli
