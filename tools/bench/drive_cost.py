"""What the client costs on a drive: radosload beside fio's io_uring engine, in alternation.

Both put the same load on the same loop device over a file (as root), or on the file itself: random
reads or writes of 4 KiB past the page cache. Rounds in shuffled order; client CPU per operation and
IOPS come from each program's own measured phase. A second radosload in every round shows the noise.
fio sends the same bytes again and again, unless it is told to refill its buffers; radosload's bytes
are new in each write. So there is a second fio as well, for writes. With the file in memory the
drive is always ready, and the programs alone make the difference.

usage: drive_cost.py RADOSLOAD [--folder build] [--ops read,write] [--depths 1,16,64] [--rounds 15]
                     [--seconds 3] [--size 256M] [--file]      --file: no loop device
  in memory: --folder /dev/shm
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from client_cost import MICRO, WARM_UP, run, text_of
from figures import byte_count

MEBI = 1 << 20


def make_file(file, size):
    """Written, so that no read finds a hole."""
    with file.open("wb") as out:
        for start in range(0, size, MEBI):
            out.write(os.urandom(min(MEBI, size - start)))
        out.flush()
        os.fsync(out.fileno())


@contextlib.contextmanager
def loop_device(file):
    # O_DIRECT below as well, or the loop device would measure the page cache.
    name = run("losetup", "--find", "--show", "--direct-io=on", file).strip()
    try:
        yield name
    finally:
        run("losetup", "--detach", name)


class Programs:
    """Each method measures once and returns (IOPS, CPU microseconds per operation)."""

    def __init__(self, words, place, file):
        self.words = words
        self.place = place
        self.permit = [f"--destroy-data={file}"] if place != str(file) else []

    def radosload(self, operation, depth):
        permit = self.permit if operation == "write" else []
        record = json.loads(run(
            self.words.radosload, "--drive", self.place, *permit, "--pattern",
            f"rand{operation}4k", "--qd", depth, "--time", f"{self.words.seconds}s", "--warmup",
            f"{WARM_UP}s", "--format", "json", "--save", "none", "--no-progress"))
        total = record["totals"]["all"]
        return total["iops"], MICRO * sum(record["client_cpu_s"].values()) / (
            total["finished"]["ops"])

    def again(self, operation, depth):
        return self.radosload(operation, depth)

    def fio_refilling(self, operation, depth):
        return self.fio(operation, depth, "--refill_buffers=1")

    def fio(self, operation, depth, *more):
        done = json.loads(run(
            "fio", "--name=cost", "--ioengine=io_uring", f"--filename={self.place}", "--direct=1",
            f"--rw=rand{operation}", "--bs=4k", "--norandommap", f"--iodepth={depth}",
            f"--size={byte_count(self.words.size)}", "--time_based",
            f"--runtime={self.words.seconds}", f"--ramp_time={WARM_UP}", "--output-format=json",
            *more))
        job = done["jobs"][0]
        seconds = job[operation]["runtime"] / 1000
        cpu = (job["usr_cpu"] + job["sys_cpu"]) / 100 * seconds
        return job[operation]["iops"], MICRO * cpu / job[operation]["total_ios"]


def one_round(programs, operation, depth, draw):
    names = ["radosload", "fio", "again"] + (["fio_refilling"] if operation == "write" else [])
    draw.shuffle(names)
    return {name: getattr(programs, name)(operation, depth) for name in names}


def show(operation, depth, rounds):
    iops = statistics.median(result["fio"][0] for result in rounds)
    cpu = statistics.median(result["fio"][1] for result in rounds)
    print(f"\n{operation}, depth {depth}: fio {iops:.0f} IOPS, {cpu:.1f} us of CPU per operation, "
          f"{len(rounds)} rounds")
    print("| ratio | CPU per operation | IOPS |\n| --- | --- | --- |")
    pairs = [("again", "radosload"), ("radosload", "fio")]
    if operation == "write":
        pairs.append(("radosload", "fio_refilling"))
    for one, other in pairs:
        ratios = [[result[one][part] / result[other][part] for result in rounds]
                  for part in (1, 0)]
        print(f"| {one} / {other} | {text_of(ratios[0])} | {text_of(ratios[1])} |")
    sys.stdout.flush()


def measure(words, place, file):
    programs = Programs(words, place, file)
    draw = random.Random(1)
    for operation in words.ops.split(","):
        for depth in map(int, words.depths.split(",")):
            show(operation, depth,
                 [one_round(programs, operation, depth, draw) for _ in range(words.rounds)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("--folder", type=Path, default=Path("build"))
    parser.add_argument("--ops", default="read,write")
    parser.add_argument("--depths", default="1,16,64")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--size", default="256M")
    parser.add_argument("--file", action="store_true")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=words.folder) as folder:
        os.environ["XDG_STATE_HOME"] = folder
        file = Path(folder).resolve() / "drive.img"
        if words.file:
            # It writes only to files that it made.
            run(words.radosload, "--drive", file, "--create", words.size, "--keep", "--pattern",
                "read1m", "--ops", 1, "--time", 0, "--warmup", 0, "--save", "none", "--no-progress")
            measure(words, str(file), file)
            return
        # That may lie in memory, where radosload makes no file.
        make_file(file, byte_count(words.size))
        with loop_device(file) as name:
            measure(words, name, file)


if __name__ == "__main__":
    try:
        main()
    except subprocess.SubprocessError as error:
        sys.exit(str(error))
