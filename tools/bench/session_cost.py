"""What it costs to be several processes: the joint load of two at half the depth beside one process at
the whole depth, and one again for the noise. Also how far apart the members began, and whether the
joint percentiles are those of the members' traces put together.

usage: session_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 64]
                       [--rounds 20] [--seconds 3]                   CEPH_CONF names the cluster
"""

import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from variants import command_for, compare, cpu_of, record_of, without_store, words_of

MEMBERS = 2
PERCENTILES = ("p50", "p90", "p99")
numbers = itertools.count(1)
errors = []


def joint_record(words, depth, folder):
    """Of all members, which begin as separate processes; the member that leads prints it."""
    name = f"bench-{next(numbers)}"
    started = []
    for member in range(MEMBERS):
        command = command_for(words, depth, "--session", name, "--members", MEMBERS,
                              "--trace", folder / f"{name}.{member}.npy")
        started.append(subprocess.Popen([str(word) for word in command], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    ended = [process.communicate() for process in started]
    for process, (_, said) in zip(started, ended):
        if process.returncode != 0:
            sys.exit(f"a member failed:\n{said}")
    documents = [out for out, _ in ended if out.startswith("{")]
    if len(documents) != 1:
        sys.exit(f"{len(documents)} members printed a joint record")
    return name, json.loads(documents[0])


def compare_with_traces(words, record, traces):
    summary = record_of([words.radosload, "trace", *traces, "--format", "json"])
    for percentile in PERCENTILES:
        joint = record["totals"]["all"]["response_us"][percentile]
        errors.append(abs(joint / summary["totals"]["all"]["response_us"][percentile] - 1))


def main():
    words = words_of(depths="64")

    def alone(depth):
        # With a trace, too: it is not what is compared.
        with tempfile.TemporaryDirectory() as folder:
            return record_of(command_for(words, depth, "--trace", Path(folder) / "alone.npy"))

    def together(depth):
        with tempfile.TemporaryDirectory() as folder:
            name, record = joint_record(words, depth, Path(folder))
            traces = sorted(Path(folder).glob(f"{name}.*.npy"))
            compare_with_traces(words, record, traces)
        return record

    variants = {"one process": alone, "one process again": alone, "two processes": together}
    figures = {"IOPS": lambda record: record["totals"]["all"]["iops"], "CPU per operation": cpu_of}
    without_store(lambda: compare(words, variants, "one process", figures))
    print(f"joint percentiles differ from those of the traces by at most {max(errors):.2%}")


if __name__ == "__main__":
    main()
