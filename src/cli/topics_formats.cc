// The topics about files that radosload writes: the trace and the record. They become man pages of
// section 5.
#include "cli/prose.h"

namespace radosload::cli {

Prose trace_format() {
  return {
      paragraph(
          "'radosload run --trace FILE.npy' writes a row for each operation of the measured "
          "phase, whether it succeeded, failed, was cancelled, was never answered, or (with "
          "--rate) was due and never sent. A write and the flush after "
          "it are two rows. The file is a NumPy array of structures, 48 bytes per row, little "
          "endian. NumPy reads it directly:"),
      code(">>> rows = numpy.load(\"run.npy\", mmap_mode=\"r\")\n"
           ">>> rows = rows[rows[\"intended_ns\"] >= 0]\n"
           ">>> reads = rows[(rows[\"op\"] == 0) & (rows[\"rc\"] == 0)]\n"
           ">>> latency = reads[\"complete_ns\"] - reads[\"submit_ns\"]"),
      heading("Columns"),
      term("intended_ns (i8)",
           "when the operation was due, in nanoseconds from the start of the measured phase. In a "
           "closed loop it is due when it is sent. Negative: the warm-up sent it, and it was "
           "answered in the measured phase; it counts for throughput, not for latency"),
      term("submit_ns (i8)",
           "when it was sent; of one that was never sent, the end of the measured phase"),
      term(
          "complete_ns (i8)",
          "when it was answered; of one that was never answered, when it was given up; of one that "
          "was never sent, the end of the measured phase"),
      term("where (u8)",
           "byte offset in the working set or in the row of images; for objects without content, "
           "the number of the object; for list, the number of the slice"),
      term("bytes (u4)", "bytes moved; 0 if it failed"),
      term("osd (i4)", "the OSD that served it; -1 if not known"),
      term("pg (u4)", "the placement group; 4294967295 if not known"),
      term("rc (i2)",
           "0, a negative errno, or -2001 HOLE, -2002 SHORT_READ, -2003 STALE, -2004 CORRUPT, "
           "-2005 LOST_WRITE, -2006 NEVER_SENT, -2007 MISDIRECTED, -2008 TORN, or of an operation "
           "without an outcome -2009 UNANSWERED (never answered) or -2010 UNISSUED (due and never "
           "sent)"),
      term("op (u1)",
           "0 read, 1 write, 2 flush, 3 discard, 4 omap-set, 5 omap-get, 6 stat, 7 create, "
           "8 delete, 9 list"),
      term(
          "client (u1)",
          "which of --clients; with --osd, which of them on the first OSD, then on the second, and "
          "so on; 255 for number 255 and all above"),
      heading("Order and completeness"),
      paragraph(
          "Rows of one client are in the order of their answers; rows of several clients are "
          "mixed. Those of operations that were never answered or never sent come last. The load "
          "never waits for the trace. If the disk is full or too slow (96 MiB "
          "may wait), the trace ends, the run continues, the record says how many operations "
          "are missing, and the exit status is 1. After a crash, all rows but those of the "
          "last moment are in the file. An existing file is never overwritten. A sweep or "
          "suite has no trace: run the step of interest by itself."),
      heading("Other programs"),
      paragraph(
          "'radosload trace FILE.npy' prints a summary with the counts and percentiles of the "
          "record, --as csv prints the rows as CSV, --as "
          "rados-bench the table of rados bench, and --as fio-log writes the log files of "
          "fio. Their latencies are means of each millisecond and direction, because readers of "
          "these logs expect each time once; percentiles and maxima are those of the summary.")};
}

Prose record_format() {
  return {
      paragraph(
          "Each run has a record, a JSON document from which reports, comparisons and other "
          "formats are computed. It is in ~/.local/state/radosload/runs/RUN_ID.json, or where "
          "--save says. 'radosload report RUN --format json' prints it. A series (sweep or "
          "suite) has a document of its own in the folder series beside it, and each of its "
          "runs has a record."),
      paragraph(
          "Beside the record is the journal, RUN_ID.jsonl. The run appends a line to it every "
          "second, with the histograms of that second. If radosload is killed, the next "
          "command makes the record from the journal; at most the last second is lost."),
      heading("Units"),
      paragraph(
          "The suffix of a key is its unit: _s seconds, _us microseconds, _ns nanoseconds, "
          "mib_per_s MiB per second. Times count from the start of the measured phase, so the "
          "warm-up has negative times. Values that are not known are null. Readers should "
          "ignore keys that they do not know: new keys may be added without a new schema."),
      heading("Keys"),
      term("schema", "\"radosload.run/1\""),
      term("run_id, started, program", "identify the run; started is in UTC"),
      term("status, ended_by", "whether the run was complete, and what ended it"),
      term("grade", "whether the figures can be trusted, with the reasons"),
      term("warnings", "texts that the report shows"),
      term("measured_s", "length of the measured phase"),
      term("client_cpu_s, peak_rss_mib", "what the client itself used"),
      term("plan", "every option in force, by its long name"),
      term("environment", "cluster, pool, client and OSDs at the start of the run"),
      term("counts",
           "operations submitted, completed, failed and cancelled: in the measured phase, outside "
           "it (unmeasured), and sent before but answered in it (carried)"),
      term("totals",
           "figures of read, write and all: operations, bytes, errors by name, iops, mib_per_s, "
           "service_us (from sending to answer) and response_us (from when it was due)"),
      term("osds", "the same figures for each OSD"),
      term("routing", "what shows that operations went to the OSDs that they were meant for"),
      term("verification", "how many blocks were checked, and with which result"),
      term("events", "what happened when: phases, changes of health, OSDs going down"),
      term("timeline", "figures of each second"),
      term("histograms",
           "all latencies, as HdrHistogram V2 (compressed, base64), by operation and OSD"),
      heading("Example"),
      code("jq '.totals.all | {iops, p99: .service_us.p99}' RUN_ID.json")};
}

}  // namespace radosload::cli
