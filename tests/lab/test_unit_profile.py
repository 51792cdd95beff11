"""Profiles as data: what is read, and that every mistake is named."""

import unittest

import support  # noqa: F401  (it makes labkit importable)
from labkit import profile
from labkit.say import LabError

GOOD = """
description = "d"
cache = "64M"
[drives]
disk = { size = "2G", rotational = true, iops = 77, bps = "10M" }
flash = { size = "1G", rotational = false }
quick = { size = "1G", rotational = false, flush = "2ms" }
[[osds]]
kind = "db+wal"
drive = "disk"
db = "flash"
wal = "flash"
rack = "r1"
hosts = ["a", "b"]
[[osds]]
drive = "quick"
hosts = ["c"]
[[pools]]
name = "p"
size = 2
pgs = 8
class = "hdd"
[[pools]]
name = "ec"
k = 2
m = 1
pgs = 8
overwrites = true
[settings.osd]
"osd recovery sleep hdd" = 0
"debug osd" = "1/5"
[settings.global]
"ms crc data" = false
"""


class Reading(unittest.TestCase):
    def test_everything_is_read(self):
        got = profile.parse(GOOD, "name", "source")
        self.assertEqual((got.name, got.cache, got.objectstore), ("name", 64 << 20, "bluestore"))
        self.assertEqual([(o.id, o.kind, o.host, o.rack) for o in got.osds],
                         [(0, "db+wal", "a", "r1"), (1, "db+wal", "b", "r1"),
                          (2, "plain", "c", None)])
        self.assertEqual(set(got.osds[0].drives), {"block", "block.db", "block.wal"})
        disk = got.osds[0].drive
        self.assertEqual((disk.size, disk.iops, disk.bps), (2 << 30, 77, 10 << 20))
        self.assertIsNone(got.osds[2].drive.iops)
        self.assertEqual([osd.drive.flush_us for osd in got.osds], [None, None, 2_000])
        pool, ec = got.pools
        self.assertEqual((pool.size, pool.pgs, pool.device_class, pool.take),
                         (2, 8, "hdd", "default"))
        self.assertEqual((ec.k, ec.m, ec.overwrites, ec.size), (2, 1, True, None))
        self.assertEqual(got.settings["osd"], {"osd recovery sleep hdd": "0", "debug osd": "1/5"})
        self.assertEqual(got.settings["global"], {"ms crc data": "false"})

    def test_the_profiles_that_come_with_the_lab(self):
        self.assertEqual(profile.available(), ["homelab", "fast", "matrix", "mem", "study"])
        for name in profile.available():
            got = profile.load(name)
            self.assertTrue(got.description, name)
            self.assertEqual(got.name, name)

    def test_a_path_is_a_profile_too(self):
        self.assertEqual(profile.load(support.TINY).name, "tiny")


class Mistakes(unittest.TestCase):
    def assert_says(self, text, old, new):
        self.assertIn(old, GOOD)
        with self.assertRaises(LabError) as caught:
            profile.parse(GOOD.replace(old, new, 1), "name", "file.toml")
        self.assertIn("file.toml", str(caught.exception))
        self.assertIn(text, str(caught.exception))

    def test_every_mistake_is_named(self):
        for text, old, new in (
                ("unknown key 'iosp'", "iops = 77", "iosp = 77"),
                ("unknown key 'color'", 'description = "d"', 'description = "d"\ncolor = 1'),
                ("'size' is missing", 'size = "1G", ', ""),
                ("'pgs' is missing", "pgs = 8\nclass", "class"),
                ("'lots' is not a size", '"2G"', '"lots"'),
                ("'size' must be a text in quotes, not 5", '"2G"', "5"),
                ("'iops' must be a whole number, not 'x'", "iops = 77", 'iops = "x"'),
                ("'iops' must be a whole number, not True", "iops = 77", "iops = true"),
                ("'iops' must be at least 1", "iops = 77", "iops = 0"),
                ("'rotational' must be true or false", "rotational = true", "rotational = 1"),
                ("'2' is not a duration (write 500us, 2ms or 1s)", '"2ms"', '"2"'),
                ("'flush' must be a text in quotes, not 2", '"2ms"', "2"),
                ("'flush' must be above 0 and at most 5 s", '"2ms"', '"0ms"'),
                ("'flush' must be above 0 and at most 5 s", '"2ms"', '"6s"'),
                ("drive 'quick' has a flush, which counts for the main drive", 'wal = "flash"',
                 'wal = "quick"'),
                ("at least 64M", 'size = "1G"', 'size = "1M"'),
                ("no drive 'tape'", 'drive = "disk"', 'drive = "tape"'),
                ("'kind' must be one of", '"db+wal"', '"fast"'),
                ("'wal' is missing", 'wal = "flash"', ""),
                ("unknown key 'wal'", 'kind = "db+wal"', 'kind = "db"'),
                ("at least one host", '["c"]', "[]"),
                ("at least one host", '["c"]', "[1]"),
                ("two pools", 'name = "ec"', 'name = "p"'),
                ("either 'size'", "size = 2\n", "size = 2\nk = 2\nm = 1\n"),
                ("either 'size'", "k = 2\n", ""),
                ("letters, digits", 'name = "p"', 'name = "p q"'),
                ("'objectstore' must be", 'cache = "64M"', 'objectstore = "filestore"'),
                ("a memstore OSD has no WAL", 'cache = "64M"', 'objectstore = "memstore"'),
                ("needs 3 hosts and finds 2", "size = 2\n", "size = 3\n"),
                ("needs 2 racks and finds 1", "size = 2\n", 'size = 2\nacross = "rack"\n'),
                ("'across' must be", "size = 2\n", 'size = 2\nacross = "planet"\n'),
                ("finds 0", 'class = "hdd"', 'class = "hdd"\ntake = "nowhere"'),
                ("unknown key 'osds'", "settings.osd]", "settings.osds]"),
                ("'osd.debug osd' must be a text, a number", '"1/5"', '["1/5"]'),
                ("'osd.debug osd' must be a text, a number", '"1/5"', '"""1\n[mon]"""'),
                ("Invalid value", "size = 2\n", "size = \n"),
        ):
            with self.subTest(text):
                self.assert_says(text, old, new)

    def test_empty_and_missing(self):
        with self.assertRaisesRegex(LabError, "'drives' is missing"):
            profile.parse("", "n", "s")
        with self.assertRaisesRegex(LabError, "at least one OSD"):
            profile.parse("drives = {}\nosds = []", "n", "s")
        with self.assertRaisesRegex(LabError, "homelab"):
            profile.load("nosuch")
        with self.assertRaisesRegex(LabError, "No such file"):
            profile.load("/nosuch/x.toml")


if __name__ == "__main__":
    unittest.main()
