"""What the client itself costs: radosload beside a bare librados loop, fio and rados bench.

Every program puts the same load on the same pool: random reads, or writes of whole objects, of
4 KiB. Rounds in shuffled order; client CPU per operation and IOPS come from the same seconds. A
second bare loop in every round shows the noise. Prints medians of the ratios within the rounds.

usage: client_cost.py RADOSLOAD BARE [--pool ssd] [--ops read,write] [--depths 1,16,64,256]
                      [--programs radosload,bare,fio,rados] [--rounds 30] [--seconds 2]
                      [--save FILE]                      CEPH_CONF names the cluster
"""

import argparse
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import interval

BLOCK = 4096
WARM_UP = 1  # second
MICRO = 1e6
NANO = 1e9
NAMESPACE = "bare"


def fail(command, text):
    sys.exit(f"{' '.join(map(str, command))} failed:\n{text}")


def run(*command):
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(words, done.stderr + done.stdout)
    return done.stdout


def cpu_of(pid):
    """Seconds that all threads of the process have run; its threads must all still live."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
        except OSError:
            pass  # ended in between
    return total / NANO


class Programs:
    """Each method measures once and returns (IOPS, CPU microseconds per operation)."""

    NAMES = "radosload,bare,fio,rados"

    def __init__(self, words):
        self.words = words
        self.kept = ""

    def radosload(self, operation, depth):
        pattern = f"rand{operation}4k,object-size=4k,size={self.words.objects * BLOCK}"
        reuse = ["--reuse", self.kept] if operation == "read" else []
        record = json.loads(run(
            self.words.radosload, "run", "--pool", self.words.pool, "--pattern", pattern, "--qd",
            depth, "--time", f"{self.words.seconds}s", "--warmup", f"{WARM_UP}s", "--format",
            "json", "--no-progress", *reuse))
        total = record["totals"]["all"]
        return total["iops"], MICRO * sum(record["client_cpu_s"].values()) / (
            total["finished"]["ops"])

    def bare(self, operation, depth):
        record = json.loads(run(self.words.bare, self.words.pool, NAMESPACE, operation,
                                self.words.objects, BLOCK, depth, WARM_UP, self.words.seconds))
        return record["iops"], record["cpu_us_per_op"]

    def rados(self, operation, depth):
        seconds = WARM_UP + self.words.seconds
        command = ["rados", "-p", self.words.pool, "bench", seconds + 1,
                   "write" if operation == "write" else "rand", "-t", depth]
        if operation == "write":
            command += ["-b", BLOCK]
        # sec, operations under way, started, finished
        row = re.compile(r"^ +\d+ +\d+ +\d+ +(\d+) ")
        return self.follow(command, row, seconds)

    def fio(self, operation, depth):
        seconds = WARM_UP + self.words.seconds
        command = ["fio", "--name=cost", "--ioengine=rados", "--clientname=admin",
                   f"--conf={os.environ['CEPH_CONF']}", f"--pool={self.words.pool}",
                   f"--rw=rand{operation}", "--bs=4k", f"--nrfiles={self.words.objects}",
                   f"--size={self.words.objects * BLOCK}", "--file_service_type=random",
                   "--norandommap", f"--iodepth={depth}", "--time_based",
                   f"--runtime={seconds + 1}", "--output-format=terse", "--status-interval=1"]
        # Terse lines, one a second, with the KiB of reads and of writes so far.
        skipped = 5 if operation == "read" else 46
        row = re.compile(rf"^(?:[^;]*;){{{skipped}}}(\d+);")
        return self.follow(command, row, seconds, per_operation=BLOCK // 1024)

    def prepare(self):
        words = self.words
        kept = run(words.radosload, "run", "--pool", words.pool, "--pattern",
                   f"randread4k,object-size=4k,size={words.objects * BLOCK}", "--ops", 1,
                   "--warmup", 0, "--keep", "--format", "json", "--no-progress")
        self.kept = json.loads(kept)["run_id"]
        run("rados", "-p", words.pool, "bench", 3600, "write", "-t", 16, "-b", BLOCK,
            "--max-objects", words.objects, "--no-cleanup")

    def follow(self, command, row, seconds, per_operation=1, ends_itself=True):
        """Samples the CPU time at the program's own lines, one a second; the row's group is what
        it has done so far."""
        words = [str(word) for word in command]
        samples = []
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as process:
            seen = []
            for line in process.stdout:
                seen.append(line)
                found = row.match(line)
                if not found or len(samples) > seconds:
                    continue
                done = int(found[1]) // per_operation
                if done > 0:
                    samples.append((time.monotonic(), done, cpu_of(process.pid)))
                if len(samples) == seconds and not ends_itself:
                    # Killed, it would leave an image's lock behind, and the next one would wait.
                    process.send_signal(signal.SIGINT)
        ended_well = process.returncode == 0 or not ends_itself
        if not ended_well or len(samples) < seconds:
            fail(words, "".join(seen))
        (start, before, cpu_before), (end, after, cpu_after) = samples[WARM_UP - 1], \
            samples[seconds - 1]
        count = after - before
        return count / (end - start), MICRO * (cpu_after - cpu_before) / count


def one_round(programs, operation, depth, draw):
    names = [name for name in programs.words.programs.split(",")] + ["again"]
    draw.shuffle(names)
    result = {}
    for name in names:
        measure = getattr(programs, "bare" if name == "again" else name)
        result[name] = measure(operation, depth)
    return result


def text_of(values):
    middle, low, high = interval(values)
    return f"{middle:.3f} ({low:.3f} .. {high:.3f})"


def show(operation, depth, rounds):
    bare_iops = statistics.median(result["bare"][0] for result in rounds)
    bare_cpu = statistics.median(result["bare"][1] for result in rounds)
    print(f"\n{operation}, depth {depth}: bare {bare_iops:.0f} IOPS, {bare_cpu:.1f} us of CPU per "
          f"operation, {len(rounds)} rounds")
    print(f"| {'ratio':22} | {'CPU per operation':26} | {'IOPS':26} |")
    print("| --- | --- | --- |")
    for name in rounds[0]:
        if name not in ("bare", "radosload"):
            row("bare again / bare" if name == "again" else f"{name} / bare", rounds, name, "bare")
    for other in rounds[0]:
        if "radosload" in rounds[0] and other not in ("radosload", "again"):
            row(f"radosload / {other}", rounds, "radosload", other)
    sys.stdout.flush()


def row(label, rounds, one, other):
    cpu = [result[one][1] / result[other][1] for result in rounds]
    iops = [result[one][0] / result[other][0] for result in rounds]
    print(f"| {label:22} | {text_of(cpu):26} | {text_of(iops):26} |")


def parser_for(programs):
    parser = argparse.ArgumentParser()
    parser.add_argument("radosload")
    parser.add_argument("bare")
    parser.add_argument("--pool", default="ssd")
    parser.add_argument("--ops", default="read,write")
    parser.add_argument("--depths", default="1,16,64,256")
    parser.add_argument("--programs", default=programs)
    parser.add_argument("--objects", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--save", type=Path)
    return parser


def compare(programs):
    words = programs.words
    draw = random.Random(1)
    everything = {}
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        programs.prepare()
        for operation in words.ops.split(","):
            for depth in map(int, words.depths.split(",")):
                rounds = [one_round(programs, operation, depth, draw)
                          for _ in range(words.rounds)]
                everything[f"{operation} {depth}"] = rounds
                show(operation, depth, rounds)
                if words.save:
                    words.save.write_text(json.dumps(everything), encoding="utf-8")


if __name__ == "__main__":
    compare(Programs(parser_for(Programs.NAMES).parse_args()))
