"""The small parts: units, options, addresses, configuration, and which loop devices are ours."""

import base64
import importlib
import os
import struct
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (it makes labkit importable)
from labkit import (cli, conf, drives, flush, lab, mgr_modules, network, pools, profile, status,
                    units)
from labkit.say import LabError, UsageError, wait_until


class Units(unittest.TestCase):
    def test_sizes(self):
        for text, size in (("0", 0), ("512", 512), ("4k", 4096), ("4K", 4096), ("20M", 20 << 20),
                           ("8GiB", 8 << 30), ("1 TB", 1 << 40)):
            self.assertEqual(units.parse_size(text), size)
        for text in ("", "M", "-1", "1.5G", "4kk", "1Gx", "none"):
            with self.assertRaises(ValueError):
                units.parse_size(text)
        self.assertEqual(units.format_size(120 << 20), "120 MiB")
        self.assertEqual(units.format_size(1536), "1.5 KiB")

    def test_durations(self):
        for text, us, shown in (("500us", 500, "500 us"), ("2ms", 2_000, "2 ms"),
                                ("1.5 ms", 1_500, "1.5 ms"), ("1S", 1_000_000, "1 s")):
            self.assertEqual(units.parse_duration(text), us)
            self.assertEqual(units.format_duration(us), shown)
        for text in ("", "2", "ms", "-2ms", "2m", "2 ms 3 us", "none", "1e3ms", "9" * 20 + "s"):
            with self.assertRaises(ValueError):
                units.parse_duration(text)


class Options(unittest.TestCase):
    def test_limits(self):
        self.assertEqual(cli.parse_limits(["iops=40"]), {"iops": 40})
        self.assertEqual(cli.parse_limits(["iops=none", "bps=20M"]),
                         {"iops": None, "bps": 20 << 20})
        self.assertEqual(cli.parse_limits(["flush=2ms", "iops=9"]), {"flush": 2_000, "iops": 9})
        self.assertEqual(cli.parse_limits(["flush=none"]), {"flush": None})
        self.assertIsNone(cli.parse_limits(["profile"]))
        for bad in (["iops"], ["iops="], ["iops=x"], ["iops=0"], ["speed=4"],
                    ["profile", "iops=4"], ["flush="], ["flush=2"], ["flush=0ms"], ["flush=6s"]):
            with self.assertRaises(UsageError):
                cli.parse_limits(bad)

    def test_a_wrong_delay_says_what_would_be_right(self):
        for setting, advice in (("flush=2", "write 500us, 2ms or 1s"),
                                ("flush=1h", "write 500us, 2ms or 1s"),
                                ("flush=0ms", "write flush=none for no delay"),
                                ("flush=9s", "at most 5 s longer"), ("fulsh=2ms", "flush=2ms")):
            with self.assertRaisesRegex(UsageError, advice) as caught:
                cli.parse_limits([setting])
            self.assertIn(f"'{setting}' is not a limit", str(caught.exception))

    def test_several_osds(self):
        def osds(text):
            return cli.parser().parse_args(["drive", text]).osds

        self.assertEqual(osds("3"), [3])
        self.assertEqual(osds("osd.3"), [3])
        self.assertEqual(osds("0,4-6"), [0, 4, 5, 6])
        for bad in ("", "x", "4-", "6-4", "0-9999999", "-1"):
            with self.assertRaises(SystemExit), mock.patch("sys.stderr"):
                osds(bad)

    def test_default_folder(self):
        def chosen(**env):
            with mock.patch.dict(os.environ, env, clear=True):
                return str(cli.default_dir())

        with tempfile.TemporaryDirectory(prefix="labtest-") as home:
            home = os.path.realpath(home)
            self.assertEqual(chosen(RADOSLOAD_LAB_DIR="/x/y", HOME=home), "/x/y")
            self.assertEqual(chosen(HOME=home), f"{home}/.local/state/radosload/lab")
            self.assertEqual(chosen(HOME=home, XDG_STATE_HOME=f"{home}/s"),
                             f"{home}/s/radosload/lab")
            in_tmp = f"/tmp/radosload-lab-{os.geteuid()}"
            self.assertEqual(chosen(HOME=f"{home}/{'x' * 90}"), in_tmp)
            self.assertEqual(chosen(HOME=f"{home}/with space"), in_tmp)

    def test_folders_a_cluster_cannot_live_in(self):
        lab.check_folder("/tmp/fine_1.2-3+4@5")
        for bad in ("/tmp/a b", "/tmp/$id", "/tmp/a;b", "/tmp/a#b", "/tmp/" + "x" * 100, "/tmp/ü"):
            with self.assertRaises(LabError):
                lab.check_folder(bad)


class Network(unittest.TestCase):
    def test_addresses_stay_within_loopback(self):
        for raw in (bytes(3), b"\xff\xff\xff", b"\xfe\x00\xfe"):
            first, second, _, last = map(int, network.draw_address(raw).split("."))
            self.assertEqual(first, 127)
            self.assertTrue(1 <= second <= 254 and 1 <= last <= 254)

    def test_a_port_that_is_taken_is_passed_over(self):
        with mock.patch.object(network, "_is_free", lambda _, port: port not in (3300, 6799)):
            self.assertEqual(network.draw_mon_ports("127.1.2.3"), (3320, 6809))
        with mock.patch.object(network, "_is_free", lambda *_: False):
            with self.assertRaisesRegex(LabError, "no free port"):
                network.draw_mon_ports("127.1.2.3")


class Configuration(unittest.TestCase):
    STATE = {"fsid": "f", "address": "127.1.2.3", "mon_ports": (3300, 6789)}

    def text(self, name="homelab", emulated=True, **state):
        return conf.ceph_conf("/d", profile.load(name), {**self.STATE, **state}, emulated)

    def test_only_a_lab_with_an_mds_has_its_settings(self):
        self.assertNotIn("[mds]", self.text())
        self.assertNotIn("[mds]", self.text(mds=False))
        self.assertIn("\n[mds]\n", self.text(mds=True))

    def test_every_path_lies_in_the_lab(self):
        system = {"osd class dir"}
        for line in self.text(mds=True).splitlines():
            key, _, value = (part.strip() for part in line.partition("="))
            if value.startswith("/") and key not in system:
                self.assertTrue(value.startswith("/d/"), line)

    def test_each_osd_has_its_place_and_tuning(self):
        self.assertIn("[osd.6]\ncrush location = root=default host=node2", self.text())
        self.assertIn("root=default rack=slow host=slow-a", self.text("study"))
        self.assertNotIn("enforce settings", self.text())
        self.assertIn("enforce settings = hdd", self.text(emulated=False))
        self.assertIn("enforce settings = ssd", self.text(emulated=False))
        self.assertIn("memstore device bytes", self.text("mem", emulated=False))

    def test_what_the_profile_sets_comes_after_the_lab_s_own(self):
        text = self.text("fast")
        self.assertGreater(text.index("\n[osd]\nosd recovery sleep hdd = 0\n"),
                           text.index("\n[osd]\nlog file"))
        self.assertNotIn("recovery sleep", self.text())

    def test_keys(self):
        kind, _, _, length = struct.unpack("<HIIH", base64.b64decode(conf.new_key())[:12])
        self.assertEqual((kind, length), (1, 16))
        self.assertNotEqual(conf.new_key(), conf.new_key())
        text = conf.keyring({"mon.": "K", "osd.3": "L"})
        self.assertIn('[mon.]\n\tkey = K\n\tcaps mon = "allow *"', text)
        self.assertIn('caps mon = "allow profile osd"', text)


class MgrModules(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("balancer", "dashboard", "devicehealth"):
            (self.folder / "ceph" / name).mkdir(parents=True)
        package = self.folder / "ceph/devicehealth"
        (package / "__init__.py").write_text("from .module import Module\n")
        (package / "module.py").write_text(
            "class Module:\n    MODULE_OPTIONS = [{'name': 'pool_name', 'default': 'x'},\n"
            "        {'name': 'enable_monitoring', 'default': True}]\n")

    def test_those_that_nothing_uses_stay_away(self):
        mgr_modules.choose(self.folder / "lab", self.folder / "ceph")
        self.assertEqual(sorted(entry.name for entry in (self.folder / "lab").iterdir()),
                         ["balancer", "devicehealth"])

    def test_no_pool_is_made_even_before_the_configuration_is_read(self):
        mgr_modules.choose(self.folder / "lab", self.folder / "ceph")
        with mock.patch.object(sys, "path", [str(self.folder / "lab"), *sys.path]):
            options = importlib.import_module("devicehealth").Module.MODULE_OPTIONS
        self.assertEqual([option["default"] for option in options], ["x", False])

    def test_a_machine_without_modules_has_an_empty_folder(self):
        mgr_modules.choose(self.folder / "lab", self.folder / "none")
        self.assertEqual(list((self.folder / "lab").iterdir()), [])


class Flushes(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="labtest-")
        self.addCleanup(temp.cleanup)
        self.osd = Path(temp.name)

    def library(self, found="/x/slow_flush.so"):
        return mock.patch.object(flush, "library", lambda: found and Path(found))

    def test_only_an_osd_with_a_delay_is_started_with_the_library(self):
        with self.library():
            self.assertEqual(flush.environment(self.osd), {})
            flush.set_delay(self.osd, 2_000)
            self.assertEqual(flush.delay_of(self.osd), 2_000)
            self.assertEqual(flush.environment(self.osd), {
                "LD_PRELOAD": "/x/slow_flush.so",
                "RADOSLOAD_LAB_FLUSH_FILE": str(self.osd / "flush_us")})
            flush.set_delay(self.osd, None)
            self.assertIsNone(flush.delay_of(self.osd))
            self.assertEqual(flush.environment(self.osd), {})

    def test_without_the_library_an_osd_starts_at_full_speed(self):
        flush.set_delay(self.osd, 2_000)
        with self.library(None):
            self.assertEqual(flush.environment(self.osd), {})
            self.assertIn("tools/dev build", flush.why_no_library())

    def test_the_library_is_found_in_a_build_and_in_an_installation(self):
        for folder, package in (("build/asan/lab", "tools/labkit"),
                                ("lib64/radosload-lab", "share/radosload-lab/labkit"),
                                ("lib/x86_64-linux-gnu/radosload-lab", "share/radosload-lab/labkit")):
            with tempfile.TemporaryDirectory(prefix="labtest-") as root:
                self.assertIsNone(flush.library(Path(root, package)))
                made = Path(root, folder, "slow_flush.so")
                made.parent.mkdir(parents=True)
                made.touch()
                self.assertEqual(flush.library(Path(root, package)), made)

    def test_a_source_tree_does_not_use_a_library_beside_its_folder(self):
        with tempfile.TemporaryDirectory(prefix="labtest-") as root:
            for folder in ("lib/radosload-lab", "lib/x86_64-linux-gnu/radosload-lab"):
                Path(root, folder).mkdir(parents=True)
                Path(root, folder, "slow_flush.so").touch()
            for checkout in ("radosload", "share"):
                self.assertIsNone(flush.library(Path(root, checkout, "tools/labkit")))

    def test_a_process_is_asked_whether_it_has_the_library(self):
        process = self.osd / "7"
        process.mkdir()
        (process / "environ").write_bytes(b"A=1\0RADOSLOAD_LAB_FLUSH_FILE=/x\0")
        self.assertTrue(flush.is_loaded(7, self.osd))
        (process / "environ").write_bytes(b"A=RADOSLOAD_LAB_FLUSH_FILE=/x\0")
        self.assertFalse(flush.is_loaded(7, self.osd))
        self.assertFalse(flush.is_loaded(8, self.osd))

    def test_the_table_shows_it(self):
        osd = {"rotational": False, "iops": None, "bps": None, "flush_us": 2_000}
        for loops, shown in ((True, "flash, 2 ms a flush"),
                             (False, "stands for a flash drive, 2 ms a flush")):
            self.assertEqual(status._drive(osd, {"emulation": {"loops": loops}}), shown)


class Loops(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="labtest-")
        self.addCleanup(temp.cleanup)
        self.sys, self.lab = Path(temp.name) / "sys", Path(temp.name) / "lab"
        for name in ("osd.0", "osd.12"):
            (self.lab / name).mkdir(parents=True)
        self.behind = {}

    def attach(self, number, backing, behind):
        folder = self.sys / f"loop{number}" / "loop"
        folder.mkdir(parents=True)
        (folder / "backing_file").write_text(f"{backing}\n")
        self.behind[f"/dev/loop{number}"] = behind

    def found(self):
        ours = drives.attached_files(self.lab, self.sys, self.behind.get)
        return {str(Path(path).relative_to(self.lab)): device for path, (device, _) in ours.items()}

    def inode(self, path):
        path.touch()
        return path.stat().st_dev, path.stat().st_ino

    def test_only_devices_of_this_lab(self):
        here = self.lab.stat().st_dev
        for number, name in enumerate((
                "lab/osd.0/block.img", "lab/probe.img", "lab/other.img", "lab/osd.x/block.img",
                "lab2/osd.0/block.img", "lab/osd.0/block.img.bak")):
            path = self.lab.parent / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self.attach(number, path, self.inode(path))
        self.attach(7, self.lab / "osd.12/block.wal.img (deleted)", (here, 1))
        (self.sys / "loop9").mkdir()  # a device with nothing behind it
        self.assertEqual(self.found(), {"osd.0/block.img": "/dev/loop0",
                                        "probe.img": "/dev/loop1",
                                        "osd.12/block.wal.img": "/dev/loop7"})

    def test_the_same_path_in_another_namespace_is_another_file(self):
        device, inode = self.inode(self.lab / "osd.0/block.img")
        self.attach(0, self.lab / "osd.0/block.img", (device, inode + 1))
        self.attach(1, self.lab / "osd.12/block.img", (device, inode))
        self.attach(2, self.lab / "osd.12/block.db.img (deleted)", (device + 1, 5))
        self.attach(3, self.lab / "osd.0/block.img (deleted)", (device, inode))
        self.attach(4, self.lab / "osd.12/block.wal.img (deleted)", None)
        self.assertEqual(self.found(), {})

    def test_room(self):
        self.assertIsNone(drives.check_space("/tmp", 1, 1))
        self.assertIn("do not fill", drives.check_space("/tmp", 1 << 62, 1))
        with self.assertRaisesRegex(LabError, "not enough room"):
            drives.check_space("/tmp", 1 << 62, 1 << 62)


class Kinds(unittest.TestCase):
    def test_as_an_osd_reports_itself(self):
        for db, wal, kind in (("0", "0", "plain"), ("0", "1", "wal"), ("1", "0", "db"),
                              ("1", "1", "db+wal")):
            self.assertEqual(pools.kind_of({"bluefs_dedicated_db": db,
                                            "bluefs_dedicated_wal": wal}), kind)
        self.assertEqual(pools.kind_of({"osd_objectstore": "memstore"}), "memstore")


class ScriptedMon:
    """Answers as a monitor whose manager knows of more PGs each time it is asked."""

    def __init__(self, pools, known, managers=()):
        self.pools, self.known, self.managers = pools, iter(known), iter(managers)

    def mon(self, command):
        return {"health": lambda: {"status": "HEALTH_OK", "checks": {}},
                "osd dump": lambda: {"pools": [{"pg_num": pgs} for pgs in self.pools]},
                "mgr dump": lambda: {"available": next(self.managers, True)},
                "status": lambda: {"pgmap": next(self.known)}}[command]()


class Waiting(unittest.TestCase):
    def test_a_new_cluster_is_healthy_once_the_pgs_of_all_pools_are(self):
        def pgs(**states):
            return {"num_pgs": sum(states.values()), "pgs_by_state": [
                {"state_name": name.replace("_", "+"), "count": count} for name, count in states.items()]}

        answers = [pgs(), pgs(active_clean=32), pgs(active_clean=32, unknown=8), pgs(active_clean=40)]
        mon = ScriptedMon([32, 8], answers)
        self.assertEqual(pools.wait_healthy(mon, lambda: None, 20), [])
        self.assertEqual(list(mon.known), [])
        with self.assertRaisesRegex(LabError, r"HEALTH_OK; PGs: .*32.* of 40"):
            pools.wait_healthy(ScriptedMon([32, 8], answers[1:]), lambda: None, 0)

    def test_a_new_cluster_is_healthy_once_its_manager_answers(self):
        mon = ScriptedMon([8], [{"pgs_by_state": [{"state_name": "active+clean", "count": 8}]}] * 3,
                          [False, False, True])
        self.assertEqual(pools.wait_healthy(mon, lambda: None, 20), [])
        self.assertEqual(list(mon.known), [])
        with self.assertRaisesRegex(LabError, "the manager does not answer yet"):
            pools.wait_healthy(ScriptedMon([8], [{}], [False]), lambda: None, 0)

    def test_a_wait_ends_and_says_what_it_saw(self):
        def never():
            never.seen = "nothing yet"

        with self.assertRaisesRegex(LabError, "waited 0 s for the moon: nothing yet"):
            wait_until("the moon", 0, never)
        self.assertEqual(wait_until("it", 0, lambda: 5), 5)


if __name__ == "__main__":
    unittest.main()
