"""What memory a run takes: over time, with the number of OSDs, with the number of handles.

usage: memory.py RADOSLOAD [--pool ssd] [--minutes 10]      CEPH_CONF names the cluster
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SETTLED_S = 30
SPREAD = "latency=lognormal:2ms:1.5"


def command(words, *more):
    return [words.radosload, "run", "--warmup", "0", "--format", "json", "--no-progress",
            *map(str, more)]


def peak_mib(words, *more):
    done = subprocess.run(command(words, *more), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["peak_rss_mib"]


def rss_mib(pid):
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def over_time(words):
    """A sample a second; what is compared are the first and the last minute."""
    seconds = int(60 * words.minutes)
    samples = []
    with subprocess.Popen(command(words, "--target", "null", "--sim", f"osds=7,{SPREAD}",
                                  "--pattern", "randrw4k,dist=zipf", "--time", f"{seconds}s"),
                          stdout=subprocess.DEVNULL) as process:
        time.sleep(SETTLED_S)
        while process.poll() is None:
            try:
                samples.append(rss_mib(process.pid))
            except OSError:
                break
            time.sleep(1)
    window = max(1, len(samples) // 10)
    first, last = samples[:window], samples[-window - 2:-2]
    print(f"| {words.minutes:g} minutes on null, 7 OSDs | {sum(first) / len(first):.1f} MiB after "
          f"{SETTLED_S} s | {sum(last) / len(last):.1f} MiB at the end |")


def with_osds(words):
    for osds in (7, 100, 1000):
        peak = peak_mib(words, "--target", "null", "--sim", f"osds={osds},{SPREAD}", "--pattern",
                        "randrw4k,size=64G,object-size=4M", "--time", "20s")
        print(f"| 20 s on null, {osds} OSDs | {peak:.1f} MiB | |", flush=True)


def with_handles(words):
    for clients in (1, 2, 4, 8):
        peak = peak_mib(words, "--pool", words.pool, "--pattern", "randrw4k,size=64M", "--clients",
                        clients, "--time", "10s")
        print(f"| 10 s on {words.pool}, {clients} handles | {peak:.1f} MiB | |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--minutes", type=float, default=10)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        print("| run | peak | |\n| --- | --- | --- |")
        with_osds(words)
        with_handles(words)
        over_time(words)


if __name__ == "__main__":
    main()
