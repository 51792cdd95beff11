"""The five shipped studies in short forms, each to a verdict on the lab that it names (tools/dev test full studies).

Whether the verdict is faster or inconclusive is not asserted: a round of seconds on a busy machine proves
little. Every cell has to be measured, and the primary metric has to be assessable.
"""

import shlex
import unittest

from study_case import STUDIES, StudyCase
from support import LAB

LENGTH = {"options.time": "3s", "options.warmup": "1s"}
DEADLINE = 1800  # the longest has 144 cells


class ShortStudies(StudyCase):
    def short(self, name, scopes=("these-osds",), more=(), **settings):
        changes = {"rounds": "3", **LENGTH, **settings}
        words = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
        document = self.study(STUDIES / f"{name}.yaml", *words, *more, deadline=DEADLINE)
        tally = document["tally"]
        self.assertEqual(tally["measured"], tally["cells"], tally)
        self.assertTrue(document["verdicts"], document["no_verdict"])
        found = [one for one in document["verdicts"] if one["metric"] == settings["primary"]]
        self.assertTrue(found)
        for one in found:
            if one["scope"] in scopes:
                self.assertNotEqual(one["verdict"], "not assessable", one)
        return document

    def drive(self, *words):
        return shlex.join(map(str, (LAB, "drive", *words, "--dir", self.dir)))


class OfKinds(ShortStudies):
    profile = "study"

    def test_wal_vs_db(self):
        # Scrubs take minutes on these drives. In less than 4 s a busy one may end no write at all.
        self.short("wal-vs-db", ("these-osds", "this-kind"), ("--yes",), **{
            "rounds": "2", "options.time": "4s", "options.warmup": "500ms", "primary": "small-writes IOPS",
            "patterns.reads": "randread4k-qd1,size=8M",
            "patterns.small-writes": "randwrite4k,qd=16,size=4M,object-size=1M",
            "patterns.create": "create,objects=15000", "patterns.delete": "delete,objects=10000",
            "timers": '{bench-4k: bench --bs 4k, compact: compact, '
                      'peering: "peering --how down --offline-pools wal1,db1,hdd1"}'})

    def test_ssd_metadata(self):
        pools = {"hdd": "--pool plain3", "db": "--pool db3", "ssd": "--pool ssd",
                 "ssd-metadata": "--pool ssd --data-pool plain3"}
        arms = [word for name, where in pools.items()
                for word in ("--arm", f"{name}={where} --create 16M")]
        self.short("ssd-metadata", more=arms, primary="randrw read IOPS")

    def test_before_after(self):
        self.short("before-after", ("these-osds", "this-kind"),
                   ("--arm", "osds=--pool plain1 --osd 8-11"), **{
                       "primary": "writes mean_us", "patterns.writes": "randwrite4k-qd1,size=8M",
                       "phases.after": self.drive("8-11", "iops=150")})


class OfPools(ShortStudies):
    profile = "matrix"

    def test_sync_writes(self):
        self.short("sync-writes", **{
            "primary": "etcd-wal mean_us",
            "patterns": '{etcd-wal: etcd-wal, latency-rand: "rand,read=0,bs=4k,qd=1,size=16M"}',
            "phases.without-plp": self.drive("4-7", "profile"),
            "phases.with-plp": self.drive("4-7", "flush=none")})

    def test_pool_matrix(self):
        sizes = {f"patterns.{name}": f"{name},qd=4,size=16M"
                 for name in ("randwrite4k", "write1m", "read1m", "rw1m")}
        self.short("pool-matrix", **sizes, **{
            "rounds": "2", "options.time": "4s", "primary": "randwrite4k IOPS",
            "phases.equal": self.drive("0", "profile"),
            "phases.slow-drive": self.drive("0", "iops=20", "bps=10M")})


if __name__ == "__main__":
    unittest.main()
