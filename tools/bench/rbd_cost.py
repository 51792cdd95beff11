"""What the client costs on RBD images: radosload beside a bare librbd loop, fio's rbd engine and
rbd bench.

Every program puts the same load on images of the same shape in one pool: random reads, or writes,
of 4 KiB, librbd's cache and scheduler off. Rounds in shuffled order; client CPU per operation and
IOPS come from the same seconds. A second bare loop in every round shows the noise.

usage: rbd_cost.py RADOSLOAD BARE [--pool ssd] [--data-pool POOL] [--ops read,write] [--depths 64]
                   [--programs radosload,bare,fio,rbd] [--rounds 30] [--seconds 2] [--size MIB]
                   [--save FILE]                      CEPH_CONF names the cluster
"""

import json
import os
import re

import client_cost
from client_cost import BLOCK, MICRO, WARM_UP, Programs, run

KEPT = "bench-ours"
OTHERS = "bench-others"


class RbdPrograms(Programs):
    """Each method measures once and returns (IOPS, CPU microseconds per operation)."""

    NAMES = "radosload,bare,fio,rbd"

    def radosload(self, operation, depth):
        record = json.loads(run(
            self.words.radosload, "run", "--pool", self.words.pool, "--image", KEPT, "--reuse",
            self.kept, "--pattern", f"rand{operation}4k,size={self.size()}", "--qd", depth,
            "--time", f"{self.words.seconds}s", "--warmup", f"{WARM_UP}s", "--format", "json",
            "--no-progress"))
        total = record["totals"]["all"]
        return total["iops"], MICRO * sum(record["client_cpu_s"].values()) / total["ops"]

    def bare(self, operation, depth):
        record = json.loads(run(self.words.bare, self.words.pool, OTHERS, operation,
                                self.words.objects, BLOCK, depth, WARM_UP, self.words.seconds))
        return record["iops"], record["cpu_us_per_op"]

    def rbd(self, operation, depth):
        seconds = WARM_UP + self.words.seconds
        command = ["rbd", "bench", "--rbd-cache=false", "--io-type", operation, "--io-size", "4K",
                   "--io-pattern", "rand", "--io-threads", depth, "--io-total", "1T",
                   f"{self.words.pool}/{OTHERS}"]
        # sec, operations so far, operations a second, bytes a second
        row = re.compile(r"^ +\d+ +(\d+) +")
        return self.follow(command, row, seconds, ends_itself=False)

    def fio(self, operation, depth):
        seconds = WARM_UP + self.words.seconds
        command = ["fio", "--name=cost", "--ioengine=rbd", "--clientname=admin",
                   f"--pool={self.words.pool}", f"--rbdname={OTHERS}", "--direct=1",
                   f"--rw=rand{operation}", "--bs=4k", f"--size={self.size()}",
                   "--norandommap", f"--iodepth={depth}", "--time_based",
                   f"--runtime={seconds + 1}", "--output-format=terse", "--status-interval=1"]
        skipped = 5 if operation == "read" else 46
        row = re.compile(rf"^(?:[^;]*;){{{skipped}}}(\d+);")
        return self.follow(command, row, seconds, per_operation=BLOCK // 1024)

    def size(self):
        return self.words.objects * BLOCK

    def prepare(self):
        place = ["--data-pool", self.words.data_pool] if self.words.data_pool else []
        for image in (KEPT, OTHERS):
            kept = run(self.words.radosload, "run", "--pool", self.words.pool, "--image", image,
                       "--create", self.size(), *place, "--pattern",
                       f"randread4k,size={self.size()}", "--ops", 1, "--warmup", 0, "--keep",
                       "--format", "json", "--no-progress")
            if image == KEPT:
                self.kept = json.loads(kept)["run_id"]


def main():
    parser = client_cost.parser_for(RbdPrograms.NAMES)
    parser.add_argument("--data-pool", default="")
    # 64 MiB
    parser.set_defaults(objects=16384, depths="64")
    words = parser.parse_args()
    # fio's and rbd's own defaults, for a program that reads the same file.
    os.environ["CEPH_ARGS"] = "--rbd-cache=false --rbd-io-scheduler=none"
    client_cost.compare(RbdPrograms(words))


if __name__ == "__main__":
    main()
