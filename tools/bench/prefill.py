"""How fast radosload writes the objects of a run before it, and removes them after it, beside rados
bench on one pool: the same number of objects, in rounds of shuffled order. With small objects
(--object-size 64k --size 64) a removal is long enough for what a command does besides not to count.

A run's record begins after its prefill, so the prefill is the time of a run of one operation less
that of the same run on 64 KiB; the median of those is taken off all of them. rados bench
says itself how long it wrote. radosload measures twice in each round, which shows the noise. A
write that takes more than 10 s is reported by radosload as one that waits: such lines are counted.

usage: prefill.py RADOSLOAD [--pool ssd] [--size 2048] [--object-size 4M] [--rounds 6]
                  CEPH_CONF names the cluster
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

from figures import bench_figure, byte_count, interval

MIB = 1 << 20
# An OSD reports its space some seconds after objects have gone; until then a run is refused.
SPACE_LIMIT_S = 120


def run(*command):
    """What it printed, its diagnostics, and how long it took."""
    words = [str(word) for word in command]
    start = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr}{done.stdout}")
    return done.stdout, done.stderr, time.monotonic() - start


class Programs:
    """Each method fills and empties once; seconds for both."""

    def __init__(self, words):
        self.words = words
        self.fixed = 0.0  # what a run takes besides its prefill
        self.waits = 0
        self.oldest = 0.0  # write of rados bench

    def filled(self, size, object_size):
        """A run of one read on so much: its name, and how long it took."""
        words = self.words
        out, err, took = run(
            words.program, "run", "--pool", words.pool, "--pattern",
            f"randread4k,size={size},object-size={object_size}", "--ops", 1, "--warmup", 0,
            "--keep", "--save", "none", "--format", "json")
        self.waits += err.count("waiting for")
        return json.loads(out)["run_id"], took

    def emptied(self, name):
        return run(self.words.program, "cleanup", "--yes", "--pool", self.words.pool, "--run",
                   name)[2]

    def wait_for_space(self):
        """Until the OSDs report that what was removed has gone."""
        words = self.words
        dry_run = [words.program, "run", "--pool", words.pool, "--pattern",
                   f"randread4k,size={words.size}M,object-size={words.object_size}", "--dry-run"]
        end = time.monotonic() + SPACE_LIMIT_S
        while subprocess.run(dry_run, capture_output=True, check=False).returncode != 0:
            if time.monotonic() > end:
                sys.exit(f"{' '.join(dry_run)} is still refused after {SPACE_LIMIT_S} s")
            time.sleep(1)

    def radosload(self):
        name, took = self.filled(f"{self.words.size}M", self.words.object_size)
        return took - self.fixed, self.emptied(name)

    again = radosload

    def rados(self):
        words = self.words
        block = byte_count(words.object_size)
        text, _, _ = run("rados", "-p", words.pool, "bench", 3600, "write", "-t", 16, "-b", block,
                         "--max-objects", words.size * MIB // block, "--no-cleanup")
        made = bench_figure(text, "Total writes made")
        took = bench_figure(text, "Total time run")
        self.oldest = max(self.oldest, bench_figure(text, "Max latency(s)"))
        # It may make a few more or fewer than it was told to.
        scale = words.size * MIB / (made * block)
        _, _, cleanup = run("rados", "-p", words.pool, "cleanup", "-t", 16)
        return took * scale, cleanup * scale

    def measure_fixed(self):
        times = []
        for _ in range(3):
            name, took = self.filled("64k", "64k")
            self.emptied(name)
            times.append(took)
        self.fixed = statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--object-size", default="4M")
    parser.add_argument("--rounds", type=int, default=6)
    words = parser.parse_args()
    names = ["radosload", "again", "rados"]
    draw = random.Random(1)
    rounds = []
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        programs = Programs(words)
        programs.measure_fixed()
        print(f"a run takes {programs.fixed:.2f} s besides its prefill, which is taken off")
        print(f"{words.size} MiB: " + "".join(f"{name:>10} MiB/s  removal" for name in names))
        for number in range(words.rounds):
            order = names[:]
            draw.shuffle(order)
            result = {}
            for name in order:
                programs.wait_for_space()
                result[name] = getattr(programs, name)()
            rounds.append(result)
            print(f"round {number + 1:3} " + "".join(
                f"{words.size / result[name][0]:16.1f} {result[name][1]:6.2f} s"
                for name in names), flush=True)
    for what, index in (("bandwidth", 0), ("removal, speed", 1)):
        for other in ("again", "rados"):
            middle, low, high = interval(
                [result[other][index] / result["radosload"][index] for result in rounds])
            print(f"{what}, radosload / {other:6} {middle:.3f}   "
                  f"95 % of resamples {low:.3f} .. {high:.3f}")
    print(f"writes of rados bench took {programs.oldest:.1f} s at most; "
          f"radosload told {programs.waits} times of writes older than 10 s")


if __name__ == "__main__":
    main()
