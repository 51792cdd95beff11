"""What a run of days takes in the real program, in virtual time: memory beyond that of a minute, and the
size of the record that is kept.

usage: run_of_days.py RADOSLOAD [--hours 48] [--rate 500] [--osds 20]
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path


def run(words, length):
    """The record of a run of this length, and the MiB of its file in the store."""
    with tempfile.TemporaryDirectory() as state:
        out = subprocess.run(
            [words.radosload, "--target", "sim", "--sim", f"latency=exp:2ms,osds={words.osds}", "--pattern",
             "randrw4k", "--rate", str(words.rate), "--warmup", "0", "--time", length, "--json",
             "--no-progress"],
            check=True, capture_output=True, text=True,
            env={**os.environ, "XDG_STATE_HOME": state, "RADOSLOAD_CONFIG": "/dev/null"}).stdout
        files = [path for path in Path(state).rglob("*") if path.is_file()]
        return json.loads(out), sum(path.stat().st_size for path in files) / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("radosload")
    parser.add_argument("--hours", type=int, default=48)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--osds", type=int, default=20)
    words = parser.parse_args()
    minute, _ = run(words, "1m")
    days, size = run(words, f"{words.hours}h")
    print(f"| `radosload`, {words.hours} hours at {words.rate} operations a second | |\n| --- | --- |\n"
          f"| most memory of a minute | {minute['peak_rss_mib']:.1f} MiB |\n"
          f"| most memory | {days['peak_rss_mib']:.1f} MiB |\n"
          f"| rows | {len(days['timeline'])} |\n"
          f"| kept in the store | {size:.1f} MiB |")


if __name__ == "__main__":
    main()
