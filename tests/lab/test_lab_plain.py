"""Without root or without loop devices: plain files, said openly, and everything else works."""

import os
import shutil
import subprocess
import unittest

from support import DEADLINE, LAB, TINY, TOOLS, LabCase

NOBODY = 65534


class PlainFiles(LabCase):
    def check(self, why):
        answer = self.status()
        self.assertFalse(answer["emulation"]["loops"])
        self.assertIn(why, answer["emulation"]["why"])
        self.assertEqual([osd["class"] for osd in answer["osds"]], ["hdd", "ssd"])
        self.assertEqual([osd["kind"] for osd in answer["osds"]], ["plain", "wal"])
        self.assertEqual(answer["health"]["status"], "HEALTH_OK")
        self.assertIn("No drive is emulated", self.lab("status")[0])
        metadata = self.ceph_json("osd", "metadata")
        self.assertEqual([m["osd_objectstore"] for m in metadata], ["bluestore"] * 2)

    def test_asked_for(self):
        self.assertIn("no emulated drives", self.up(None, TINY, "--plain-files")[1])
        self.check("asked for")
        self.assertIn("cannot limit", self.refused("drive", 0, "iops=40"))
        self.assert_usable()
        self.lab("reset")
        self.check("asked for")


@unittest.skipIf(os.geteuid(), "being somebody else takes root; the others run as a plain user")
class AsNobody(PlainFiles):
    """The whole life of a lab as a user without any rights."""

    def setUp(self):
        super().setUp()
        self.base.chmod(0o755)
        # A clone may lie where only root can read.
        shutil.copytree(TOOLS, self.base / "tools")
        shutil.copy(TINY, self.base / "tiny.toml")
        (self.base / "own").mkdir()
        os.chown(self.base / "own", NOBODY, NOBODY)
        self.dir = self.base / "own" / "lab"
        self.lab_path = self.base / "tools" / LAB.name
        self.identity = {"user": NOBODY, "group": NOBODY, "extra_groups": [], "cwd": "/",
                         "env": {"PATH": os.environ["PATH"], "HOME": str(self.base / "own")}}
        self.addCleanup(self.run_lab, "down")

    def run_lab(self, *words, folder=None, env=None, **more):
        words = [str(self.lab_path), *map(str, words), "--dir", str(folder or self.dir)]
        return subprocess.run(words, timeout=DEADLINE, capture_output=True, text=True,
                              **self.identity)

    def test_asked_for(self):
        self.assertIn("no emulated drives", self.up(None, self.base / "tiny.toml")[1])
        self.check("Permission denied")
        self.assertIn("cannot limit", self.refused("drive", 0, "iops=40"))
        for word in ("stop", "start", "kill", "start", "pause", "resume", "restart"):
            self.lab("osd", word, 1)
        self.lab("mon", "restart")
        self.assert_usable()
        self.lab("down")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
