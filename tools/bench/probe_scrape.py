"""What a probe of 10,000 OSDs costs beside its operations: a scrape of its metrics (goal: 50 ms), their
text, which is made once a round, the search for changes, and a round in the history.

usage: probe_scrape.py PROBE_SCRAPE [--osds 10000] [--rounds 9]
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile

GOAL_MS = 50
STEPS = (("scrape_ms", "a scrape"), ("text_ms", "the text, once a round"),
         ("find_ms", "the search for changes, once a round"),
         ("history_ms", "a round in the history"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--osds", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=9)
    words = parser.parse_args()
    rows = []
    for _ in range(words.rounds):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([words.program, folder, str(words.osds)], text=True, check=True,
                                  capture_output=True)
        rows.append(json.loads(done.stdout))
    print(f"| {rows[0]['osds']} OSDs, {rows[0]['bytes']:,} bytes | median | most |\n| --- | --- | --- |")
    for key, name in STEPS:
        times = [row[key] for row in rows]
        print(f"| {name} | {statistics.median(times):.2f} ms | {max(times):.2f} ms |")
    if statistics.median(row["scrape_ms"] for row in rows) > GOAL_MS:
        sys.exit(f"a scrape takes more than {GOAL_MS} ms")


if __name__ == "__main__":
    main()
