"""Studies by the real program on real OSDs: a difference that is known is found, in both scopes, and a
killed study comes to the same."""

import json
import shlex
import unittest
from pathlib import Path

from study_case import STUDIES, StudyCase
from support import LAB

DUEL = Path(__file__).resolve().parent / "duel.yaml"


class Duel(StudyCase):
    """Plain OSDs against OSDs with a DB on flash: a factor of ten and more at 77 IOPS."""

    profile = "study"

    def setUp(self):
        super().setUp()
        self.need_emulation()

    def test_killed_in_the_middle_it_goes_on_with_its_schedule_to_the_verdict(self):
        self.kill_in_cell(5, "study", DUEL)
        (saved,) = (self.state / "radosload/studies").glob("*.json")
        planned = json.loads(saved.read_text(encoding="utf-8"))["cells"]
        self.assertEqual(len(planned), 24)
        document = self.study("--resume", saved.stem)
        self.assertEqual(document["cells"], planned)
        # The fifth cell was cut off and measured again; nothing else was.
        self.assertEqual([one["cell"] for one in document["tries"]], [0, 1, 2, 3, 4, *range(4, 24)])
        self.assertEqual(document["tries"][4]["state"], "cut off")
        self.assert_faster(document, "writes IOPS")
        self.assertEqual(self.verdict(document, "writes IOPS", "this-kind")["n_a"], 4)
        shown = self.radosload("report", document["study_id"])
        self.assertRegex(shown, r"writes IOPS +this-kind .* faster")
        self.assertIn("24 of 24 cells measured", shown)
        for pool in ("plain1", "db1"):
            self.assertEqual(self.ceph("-p", pool, "ls", "--all", program="rados"), "")


class PowerLoss(StudyCase):
    """The shipped study of synchronous writes in a short form. A flush takes 100 ms here, so that a busy
    machine does not hide it."""

    profile = "matrix"

    def make_flushes(self, delay):
        return shlex.join([str(LAB), "drive", "4-7", f"flush={delay}", "--dir", str(self.dir)])

    def test_drives_that_flush_at_once_are_faster(self):
        short = {"phases.without-plp": self.make_flushes("100ms"),
                 "phases.with-plp": self.make_flushes("none"),
                 "patterns": "{etcd-wal: etcd-wal}", "primary": "etcd-wal mean_us", "rounds": "4",
                 "options.time": "0s", "options.ops": "20", "options.warmup": "0s"}
        settings = [word for key, value in short.items() for word in ("--set", f"{key}={value}")]
        document = self.study(STUDIES / "sync-writes.yaml", *settings)
        found = [one for one in document["verdicts"] if one["base"] == "without-plp"
                 and one["metric"] == "etcd-wal mean_us" and one["scope"] == "these-osds"]
        self.assertEqual([one["verdict"] for one in found], ["faster"], found)
        self.assertLess(found[0]["ratio"], 1)


if __name__ == "__main__":
    unittest.main()
