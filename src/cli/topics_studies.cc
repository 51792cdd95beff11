// The topic about the study file: the table of its keys, from the parser.
#include "cli/prose.h"
#include "study/study_keys.h"

namespace radosload::cli {

Prose study_format() {
  Prose prose = {
      paragraph("'radosload study FILE|NAME' measures arms in turns, for several rounds, and says "
                "whether they differ. A study is a YAML file:"),
      code("question: Are writes to OSDs with a DB on flash faster?\n"
           "arms:\n"
           "  plain: --pool plain1 --osd 8-11\n"
           "  db: --pool db1 --osd 4-7\n"
           "patterns: [randwrite4k]\n"
           "options:\n"
           "  time: 10s\n"
           "  observer-id: admin\n"
           "rounds: 10\n"
           "primary: randwrite4k IOPS"),
      paragraph(
          "A wrong key or value ends the command with status 2, before anything is done; the "
          "message names file, line, key and the nearest valid word. Anchors, aliases and tags "
          "of YAML are refused, and files of more than 256 KiB."),
      heading("Keys")};
  for (const study::StudyKey& key : study::study_keys()) {
    prose.push_back(
        term(std::string(key.key) + ": " + std::string(key.values), std::string(key.summary)));
  }
  prose.push_back(heading("Changes on the command line"));
  prose.push_back(term("--arm NAME=OPTIONS", "replaces the arm of that name, or adds one"));
  prose.push_back(term("--set KEY=VALUE",
                       "replaces a value: rounds=3, load=60%, timers=[]. KEY.NAME is one entry of "
                       "arms, patterns, timers, phases, options or load: options.time=5s"));
  prose.push_back(term("--print", "shows the study that results, as YAML"));
  prose.push_back(heading("Studies that are shipped"));
  prose.push_back(paragraph(
      "They are in /usr/share/radosload/studies and are named without folder and ending: "
      "wal-vs-db, "
      "ssd-metadata, sync-writes, before-after, pool-matrix. Their arms fit a lab; --arm fits them "
      "to "
      "a cluster. /usr/share/radosload/schema/study-file.json is the JSON Schema of the file."));
  return prose;
}

}  // namespace radosload::cli
