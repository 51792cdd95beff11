"""What watching costs: CPU of the OSDs and of the client for each operation, with an observer that
reads counters and histograms of the OSDs, over the same without; and without again, which shows the
noise. Mons and mgr are asked in all of them.

A loaded machine scatters by more than an observer costs. So the threads of the client are told
apart as well: those that carry operations take tens of milliseconds a second, all others hardly any,
and an observer works in those others.

usage: watch_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 64]
                     [--rounds 20] [--seconds 3] [--rate N] [--apart]
       CEPH_CONF names the cluster, on this machine
"""

import os
import statistics
import sys
import time
from pathlib import Path

from processors import daemons_of
from variants import MICRO, command_for, compare, cpu_of, record_of, without_store, words_of

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
# In /proc/PID/stat, counted behind the name, which is in parentheses.
UTIME, STIME = 11, 12
WARM_UP_S = 1
MILLI = 1e3
BUSY = 0.005  # of a processor


def cpu_seconds(processes):
    total = 0
    for folder in processes:
        fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        total += int(fields[UTIME]) + int(fields[STIME])
    return total * TICK_S


def thread_times(pid):
    """Seconds of CPU of each thread of a process."""
    times = {}
    for folder in Path(f"/proc/{pid}/task").glob("*"):
        try:
            text = (folder / "schedstat").read_text(encoding="utf-8")
        except OSError:
            continue  # it has ended
        times[folder.name] = int(text.split()[0]) / 1e9
    return times


class Threads:
    """Milliseconds of CPU a second, of the threads with operations and of the others, by variant."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.busy, self.others = {}, {}

    def follow(self, name, pid):
        """While a run of this variant measures: from a second after its warm-up to a second before
        its end."""
        time.sleep(WARM_UP_S + 1)
        before = thread_times(pid)
        time.sleep(self.seconds - 2)
        length = self.seconds - 2
        shares = [(end - before.get(thread, 0)) / length for thread, end in thread_times(pid).items()]
        for kept, rates in ((self.busy, [x for x in shares if x >= BUSY]),
                            (self.others, [x for x in shares if x < BUSY])):
            kept.setdefault(name, []).append(MILLI * sum(rates))

    def show(self):
        middle = {name: (statistics.median(self.busy[name]), statistics.median(self.others[name]))
                  for name in self.busy}
        total = sum(middle["unwatched"])
        for name, (busy, others) in middle.items():
            more = (others - middle["unwatched"][1]) / total
            print(f"{name}: {busy:.1f} ms of CPU a second in threads with operations, {others:.1f} in "
                  f"the others, {more:+.1%} of the client")


def main():
    words = words_of(depths="64")
    osds = daemons_of(os.environ["CEPH_CONF"])
    threads = Threads(words.seconds) if words.seconds > 2 else None

    def measured(depth, *more, name="unwatched"):
        before = cpu_seconds(osds)
        follow = (lambda pid: threads.follow(name, pid)) if threads else None
        record = record_of(command_for(words, depth, *more), meanwhile=follow)
        record["osd_cpu_s"] = cpu_seconds(osds) - before
        return record

    def watched(depth):
        record = measured(depth, "--observer-id", "admin", name="watched")
        windows = [osd["counters"] for osd in record["osds"].values() if "counters" in osd]
        if not windows or any(window["missing"] for window in windows):
            sys.exit("the counters of an OSD were not read")
        return record

    def osd_cpu(record):
        return MICRO * record["osd_cpu_s"] / record["totals"]["all"]["finished"]["ops"]

    variants = {"unwatched": measured, "unwatched again": measured, "watched": watched}
    figures = {"OSD CPU per operation": osd_cpu, "client CPU per operation": cpu_of}
    without_store(lambda: compare(words, variants, "unwatched", figures))
    if threads:
        threads.show()


if __name__ == "__main__":
    main()
