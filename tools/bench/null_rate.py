"""How many operations a second radosload itself carries out: the null target, on one core.

Operations by zipf over the objects of 7 OSDs, with latencies over several decades, everything
recorded that is recorded of a real run. Each round also times a loop of the interpreter, to tell a
slow moment of the machine from a slow program. Fails when a run has lost an operation.

usage: null_rate.py RADOSLOAD [--rounds 9] [--seconds 5] [--core 0]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

LOOPS = 5_000_000


def yardstick():
    """ns for a turn of an empty loop."""
    began = time.perf_counter()
    for _ in range(LOOPS):
        pass
    return (time.perf_counter() - began) / LOOPS * 1e9


def measure(words):
    done = subprocess.run(
        [words.radosload, "run", "--target", "null", "--sim",
         "osds=7,latency=lognormal:2ms:1.5", "--pattern", "randrw4k,dist=zipf", "--warmup", "1s",
         "--time", f"{words.seconds}s", "--save", "none", "--format", "json",
         "--no-progress"],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"the run failed:\n{done.stderr}")
    record = json.loads(done.stdout)
    flow = record["counts"]["measured"]
    ended = flow["completed"] + flow["failed"] + flow["cancelled"]
    if flow["submitted"] != ended or record["totals"]["all"]["ops"] != flow["completed"]:
        sys.exit(f"operations were lost: {flow}")
    return record["totals"]["all"]["iops"], len(record["osds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("radosload")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--core", type=int, default=0)
    words = parser.parse_args()
    os.sched_setaffinity(0, {words.core})
    rates, turns = [], []
    for _ in range(words.rounds):
        turns.append(yardstick())
        rate, osds = measure(words)
        rates.append(rate)
    print(f"| operations a second on one core, {osds} OSDs | {statistics.median(rates) / 1e6:.2f} "
          f"million ({min(rates) / 1e6:.2f} .. {max(rates) / 1e6:.2f}) |")
    print(f"| ns for each | {1e9 / statistics.median(rates):.0f} |")
    print(f"| ns for a turn of Python's empty loop, meanwhile | {statistics.median(turns):.1f} "
          f"({min(turns):.1f} .. {max(turns):.1f}) |")


if __name__ == "__main__":
    main()
