"""radosload beside rados bench on one pool: the same shape of load, in alternating rounds.

Prints a row for each round and the medians of the ratios with bootstrap intervals. Beside the mean
latency that each program reports stands the mean that the OSDs themselves counted over exactly the
same seconds: where the programs differ, it shows whether the cluster differed or the clients did.

usage: rados_bench.py RADOSLOAD --pool hdd [--op write|rand|seq] [--block 4M] [--depth 16]
                      [--time 20] [--rounds 7]          CEPH_CONF names the cluster
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from figures import bench_figure, byte_count, interval

SECOND = 1000


@dataclass
class Round:
    iops: float
    mean_ms: float
    osd_ms: float


@dataclass
class Bench:
    words: argparse.Namespace
    kept: str = ""
    environment: dict = field(default_factory=lambda: dict(os.environ))

    def run(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              check=False, env=self.environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr}")
        return done.stdout


def osd_counters(bench):
    """Sum and count of the latencies of client operations, over all OSDs."""
    kind = "op_w_latency" if bench.words.op == "write" else "op_r_latency"
    total, count = 0.0, 0
    for osd in json.loads(bench.run("ceph", "osd", "ls", "--format", "json")):
        dump = json.loads(bench.run("ceph", "tell", f"osd.{osd}", "perf", "dump", "osd"))
        total += dump["osd"][kind]["sum"]
        count += dump["osd"][kind]["avgcount"]
    return total, count


def with_counters(bench, measure):
    sum_before, count_before = osd_counters(bench)
    iops, mean_ms = measure(bench)
    sum_after, count_after = osd_counters(bench)
    counted = max(1, count_after - count_before)
    return Round(iops, mean_ms, SECOND * (sum_after - sum_before) / counted)


def rados_bench(bench):
    words = bench.words
    command = ["rados", "-p", words.pool, "bench", words.time, words.op, "-t", words.depth]
    if words.op == "write":
        command += ["-b", byte_count(words.block), "--no-cleanup"]
    text = bench.run(*command)
    # Its own "Average IOPS" is a whole number, too coarse for a slow pool.
    made = "Total writes made" if words.op == "write" else "Total reads made"
    iops = bench_figure(text, made) / bench_figure(text, "Total time run")
    return iops, SECOND * bench_figure(text, "Average Latency(s)")


def radosload(bench):
    words = bench.words
    command = [words.program, "run", "--pool", words.pool, "--pattern",
               f"radosbench-{words.op},bs={words.block},size={words.size}", "--qd", words.depth,
               "--time", f"{words.time}s", "--warmup", "0", "--format", "json", "--no-progress"]
    # What is written stays until the round is counted: a deletion is a write to an OSD.
    command += ["--reuse", bench.kept] if bench.kept else ["--keep"]
    record = json.loads(bench.run(*command))
    total = record["totals"]["all"]
    return total["iops"], total["service_us"]["mean"] / SECOND


def clean(bench):
    cleanup = [bench.words.program, "cleanup", "--yes", "--pool", bench.words.pool]
    # What is kept goes by its name alone.
    for line in bench.run(*cleanup).splitlines():
        run, _, fate = line.partition(": ")
        if "is kept" in fate:
            bench.run(*cleanup, "--run", run)
    bench.run("rados", "-p", bench.words.pool, "cleanup")


def prepare(bench):
    """What the reads will read, written by each for itself."""
    if bench.words.op == "write":
        return
    size, block = byte_count(bench.words.size), byte_count(bench.words.block)
    bench.run("rados", "-p", bench.words.pool, "bench", 3600, "write", "-t", 16, "-b", block,
              "--max-objects", size // block, "--no-cleanup")
    command = [bench.words.program, "run", "--pool", bench.words.pool, "--pattern",
               f"radosbench-{bench.words.op},bs={bench.words.block},size={bench.words.size}",
               "--ops", "1", "--warmup", "0", "--keep", "--format", "json", "--no-progress"]
    bench.kept = json.loads(bench.run(*command))["run_id"]


def show(name, values):
    middle, low, high = interval(values)
    print(f"{name:44} {middle:8.3f}   95 % of resamples {low:.3f} .. {high:.3f}")


def rounds(bench):
    print(f"{'round':>5} {'IOPS':>9} {'rados b.':>9} {'mean ms':>9} {'rados b.':>9} "
          f"{'OSDs ms':>9} {'rados b.':>9}")
    for number in range(bench.words.rounds):
        order = [radosload, rados_bench] if number % 2 == 0 else [rados_bench, radosload]
        result = {}
        for measure in order:
            result[measure] = with_counters(bench, measure)
            if bench.words.op == "write":
                clean(bench)
        ours, theirs = result[radosload], result[rados_bench]
        print(f"{number + 1:5} {ours.iops:9.1f} {theirs.iops:9.1f} {ours.mean_ms:9.2f} "
              f"{theirs.mean_ms:9.2f} {ours.osd_ms:9.2f} {theirs.osd_ms:9.2f}", flush=True)
        yield ours, theirs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--pool", required=True)
    parser.add_argument("--op", choices=["write", "rand", "seq"], default="write")
    parser.add_argument("--block", default="64k")
    # Writes go to new objects, as those of rados bench do; more than a round can fill.
    parser.add_argument("--size", default="2048M")
    parser.add_argument("--depth", type=int, default=16)
    parser.add_argument("--time", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7)
    with tempfile.TemporaryDirectory() as state:
        bench = Bench(parser.parse_args())
        bench.environment["XDG_STATE_HOME"] = state
        prepare(bench)
        try:
            pairs = list(rounds(bench))
        finally:
            clean(bench)
    show("IOPS, radosload / rados bench", [ours.iops / theirs.iops for ours, theirs in pairs])
    show("mean latency, radosload / rados bench",
         [ours.mean_ms / theirs.mean_ms for ours, theirs in pairs])
    show("the same as the OSDs counted it", [ours.osd_ms / theirs.osd_ms for ours, theirs in pairs])
    show("client above OSD, radosload, ms", [ours.mean_ms - ours.osd_ms for ours, _ in pairs])
    show("client above OSD, rados bench, ms", [t.mean_ms - t.osd_ms for _, t in pairs])


if __name__ == "__main__":
    main()
