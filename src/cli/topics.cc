// The topics of `radosload help`. Facts that stand elsewhere in the source are taken from there.
#include <algorithm>
#include <array>

#include "cli/prose.h"
#include "footprint/scratch.h"
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
                                     "unless --time and --warmup say otherwise.",
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
      paragraph("A pattern says what operations a run is made of. It has a name, and keys that "
                "change what the name stands for:"),
      code("--pattern NAME[,key=value...]\n\n"
           "--pattern randrw4k\n"
           "--pattern randread4k,bs=8k,dist=zipf:1.1\n"
           "--pattern seq,read=0,bs=64k,object-size=8M"),
      paragraph("Each key is an option of its own as well: --bs 8k is ',bs=8k'. The option wins "
                "where both are given. 'rand' and 'seq' are the names for whatever has no name of "
                "its own. Sizes are binary: 4k is 4096 bytes, 1M is 1024k. Durations are seconds, "
                "or carry a unit: 250ms, 5m, 1h."),
      paragraph("'radosload patterns NAME' shows every key that is in force for a name, and "
                "--dry-run the first operations of a run.")};
  add_keys(prose);
  prose.push_back(heading("What is verified"));
  prose.push_back(paragraph(
      "Each block that is written says which run, and which write, it comes from. A read that "
      "returns "
      "an older write than one which was acknowledged before the read was sent fails as "
      "LOST_WRITE; "
      "NEVER_SENT is a write that this run has not sent, MISDIRECTED one to another place, TORN a "
      "block of several writes. The first ones are named with object, block and generations. The "
      "report says which share of the blocks was followed (all, up to 128 million) and which share "
      "of acknowledged writes a read has returned: a write that is lost and overwritten before it "
      "is read is not seen. On objects that other runs write to as well (--reuse), what is theirs "
      "is never called a loss."));
  prose.push_back(paragraph(
      "verify=stamp only checks that each block is whole and in its place, full also checks every "
      "byte, off nothing. Writes are followed by runs that read what they write, in blocks of a "
      "multiple of 512 bytes."));
  prose.push_back(heading("Lists of values"));
  prose.push_back(paragraph(fmt::format(
      "A list of values makes a run of each, on the same objects, and one table. Several lists "
      "make every combination, {} runs at most; the key given first changes slowest. Every key "
      "takes a list but dist, whose colon belongs to zipf:THETA; so do the pattern's name, --rate "
      "and --clients. What is missing of a series is run by --resume.",
      plan::most_steps)));
  prose.push_back(
      code("--pattern randread4k,qd=1:4:16:64\n"
           "--pattern randrw4k,bs=4k:64k --clients 1:2"));
  add_catalogue(prose);
  return prose;
}

Prose pinning() {
  return {
      paragraph("Every operation carries the OSD that serves it, so every record has figures for "
                "each OSD. --osd chooses some: only objects that they serve are used, as many for "
                "each, and each has a load of its own (--qd, --size and --rate are for each)."),
      code("--osd 3                     reads touch osd.3 alone\n"
           "--osd 0-3,class=hdd         several, or by what they are\n"
           "--osd class=hdd/host=node1  those that are both\n"
           "--osd 0,3,6 --each          one at a time, in shuffled rounds\n"
           "--osd 0,1,2 --pin all       only where the whole acting set is among them\n"
           "--osd 3 --dry-run           how many objects each would serve"),
      paragraph("The words are numbers (0,3-5), host=NAME, class=hdd, kind=wal or 'all'; "
                "'radosload osds' shows what each OSD is."),
      heading("What it isolates"),
      paragraph("A read is the OSD's own. A write is answered when all of its acting set have it: "
                "its latency is that of the slowest there, unless the pool has size 1."),
      heading("What proves it"),
      paragraph("The map is followed: when a placement group of a pinned run moves, the run is "
                "void. Once a second each client is asked over its admin socket, which takes no "
                "rights, where the operations in flight are going; 'sampled there' counts those on "
                "their way to the OSD they were meant for. A single one elsewhere makes a pinned "
                "run void."),
      paragraph("With --observer-id the OSDs' own counters are read, before the first operation "
                "and after the last: what they served must be at least what they answered to us. "
                "The rest is somebody else's load. The observer is a user of its own and is never "
                "used for I/O, since counters take rights that could destroy every pool:"),
      code("ceph auth get-or-create client.watcher \\\n"
           "    mon 'allow r' mgr 'allow r' osd 'allow *'"),
      paragraph("Without those rights the run goes on without counters, and says so. A user or "
                "keyring that does not exist is refused before anything is written."),
      heading("Scratch pools"),
      paragraph("Where a write is to touch one OSD and nothing else, it takes a pool of size 1 "
                "whose placement groups are bound to chosen OSDs:"),
      code("radosload scratch create --osd 0,3          # what would be made\n"
           "radosload scratch create --osd 0,3 --yes\n"
           "radosload --pool radosload-scratch-0-3 --pattern randwrite4k --osd 0,3\n"
           "radosload scratch destroy 0-3 --yes"),
      paragraph(
          "What is in such a pool is lost with its OSD: it is for measuring and nothing else. "
          "The mons must allow pools of size 1 and the deletion of pools; both are looked at "
          "first, and radosload changes no setting by itself. The pool has a CRUSH rule, CRUSH "
          "weights and upmaps of its own, so the balancer leaves it where it is. An OSD that "
          "is marked out loses its placement groups to others: 'radosload scratch list' shows "
          "where they are. 'radosload cleanup --scratch' removes all scratch pools that "
          "nobody uses, and what a killed 'create' has left."),
      paragraph("The least rights for all of it:"),
      code(fmt::format("ceph auth get-or-create client.scratch \\\n    {} \\\n    {}",
                       footprint::scratch_daemon_caps, footprint::scratch_osd_caps))};
}

Prose config() {
  return {
      paragraph("Defaults of your own, for options that would be the same in every run. Two files "
                "are read, where they exist; what the second says counts more:"),
      term("/etc/radosload/radosload.conf", "for everybody on this machine"),
      term("~/.config/radosload/radosload.conf",
           "for you ($XDG_CONFIG_HOME/radosload/radosload.conf where that is set)"),
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
      paragraph("There is a section for each command that takes options, and its keys are those "
                "options without their dashes. Switches take yes or no. A line that begins with # "
                "is a comment, and so is what follows a # behind a blank."),
      paragraph("The command line counts most, then the environment (CEPH_CONF, CEPH_ARGS), your "
                "file, the machine's file, and what is built in. A switch that a file sets is "
                "taken back with --SWITCH=no. --no-config leaves both files unread."),
      paragraph("What belongs together stays together. Whoever names another cluster (--conf, "
                "--cluster, --mon-host, CEPH_CONF) gets neither user nor keyring from a file that "
                "speaks of this one, and whoever names another user (--id, --name) not the "
                "keyring of this one. --target sim and null take no pool from a file. A suite "
                "keeps its own times."),
      paragraph("What must be said anew for each run is refused in a file (destroy-data, image, "
                "create, resume and the like), and so are keys of patterns, because a pattern's "
                "name means the same everywhere. Whatever a file cannot mean is an error with its "
                "line. Secrets are refused: they stay in keyrings."),
      paragraph("When a name for a pool is used, the pool it stands for is printed. Records hold "
                "every option in force, wherever it came from.")};
}

Prose exit_statuses() {
  return {term("0", "measured, or what was asked for was shown"),
          term("1",
               "measured, but operations failed, the run ended early, or its record or logs "
               "are not saved"),
          term("2", "the words of the command line, or of a config file, make no sense"),
          term("3", "no cluster, no permission, no such pool"),
          term("4",
               "refused: it would not fit, the cluster is in no state for it, a file would be "
               "overwritten, or --yes is missing"),
          term("5", "what --fail-if named came out"),
          term("130", "interrupted; what was measured is reported and kept")};
}

Prose environment() {
  return {term("CEPH_CONF", "the Ceph config, where --conf names none"),
          term("CEPH_ARGS",
               "options of Ceph's programs, understood where the command line says "
               "nothing: --conf, --id, --name, --keyring, --mon-host, --cluster"),
          term("CEPH_KEYRING", "the keyring, as librados understands it"),
          term("RADOSLOAD_CONFIG",
               "a file to read in the place of /etc/radosload/radosload.conf; "
               "empty: none"),
          term("XDG_CONFIG_HOME", "where radosload/radosload.conf of your own is [~/.config]"),
          term("XDG_STATE_HOME", "where radosload/runs is, with the saved runs [~/.local/state]")};
}

Prose files() {
  return {term("/etc/ceph/ceph.conf",
               "how to reach the cluster; the keyring of a user is found "
               "beside it as ceph.client.ID.keyring"),
          term("/etc/radosload/radosload.conf", "defaults for everybody on this machine"),
          term("~/.config/radosload/radosload.conf", "defaults of your own"),
          term("~/.local/state/radosload/runs",
               "saved runs and series, and the journals of those that are running")};
}

constexpr std::array<Topic, 6> all = {{
    {"patterns", "what a run does: names, keys, lists of values, suites", patterns},
    {"pinning", "choosing OSDs, what it isolates, what proves it; scratch pools", pinning},
    {"config", "config files: defaults, and names for pools", config},
    {"exit", "exit statuses", exit_statuses},
    {"environment", "variables that are understood", environment},
    {"files", "files that are read and written", files},
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
