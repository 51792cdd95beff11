"""Allocations per operation: radosload beside the bare loop, each with few and with many operations,
so that connecting and preparing fall out.

usage: mallocs.py RADOSLOAD BARE COUNTER [--pool ssd]      CEPH_CONF names the cluster
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

FEW, MANY = 20000, 120000
BLOCK, OBJECTS, DEPTH = 4096, 1024, 64


def mallocs(words, command):
    environment = {**os.environ, "LD_PRELOAD": words.counter}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          env=environment)
    found = re.findall(r"^mallocs (\d+)$", done.stderr, re.MULTILINE)
    if done.returncode != 0 or not found:
        sys.exit(f"{command} failed:\n{done.stderr}")
    return int(found[-1])


def per_operation(words, command_for):
    return (mallocs(words, command_for(MANY)) - mallocs(words, command_for(FEW))) / (MANY - FEW)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("bare")
    parser.add_argument("counter")
    parser.add_argument("--pool", default="ssd")
    words = parser.parse_args()
    print("| operation | bare loop | radosload |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        for operation in ("read", "write"):
            bare = per_operation(words, lambda ops: [
                words.bare, words.pool, "bare", operation, OBJECTS, BLOCK, DEPTH, 0, 0, ops])
            ours = per_operation(words, lambda ops: [
                words.radosload, "run", "--pool", words.pool, "--pattern",
                f"rand{operation}4k,object-size=4k,size={OBJECTS * BLOCK}", "--ops", ops, "--time",
                "0", "--warmup", "0", "--no-progress", "--save", "none"])
            print(f"| {operation} | {bare:.2f} | {ours:.2f} |", flush=True)


if __name__ == "__main__":
    main()
