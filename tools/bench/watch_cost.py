"""What watching costs: CPU of the OSDs and of the client for each operation, with an observer that
reads counters and histograms of the OSDs, over the same without; and without again, which shows the
noise. Mons and mgr are asked in all of them.

usage: watch_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 64]
                     [--rounds 20] [--seconds 3] [--rate N]
       CEPH_CONF names the cluster, on this machine
"""

import os
import sys
from pathlib import Path

from variants import MICRO, command_for, compare, cpu_of, record_of, without_store, words_of

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
# In /proc/PID/stat, counted behind the name, which is in parentheses.
UTIME, STIME = 11, 12


def osds_of(conf):
    """The processes of the OSDs that were started with this configuration."""
    conf = os.path.abspath(conf)  # as the lab starts them
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        if words[0].endswith(b"ceph-osd") and conf.encode() in words:
            found.append(folder)
    if not found:
        sys.exit(f"no ceph-osd with the configuration {conf} runs on this machine")
    return found


def cpu_seconds(processes):
    total = 0
    for folder in processes:
        fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        total += int(fields[UTIME]) + int(fields[STIME])
    return total * TICK_S


def main():
    words = words_of(depths="64")
    osds = osds_of(os.environ["CEPH_CONF"])

    def measured(depth, *more):
        before = cpu_seconds(osds)
        record = record_of(command_for(words, depth, *more))
        record["osd_cpu_s"] = cpu_seconds(osds) - before
        return record

    def watched(depth):
        record = measured(depth, "--observer-id", "admin")
        windows = [osd["counters"] for osd in record["osds"].values() if "counters" in osd]
        if not windows or any(window["missing"] for window in windows):
            sys.exit("the counters of an OSD were not read")
        return record

    def osd_cpu(record):
        return MICRO * record["osd_cpu_s"] / record["totals"]["all"]["finished"]["ops"]

    variants = {"unwatched": measured, "unwatched again": measured, "watched": watched}
    figures = {"OSD CPU per operation": osd_cpu, "client CPU per operation": cpu_of}
    without_store(lambda: compare(words, variants, "unwatched", figures))


if __name__ == "__main__":
    main()
