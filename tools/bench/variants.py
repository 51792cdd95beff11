"""What benchmarks share that hold one way of running radosload against another: rounds in shuffled
order, and medians of the ratios within them."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from figures import interval
from processors import keep_apart

MICRO = 1e6


def record_of(command, meanwhile=None, **options):
    """`meanwhile`: called with the process while it runs."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          **options) as process:
        if meanwhile:
            meanwhile(process.pid)
        out, err = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{err}{out}")
    return json.loads(out)


def command_for(words, depth, *more):
    if words.rate:
        more = ("--rate", words.rate, *more)
    return [words.radosload, "run", "--pool", words.pool, "--pattern", words.pattern, "--qd", depth,
            "--time", f"{words.seconds}s", "--warmup", "1s", "--save", "none", "--format", "json",
            "--no-progress", *more]


def cpu_of(record):
    """Client CPU microseconds for each operation."""
    return MICRO * sum(record["client_cpu_s"].values()) / record["totals"]["all"]["finished"]["ops"]


def text_of(values):
    middle, low, high = interval(values)
    return f"{middle:.3f} ({low:.3f} .. {high:.3f})"


def compare(words, variants, base, figures):
    """`variants`: by name, what gives a record at a depth. `figures`: by name, what they are in a
    record. One row for each variant but the base."""
    draw = random.Random(1)
    print(f"| ratio | {' | '.join(figures)} |\n| --- |{' --- |' * len(figures)}")
    for depth in map(int, words.depths.split(",")):
        rounds = []
        for _ in range(words.rounds):
            names = list(variants)
            draw.shuffle(names)
            records = {name: variants[name](depth) for name in names}
            rounds.append({name: [figure(record) for figure in figures.values()]
                           for name, record in records.items()})
        for name in variants:
            if name != base:
                ratios = ([one[name][i] / one[base][i] for one in rounds]
                          for i in range(len(figures)))
                print(f"| depth {depth}: {name} / {base} | {' | '.join(map(text_of, ratios))} |",
                      flush=True)


def words_of(depths):
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--pattern", default="randrw4k,size=64M")
    parser.add_argument("--depths", default=depths)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=3)
    # An open loop of few operations shows what a second costs.
    parser.add_argument("--rate", type=int)
    parser.add_argument("--apart", action="store_true",
                        help="keep the cluster's daemons on one processor and radosload on the others")
    words = parser.parse_args()
    if words.apart:
        keep_apart(os.environ["CEPH_CONF"])
    return words


def without_store(work):
    """The caller's own saved runs stay out of it."""
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        work()
