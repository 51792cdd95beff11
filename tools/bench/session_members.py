"""A session of many real processes at a low rate: how far apart they begin, and what their agreement
costs the cluster, in operations for each member and second (goal: at most 1).

The operations that the OSDs count between two moments of the load, without those of the load itself.

usage: session_members.py RADOSLOAD [--pool ssd] [--members 64] [--rate-of-each 5] [--seconds 30]
                          CEPH_CONF names the cluster, which nothing else may use
"""

import argparse
import json
import re
import subprocess
import sys
import threading
import time

from variants import without_store

GOAL = 1
SETTLED_S = 6
MARGIN_S = 4


def osd_ops():
    """Operations of clients that all OSDs have served."""
    total = 0
    osds = json.loads(subprocess.run(["ceph", "osd", "ls", "--format", "json"], check=True,
                                     capture_output=True, text=True).stdout)
    for osd in osds:
        dump = subprocess.run(["ceph", "tell", f"osd.{osd}", "perf", "dump", "osd", "op"], check=True,
                              capture_output=True, text=True).stdout
        total += json.loads(dump)["osd"]["op"]
    return total, time.monotonic()


def start(words, name):
    command = [words.radosload, "run", "--pool", words.pool, "--pattern",
               f"randread4k,size={words.members * 4}M,qd={words.members}", "--rate",
               words.members * words.rate_of_each, "--time", f"{words.seconds}s", "--warmup", "1s",
               "--session", name, "--members", words.members, "--save", "none", "--format", "json"]
    return [subprocess.Popen([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE) for _ in range(words.members)]


def follow(process, began, said):
    """Its messages until it ends; sets `began` in the SETTLED_Sth second of the load."""
    for line in process.stderr:
        said.append(line)
        if re.match(rf"\s+{SETTLED_S} ", line):
            began.set()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("radosload")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--members", type=int, default=64)
    parser.add_argument("--rate-of-each", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=30)
    words = parser.parse_args()
    processes = start(words, "bench-members")
    began, said = threading.Event(), [[] for _ in processes]
    threads = [threading.Thread(target=follow, args=(process, began, lines))
               for process, lines in zip(processes, said)]
    for thread in threads:
        thread.start()
    if not began.wait(180):
        sys.exit("the load did not begin within 180 s")
    before, at = osd_ops()
    time.sleep(max(1, words.seconds - SETTLED_S - 2 * MARGIN_S))
    after, until = osd_ops()
    outputs = [process.stdout.read() for process in processes]
    for thread in threads:
        thread.join()
    for process, lines in zip(processes, said):
        if process.wait() != 0:
            sys.exit(f"a member ended with {process.returncode}:\n{''.join(lines)}")
    record = json.loads(next(out for out in outputs if out.startswith("{")))
    delays = [member["start_delay_us"] for member in record["members"]]
    bounds = [member["clock_bound_us"] for member in record["members"]]
    load = words.members * words.rate_of_each * (until - at)
    cost = (after - before - load) / words.members / (until - at)
    print(f"| {words.members} members | |\n| --- | --- |")
    print(f"| members in the joint record | {len(record['members'])} |")
    print(f"| began after the agreed moment | {min(delays):.0f} to {max(delays):.0f} us |")
    print(f"| spread of the starts | {max(delays) - min(delays):.0f} us |")
    print(f"| error of a clock, at most | {max(bounds):.0f} us |")
    print(f"| operations for each member and second | {cost:.2f} |")
    print(f"| CPU of all members for a second | {cpu_share(record):.2f} s |")
    if cost > GOAL:
        sys.exit(f"more than {GOAL} operation for each member and second")


def cpu_share(record):
    return sum(record["client_cpu_s"].values()) / record["measured_s"]


if __name__ == "__main__":
    without_store(main)
