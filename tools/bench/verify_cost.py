"""What checking reads costs: CPU of the client for each operation with every kind of --verify, beside
none.

Runs of the same mixed load in shuffled order; a second run without checks in every round shows the
noise. Prints medians of the ratios within the rounds.

usage: verify_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 16,64]
                      [--rounds 20] [--seconds 3]                    CEPH_CONF names the cluster
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from figures import interval

MICRO = 1e6
KINDS = ("stamp", "generation", "full")


def measure(words, kind, depth):
    """(IOPS, CPU microseconds for each operation)"""
    command = [words.radosload, "run", "--pool", words.pool, "--pattern", words.pattern, "--verify",
               kind, "--qd", str(depth), "--time", f"{words.seconds}s", "--warmup", "1s", "--save",
               "none", "--format", "json", "--no-progress"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}{done.stdout}")
    record = json.loads(done.stdout)
    total = record["totals"]["all"]
    return total["iops"], MICRO * sum(record["client_cpu_s"].values()) / total["finished"]["ops"]


def text_of(values):
    middle, low, high = interval(values)
    return f"{middle:.3f} ({low:.3f} .. {high:.3f})"


def compare(words, depth, draw):
    rounds = []
    for _ in range(words.rounds):
        names = ["off", "again", *KINDS]
        draw.shuffle(names)
        rounds.append({name: measure(words, "off" if name == "again" else name, depth)
                       for name in names})
    for name in ("again", *KINDS):
        iops, cpu = ([one[name][i] / one["off"][i] for one in rounds] for i in (0, 1))
        print(f"| depth {depth}: {name} / off | {text_of(cpu)} | {text_of(iops)} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--pattern", default="randrw4k,size=64M")
    parser.add_argument("--depths", default="16,64")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=3)
    words = parser.parse_args()
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        print("| ratio | CPU per operation | IOPS |\n| --- | --- | --- |")
        for depth in map(int, words.depths.split(",")):
            compare(words, depth, draw)


if __name__ == "__main__":
    main()
