"""How often a study of two arms that are the same is called different, and how often a small change is
found: short studies of the null target (or another that needs no cluster) with the real program.

Each study is measured once, and its figures are judged by `radosload compare --csv`: as they are, and
with those of the second arm multiplied by --change. The threshold is 0, so that any difference counts,
and beside that the usual one of 5 %. By the primary metric, IOPS, in scope these-osds: the replicates
are pairs of rounds.

usage: aa_studies.py RADOSLOAD [--studies 1000] [--rounds 10] [--ops 20000] [--change 1.02]
                     [--target OPTIONS] [--first 1] [--minutes M]
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STUDY = """\
question: is the same as fast as the same?
arms:
  one: {target}
  same: {target}
patterns: {{w: "randwrite4k,qd=16"}}
options: {{ops: {ops}, warmup: 0, time: 0}}
rounds: {rounds}
order: abba
primary: w IOPS
"""


def call(words, *command, folder, state):
    done = subprocess.run([words.radosload, *map(str, command)], cwd=folder, text=True, check=False,
                          capture_output=True, env={**os.environ, "XDG_STATE_HOME": str(state),
                                                    "RADOSLOAD_CONFIG": "/dev/null"})
    if done.returncode != 0:
        sys.exit(f"{command} failed:\n{done.stderr}")
    return done.stdout


def figures(document):
    """(arm, round, IOPS) of each cell."""
    for one in document["tries"]:
        cell = document["cells"][one["cell"]]
        for figure in one["figures"]:
            if figure["metric"] == "w IOPS":
                yield cell["arm"], cell["round"], figure["value"]


def verdict(words, rows, change, threshold, folder):
    path = folder / "figures.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("arm", "unit", "round", "metric", "value"))
        for arm, number, value in rows:
            factor = change if arm == "same" else 1
            writer.writerow((arm, f"target of {arm}", number, "IOPS", repr(value * factor)))
    out = call(words, "compare", "--csv", path, "--primary", "IOPS", "--threshold", threshold, "--json",
               folder=folder, state=folder / "state")
    for one in json.loads(out)["verdicts"]:
        if one["scope"] == "these-osds":
            return one
    return None


def upper(hits, trials):
    """The upper 95 % bound of a rate (one-sided, exact), by bisection."""
    if hits == trials:
        return 1.0
    low, high = hits / trials, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        at_most = sum(math.exp(math.lgamma(trials + 1) - math.lgamma(k + 1)
                               - math.lgamma(trials - k + 1) + k * math.log(rate)
                               + (trials - k) * math.log1p(-rate)) for k in range(hits + 1))
        low, high = (rate, high) if at_most > 0.05 else (low, rate)
    return high


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("radosload")
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--ops", type=int, default=20000)
    parser.add_argument("--change", type=float, default=1.02)
    parser.add_argument("--target", default="--target null",
                        help="options of both arms, such as '--target sim --sim latency=exp:1ms'")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first study")
    parser.add_argument("--minutes", type=float, default=math.inf,
                        help="end after this time, with the studies that are there")
    words = parser.parse_args()
    words.radosload = Path(words.radosload).resolve()
    counts = dict.fromkeys(("different", "different beyond 5 %", "found", "found the wrong way",
                            "equivalent"), 0)
    widths = []
    end = time.monotonic() + 60 * words.minutes
    for study in range(words.first, words.first + words.studies):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "aa.yaml").write_text(STUDY.format(ops=words.ops, rounds=words.rounds,
                                                         target=words.target),
                                            encoding="utf-8")
            document = json.loads(call(words, "study", "aa.yaml", "--json", "--no-progress", "--set",
                                       f"seed={study}", folder=folder, state=folder / "state"))
            rows = list(figures(document))
            same = verdict(words, rows, 1, 0, folder)
            usual = verdict(words, rows, 1, 5, folder)
            other = verdict(words, rows, words.change, 0, folder)
        counts["different"] += same["verdict"] in ("faster", "slower")
        counts["different beyond 5 %"] += usual["verdict"] in ("faster", "slower")
        counts["equivalent"] += usual["verdict"] == "equivalent"
        counts["found"] += other["verdict"] == ("faster" if words.change > 1 else "slower")
        counts["found the wrong way"] += other["verdict"] == ("slower" if words.change > 1
                                                              else "faster")
        widths.append(math.log(same["ci_high"] / same["ci_low"]) / 2)
        if time.monotonic() > end:
            break
    widths.sort()
    studies = len(widths)
    print(f"| {studies} studies, {words.rounds} rounds | how often | upper 95 % bound |\n"
          "| --- | --- | --- |")
    names = {"different": "the same called different, threshold 0",
             "different beyond 5 %": "the same called different, threshold 5 %",
             "equivalent": "the same called equivalent, threshold 5 %",
             "found": f"{words.change - 1:+.0%} found, threshold 0",
             "found the wrong way": f"{words.change - 1:+.0%} found the wrong way round"}
    for key, name in names.items():
        print(f"| {name} | {counts[key] / studies:.1%} ({counts[key]}) | "
              f"{upper(counts[key], studies):.1%} |")
    print(f"\nHalf an interval is {widths[len(widths) // 2]:.2%} wide (median).")


if __name__ == "__main__":
    main()
