"""What a run pinned to OSDs reads and finds before it begins, on clusters of 10 to 10,000 OSDs: time
and memory of each step. No cluster is needed: tests/perf/scale.cc makes the answers. All of it is one
thread's work, so on a busy machine the CPU time tells what it would take on an idle one.

usage: scale.py SCALE FIXTURES [--osds 10,100,1000,10000] [--rounds 5]
"""

import argparse
import json
import statistics
import subprocess
import sys

# What is promised to take 3 s at most: PGs read and indexed, and objects found for every OSD.
COUNTED = ("PGs alone", "16 objects for each")


def steps_of(words, osds):
    done = subprocess.run([words.scale, words.fixtures, str(osds)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"scale failed with {osds} OSDs:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def medians(rounds, names, key):
    return [statistics.median(one[i][key] for one in rounds) for i in range(len(names))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scale")
    parser.add_argument("fixtures")
    parser.add_argument("--osds", default="10,100,1000,10000")
    parser.add_argument("--rounds", type=int, default=5)
    words = parser.parse_args()
    for number, osds in enumerate(map(int, words.osds.split(","))):
        rounds = [steps_of(words, osds) for _ in range(words.rounds)]
        steps = [line for line in rounds[0] if "step" in line]
        names = [step["step"] for step in steps]
        if number == 0:
            print("| OSDs | PGs | answers | " + " | ".join(names) +
                  " | PGs and objects | the same by the clock | peak |")
            print("| --- " * (len(names) + 6) + "|")
        cpu = medians(rounds, names, "cpu_seconds")
        clock = medians(rounds, names, "seconds")
        counted = [sum(times[names.index(name)] for name in COUNTED) for times in (cpu, clock)]
        peak = max(one[i]["peak_mib"] for one in rounds for i in range(len(names)))
        cells = [f"{osds:,}", f"{steps[0]['pgs']:,}", f"{rounds[0][-1]['answers_mib']} MiB"]
        cells += [f"{time * 1000:.1f} ms" for time in [*cpu, *counted]]
        print("| " + " | ".join([*cells, f"{peak:.0f} MiB"]) + " |", flush=True)


if __name__ == "__main__":
    main()
