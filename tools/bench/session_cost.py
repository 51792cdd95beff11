"""What it costs to be several processes: the joint load of two at half the depth beside one process at
the whole depth, and one again for the noise. Two without a session show what is due to being two:
each has fewer operations in flight, so fewer are handled at a time. Also how far apart the members
began, and whether the joint percentiles are those of the members' traces put together.

What librados itself costs in two processes is shown by rados bench, which writes 4 KiB with as many in
flight; its CPU is that of the whole command.

usage: session_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 64]
                       [--rounds 20] [--seconds 3] [--apart]         CEPH_CONF names the cluster
"""

import argparse
import itertools
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import bench_figure
from variants import MICRO, compare, cpu_of, record_of, without_store, words_of
import variants

MEMBERS = 2
PERCENTILES = ("p50", "p90", "p99")
numbers = itertools.count(1)
errors = []


def command_for(words, depth, *more):
    """Records are saved, because members of a session keep a journal in any case."""
    command = [str(word) for word in variants.command_for(words, depth, *more)]
    at = command.index("--save")
    return command[:at] + command[at + 2:]


def share_of(words):
    """The words of each of the separate processes: together they have as many objects as one, and its
    rate."""
    pattern = re.sub(r"size=(\d+)M", lambda size: f"size={int(size[1]) // MEMBERS}M", words.pattern)
    rate = words.rate and words.rate // MEMBERS
    return argparse.Namespace(**{**vars(words), "pattern": pattern, "rate": rate})


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rados_bench(words, depth, processes):
    """IOPS and CPU microseconds for each operation."""
    name = f"bench-{next(numbers)}"
    before = cpu_of_children()
    outputs = side_by_side(
        ["rados", "-p", words.pool, "bench", words.seconds, "write", "-t", depth // processes, "-b", 4096,
         "--no-cleanup", "--run-name", f"{name}.{number}"] for number in range(processes))
    cpu = cpu_of_children() - before
    side_by_side(["rados", "-p", words.pool, "cleanup", "--run-name", f"{name}.{number}"]
                 for number in range(processes))
    ops = sum(bench_figure(out, "Total writes made") for out in outputs)
    return {"iops": ops / words.seconds, "cpu": MICRO * cpu / ops}


def side_by_side(commands):
    """What each of them prints."""
    started = [subprocess.Popen([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE) for command in commands]
    ended = [process.communicate() for process in started]
    for process, (_, said) in zip(started, ended):
        if process.returncode != 0:
            sys.exit(f"one of {MEMBERS} processes failed:\n{said}")
    return [out for out, _ in ended]


def separate_records(words, depth, folder):
    """Of processes that know nothing of each other, summed up like a joint record."""
    records = [json.loads(out) for out in side_by_side(
        command_for(share_of(words), depth // MEMBERS, "--trace", folder / f"{member}.npy")
        for member in range(MEMBERS))]
    totals = [record["totals"]["all"] for record in records]
    return {"client_cpu_s": {key: sum(record["client_cpu_s"][key] for record in records)
                             for key in records[0]["client_cpu_s"]},
            "totals": {"all": {"iops": sum(total["iops"] for total in totals),
                               "finished": {"ops": sum(total["finished"]["ops"]
                                                       for total in totals)}}}}


def joint_record(words, depth, folder):
    """Of all members, which begin as separate processes; the member that leads prints it."""
    name = f"bench-{next(numbers)}"
    documents = [out for out in side_by_side(
        command_for(words, depth, "--session", name, "--members", MEMBERS,
                    "--trace", folder / f"{name}.{member}.npy")
        for member in range(MEMBERS)) if out.startswith("{")]
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

    def separate(depth):
        with tempfile.TemporaryDirectory() as folder:
            return separate_records(words, depth, Path(folder))

    ways = {"one process": alone, "one process again": alone, "two separate ones": separate,
            "two processes": together}
    figures = {"IOPS": lambda record: record["totals"]["all"]["iops"], "CPU per operation": cpu_of}
    without_store(lambda: compare(words, ways, "one process", figures))
    ways = {"one rados bench": lambda depth: rados_bench(words, depth, 1),
            "two of rados bench": lambda depth: rados_bench(words, depth, MEMBERS)}
    figures = {"IOPS": lambda record: record["iops"], "CPU per operation": lambda record: record["cpu"]}
    compare(words, ways, "one rados bench", figures)
    print(f"joint percentiles differ from those of the traces by at most {max(errors):.2%}")


if __name__ == "__main__":
    main()
