"""What a trace costs: CPU of the client for each operation with and without --trace, and the time
that a summary of a large trace takes.

Runs of the same load in shuffled order, rounds of three: plain, traced, and plain again, which shows
the noise. Prints medians of the ratios within the rounds.

usage: trace_cost.py RADOSLOAD [--pool ssd] [--ops read,write] [--depths 1,16,64] [--rounds 20]
                     [--seconds 3] [--rows 100000000] [--folder FOLDER]
CEPH_CONF names the cluster; traces lie in FOLDER [the current one] while they are needed. The last
part takes NumPy, and 48 bytes for each of --rows; 0 leaves it out.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import interval

MICRO = 1e6
BLOCK = 4096
HEADER, ROW = 512, 48
PLAIN, TRACED, AGAIN = "plain", "traced", "again"
SUMMARIES = 3


def run(*command):
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stderr}{done.stdout}")
    return done.stdout


class Load:
    """One kind of load on objects that are kept."""

    def __init__(self, words, folder):
        self.words = words
        self.folder = folder
        self.kept = ""

    def prepare(self):
        record = self.call("read", 16, "--ops", 1, "--warmup", 0, "--keep")
        self.kept = record["run_id"]

    def call(self, operation, depth, *more):
        words = self.words
        pattern = f"rand{operation}4k,object-size=4k,size={words.objects * BLOCK}"
        return json.loads(run(words.radosload, "run", "--pool", words.pool, "--pattern", pattern,
                              "--qd", depth, "--format", "json", "--no-progress", *more))

    def measure(self, name, operation, depth):
        """(IOPS, CPU microseconds for each operation)"""
        trace = self.folder / "cost.npy"
        more = ["--time", f"{self.words.seconds}s", "--warmup", "1s"]
        if operation == "read":
            more += ["--reuse", self.kept]
        if name == TRACED:
            more += ["--trace", trace]
        record = self.call(operation, depth, *more)
        total = record["totals"]["all"]
        if name == TRACED:
            rows = (trace.stat().st_size - HEADER) // ROW
            trace.unlink()
            if rows != record["counts"]["measured"]["completed"]:
                sys.exit(f"{rows} rows of {total['ops']} operations")
        return total["iops"], MICRO * sum(record["client_cpu_s"].values()) / total["ops"]


def text_of(values):
    middle, low, high = interval(values)
    return f"{middle:.3f} ({low:.3f} .. {high:.3f})"


def cost(load, operation, depth, draw):
    rounds = []
    for _ in range(load.words.rounds):
        names = [PLAIN, TRACED, AGAIN]
        draw.shuffle(names)
        rounds.append({name: load.measure(name, operation, depth) for name in names})
    for name in (AGAIN, TRACED):
        iops, cpu = ([one[name][i] / one[PLAIN][i] for one in rounds] for i in (0, 1))
        print(f"| {operation}, depth {depth}: {name} / plain | {text_of(cpu)} | {text_of(iops)} |",
              flush=True)


def write_rows(words, folder):
    """A trace of so many rows, with the head that radosload itself writes."""
    import numpy  # only this part needs it

    small, large = folder / "small.npy", folder / "large.npy"
    run(words.radosload, "run", "--target", "null", "--pattern", "randrw4k", "--ops", 1, "--warmup",
        0, "--no-progress", "--trace", small)
    dtype = numpy.load(small, mmap_mode="r").dtype
    head = small.read_bytes()[:HEADER].replace(b"%20d," % 1, b"%20d," % words.rows)
    draw = numpy.random.default_rng(1)
    at_once = 1_000_000
    with open(large, "wb") as file:
        file.write(head)
        for first in range(0, words.rows, at_once):
            count = min(at_once, words.rows - first)
            rows = numpy.zeros(count, dtype)
            rows["submit_ns"] = (first + numpy.arange(count)) * 10_000  # 100,000 a second
            rows["intended_ns"] = rows["submit_ns"] - draw.integers(0, 1000, count)
            rows["complete_ns"] = rows["submit_ns"] + draw.lognormal(13.8, 1, count).astype("i8")
            rows["where"] = draw.integers(0, 1 << 18, count) * BLOCK
            rows["bytes"], rows["pg"] = BLOCK, 2**32 - 1
            rows["osd"], rows["op"] = draw.integers(0, 30, count), draw.integers(0, 2, count)
            rows.tofile(file)
    return large


def summary(words, folder):
    if shutil.disk_usage(folder).free < 1.2 * ROW * words.rows:
        sys.exit(f"{folder} has no room for {words.rows} rows")
    large = write_rows(words, folder)
    with open(large, "rb") as file:
        while file.read(1 << 24):
            pass  # so that it lies in memory, as far as that reaches
    for _ in range(SUMMARIES):
        start = time.monotonic()
        run(words.radosload, "trace", large)
        print(f"| summary of {words.rows:,} rows | {time.monotonic() - start:.1f} s | |", flush=True)
    large.unlink()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--ops", default="read,write")
    parser.add_argument("--depths", default="1,16,64")
    parser.add_argument("--objects", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--folder", default=".")
    words = parser.parse_args()
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as state, \
            tempfile.TemporaryDirectory(dir=words.folder) as folder:
        os.environ["XDG_STATE_HOME"] = state
        load = Load(words, Path(folder))
        if words.rounds:
            load.prepare()
            print("| ratio | CPU per operation | IOPS |\n| --- | --- | --- |")
            for operation in words.ops.split(","):
                for depth in map(int, words.depths.split(",")):
                    cost(load, operation, depth, draw)
        if words.rows:
            summary(words, Path(folder))


if __name__ == "__main__":
    main()
