"""radosload beside fio's rbd engine and rbd bench on an image whose pool is bound by its disks: do
their means agree?

Random operations of 4 KiB on one and the same image, librbd's cache and scheduler off. Rounds in
shuffled order; radosload measures twice in each, which shows how much the disks differ from one
measurement to the next. rbd bench prints no latency: its mean follows from depth and rate.

usage: rbd_disk.py RADOSLOAD [--pool hdd] [--op write|read] [--depth 16] [--size 256] [--time 20]
                   [--rounds 8]                          CEPH_CONF names the cluster
"""

import argparse
import json
import os
import random
import re
import statistics
import tempfile

from client_cost import run
from figures import interval

IMAGE = "bench-disk"
SECOND = 1e3
NS_IN_MS = 1e6
US_IN_MS = 1e3
MIB = 1 << 20


class Programs:
    """Each method measures once and returns the mean latency in ms."""

    def __init__(self, words):
        self.words = words
        self.kept = ""

    def prepare(self):
        words = self.words
        made = run(words.program, "run", "--pool", words.pool, "--image", IMAGE, "--create",
                   words.size * MIB, "--pattern", f"randread4k,size={words.size * MIB}", "--ops", 1,
                   "--warmup", 0, "--keep", "--format", "json", "--no-progress")
        self.kept = json.loads(made)["run_id"]

    def radosload(self):
        words = self.words
        record = json.loads(run(
            words.program, "run", "--pool", words.pool, "--image", IMAGE, "--pattern",
            f"rand{words.op}4k,size={words.size * MIB}", "--reuse", self.kept, "--qd", words.depth,
            "--time", f"{words.time}s", "--warmup", "0", "--no-verify", "--format", "json",
            "--no-progress"))
        return record["totals"]["all"]["service_us"]["mean"] / US_IN_MS

    again = radosload

    def fio(self):
        words = self.words
        report = json.loads(run(
            "fio", "--name=disk", "--ioengine=rbd", "--clientname=admin", f"--pool={words.pool}",
            f"--rbdname={IMAGE}", "--direct=1", f"--rw=rand{words.op}", "--bs=4k",
            f"--size={words.size * MIB}", "--norandommap", f"--iodepth={words.depth}",
            "--time_based", f"--runtime={words.time}", "--output-format=json"))
        return report["jobs"][0][words.op]["lat_ns"]["mean"] / NS_IN_MS

    def rbd(self):
        words = self.words
        text = run("timeout", "--signal=INT", "--preserve-status", words.time + 1, "rbd", "bench",
                   "--io-type", words.op, "--io-size", "4K", "--io-pattern", "rand",
                   "--io-threads", words.depth, "--io-total", "1T", f"{words.pool}/{IMAGE}")
        # sec, operations so far, operations a second
        rows = re.findall(r"^ +\d+ +\d+ +([\d.]+) ", text, re.MULTILINE)
        return SECOND * words.depth / float(rows[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pool", default="hdd")
    parser.add_argument("--op", choices=["write", "read"], default="write")
    parser.add_argument("--depth", type=int, default=16)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--time", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=8)
    words = parser.parse_args()
    os.environ["CEPH_ARGS"] = "--rbd-cache=false --rbd-io-scheduler=none"
    names = ["radosload", "again", "fio", "rbd"]
    draw = random.Random(1)
    rounds = []
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        programs = Programs(words)
        programs.prepare()
        print("mean ms:  " + "".join(f"{name:>12}" for name in names))
        for number in range(words.rounds):
            order = names[:]
            draw.shuffle(order)
            result = {name: getattr(programs, name)() for name in order}
            rounds.append(result)
            print(f"round {number + 1:3} " + "".join(f"{result[name]:12.1f}" for name in names),
                  flush=True)
        run(words.program, "cleanup", "--yes", "--pool", words.pool, "--run",
            programs.kept)
    print("median    " + "".join(
        f"{statistics.median(result[name] for result in rounds):12.1f}" for name in names))
    for name in names[1:]:
        middle, low, high = interval([result["radosload"] / result[name] for result in rounds])
        print(f"radosload / {name:10} {middle:.3f}   95 % of resamples {low:.3f} .. {high:.3f}")


if __name__ == "__main__":
    main()
