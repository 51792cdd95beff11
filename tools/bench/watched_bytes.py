"""The rest of what watching costs: CPU for reading the counters that OSDs dump, and what mons and mgr
answer to the watch that grades a run, on a quiet cluster with few PGs and with many.

usage: watched_bytes.py PARSE_COUNTERS WATCHED_BYTES [--dumps 1000] [--pgs 128] [--seconds 20]
                        CEPH_CONF names the cluster; a pool of that many PGs is made and removed
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "fixtures"
POOL = "watched-bytes"
CLEAN_S = 120


def output(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stderr}{done.stdout}")
    return done.stdout


def ceph(*words):
    return json.loads(output("ceph", *words, "--format", "json") or "null")


def clean_pgs():
    """How many there are, once all of them are active and clean."""
    until = time.monotonic() + CLEAN_S
    while time.monotonic() < until:
        pgs = ceph("status")["pgmap"]
        states = {state["state_name"]: state["count"] for state in pgs.get("pgs_by_state", [])}
        if states == {"active+clean": pgs["num_pgs"]}:
            return pgs["num_pgs"]
        time.sleep(1)
    sys.exit(f"the PGs were not clean after {CLEAN_S} s")


def show_watched(words, pool):
    time.sleep(5)  # the mons count PGs that were busy a moment ago
    pgs = clean_pgs()
    seen = json.loads(output(words.watched_bytes, pool, words.seconds))
    if not seen["clean"]:
        sys.exit("the cluster was not quiet")
    print(f"| {pgs} | {seen['mon_questions']} | {seen['mon_bytes']} | {seen['mgr_questions']} "
          f"| {seen['mgr_bytes']} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("parse_counters")
    parser.add_argument("watched_bytes")
    parser.add_argument("--dumps", type=int, default=1000)
    parser.add_argument("--pgs", type=int, default=128)
    parser.add_argument("--seconds", type=int, default=20)
    words = parser.parse_args()

    print("| dumps of | CPU seconds for", words.dumps, "|\n| --- | --- |")
    for dump in sorted(FIXTURES.glob("ceph-*/osd0-perf-dump.json")):
        parsed = json.loads(output(words.parse_counters, dump, words.dumps))
        print(f"| {dump.parent.name} | {parsed['cpu_s']:.3f} |", flush=True)

    print(f"\n| PGs | questions to mons in {words.seconds} s | bytes | to the mgr | bytes |\n"
          "| --- | --- | --- | --- | --- |")
    pool = ceph("osd", "pool", "ls", "detail")[0]["pool_id"]
    clean_pgs()
    show_watched(words, pool)
    output("ceph", "osd", "pool", "create", POOL, words.pgs, words.pgs)
    try:
        show_watched(words, pool)
    finally:
        output("ceph", "osd", "pool", "rm", POOL, POOL, "--yes-i-really-really-mean-it")


if __name__ == "__main__":
    main()
