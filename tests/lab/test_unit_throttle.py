"""Both versions of the block cgroup, on a fake tree."""

import os
import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (it makes labkit importable)
from labkit import throttle
from labkit.say import LabError

LINE = "30 20 0:25 / {path} rw,nosuid shared:9 - {kind} {source} rw{options}\n"


class FakeTree(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="labtest-")
        self.addCleanup(temp.cleanup)
        self.root = Path(temp.name)
        for name in ("v1", "v2"):
            (self.root / name).mkdir()
        (self.root / "v2/cgroup.controllers").write_text("cpuset cpu io memory\n")
        (self.root / "v2/cgroup.subtree_control").write_text("memory\n")

    def mounts(self, *which):
        lines = {"v1": LINE.format(path=self.root / "v1", kind="cgroup", source="cgroup",
                                   options=",blkio"),
                 "cpu": LINE.format(path="/nowhere", kind="cgroup", source="c", options=",cpu"),
                 "disk": LINE.format(path="/", kind="ext4", source="/dev/x", options=""),
                 "v2": LINE.format(path=self.root / "v2", kind="cgroup2", source="none",
                                   options=",nsdelegate")}
        return "".join(lines[name] for name in which)

    def group(self, version):
        return self.root / version / throttle.group_name("/a/lab")

    def probe(self, *which):
        return throttle.probe("/a/lab", self.mounts(*which))


class Finding(FakeTree):
    def test_version_1_wherever_it_has_the_block_controller(self):
        found, why = self.probe("disk", "cpu", "v1", "v2")
        self.assertEqual((found.version, why), (1, None))
        self.assertTrue(self.group("v1").is_dir())

    def test_version_2(self):
        found, why = self.probe("disk", "v2")
        self.assertEqual((found.version, why), (2, None))
        self.assertTrue(self.group("v2").is_dir())
        self.assertEqual((self.root / "v2/cgroup.subtree_control").read_text(), "+io")

    def test_version_2_with_io_already_handed_down(self):
        control = self.root / "v2/cgroup.subtree_control"
        control.write_text("cpu io memory\n")
        self.probe("v2")
        self.assertEqual(control.read_text(), "cpu io memory\n")

    def test_a_version_2_that_has_no_io(self):
        """As beside a version 1 hierarchy, which took the controller."""
        (self.root / "v2/cgroup.controllers").write_text("hugetlb\n")
        found, why = self.probe("v2")
        self.assertIsNone(found)
        self.assertIn("no block cgroup", why)

    def test_none(self):
        self.assertIsNone(self.probe("disk", "cpu")[0])

    def test_a_tree_that_cannot_be_written(self):
        (self.root / "v1").rmdir()  # stands for a read-only mount: no rights stop root
        found, why = self.probe("v1")
        self.assertIsNone(found)
        self.assertIn("cgroup v1", why)
        self.assertIn("No such file", why)

    def test_the_name_is_that_of_one_directory(self):
        names = {throttle.group_name(path) for path in ("/a", "/b", "/a")}
        self.assertEqual(len(names), 2)


class Limits(FakeTree):
    def read(self, version, name):
        return (self.group(version) / name).read_text()

    def test_version_1(self):
        found, _ = self.probe("v1")
        found.set("7:3", iops=77, bps=1 << 20)
        for way in ("read", "write"):
            self.assertEqual(self.read("v1", f"blkio.throttle.{way}_iops_device"), "7:3 77\n")
            self.assertEqual(self.read("v1", f"blkio.throttle.{way}_bps_device"), "7:3 1048576\n")
        found.set("7:3", iops=40)
        self.assertEqual(self.read("v1", "blkio.throttle.read_iops_device"), "7:3 40\n")
        self.assertEqual(self.read("v1", "blkio.throttle.read_bps_device"), "7:3 0\n")
        found.set("7:3")
        self.assertEqual(self.read("v1", "blkio.throttle.write_iops_device"), "7:3 0\n")

    def test_version_2(self):
        found, _ = self.probe("v2")
        found.set("7:3", iops=77, bps=1 << 20)
        self.assertEqual(self.read("v2", "io.max"),
                         "7:3 rbps=1048576 wbps=1048576 riops=77 wiops=77\n")
        found.set("7:3", iops=40)
        self.assertEqual(self.read("v2", "io.max"), "7:3 rbps=max wbps=max riops=40 wiops=40\n")
        found.set("7:3")
        self.assertEqual(self.read("v2", "io.max"), "7:3 rbps=max wbps=max riops=max wiops=max\n")

    def test_a_refused_limit_says_so(self):
        found, _ = self.probe("v2")
        (self.group("v2") / "io.max").mkdir()
        with self.assertRaisesRegex(LabError, "cannot limit device 7:3"):
            found.set("7:3", iops=1)

    def test_removal(self):
        for version in ("v1", "v2"):
            found, _ = self.probe(version)
            self.assertTrue(os.path.dirname(found.procs_file), str(self.group(version)))
            self.assertTrue(found.remove())
            self.assertFalse(self.group(version).exists())
            self.assertFalse(found.remove())


if __name__ == "__main__":
    unittest.main()
