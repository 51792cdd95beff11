"""A lab and what else is on the machine: other labs, other clusters, other people's processes."""

import json
import os
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import DEADLINE, LAB, TINY, LabCase, SharedLabCase, own_home
from waiting import wait_for


class SideBySide(LabCase):
    def test_two_labs(self):
        """Started in the same instant; what is done to one is not felt by the other, nor by
        either what is done to a directory above it or to one whose name begins alike."""
        one, two = self.base / "lab" / "inner", self.base / "lab2"
        with ThreadPoolExecutor() as pool:
            list(pool.map(self.up, (one, two)))
        first, second = self.built(one), self.built(two)
        self.assertNotEqual(first["fsid"], second["fsid"])
        self.assertNotEqual(first["address"], second["address"])
        for folder in (one, two):
            self.assert_usable(folder=folder)
        self.assertIn("no lab", self.lab("down", folder=self.base / "lab")[1])
        self.assertEqual(self.built(one), first)
        self.lab("osd", "kill", 0, folder=one)
        self.lab("mon", "stop", folder=one)
        self.assertEqual(self.built(two), second)
        self.lab("reset", folder=one)
        self.lab("down", folder=one)
        self.assert_nothing_left(one)
        self.assertEqual(self.built(two), second)
        self.assert_usable(folder=two)

    def test_two_ups_in_one_directory(self):
        with ThreadPoolExecutor() as pool:
            said = sorted(err for _, err in pool.map(lambda _: self.up(), range(2)))
        self.assertEqual(["already running" in err for err in said].count(True), 1, said)
        self.assert_usable()


class Strangers(SharedLabCase):
    def setUp(self):
        super().setUp()
        self.state_file = self.dir / "state.json"

    def test_the_environment_of_another_cluster(self):
        env = {"CEPH_CONF": own_home.nowhere("ceph.conf"), "CEPH_KEYRING": own_home.nowhere("keyring"),
               "CEPH_ARGS": "--id nobody --mon-host 192.0.2.1"}
        self.assertIn("HEALTH_OK", self.lab("status", env=env)[0])
        self.lab("osd", "restart", 1, env=env)
        self.lab("mon", "restart", env=env)
        out = self.lab("env", env=env)[0]
        done = subprocess.run(["sh", "-c", f"{out}\nceph health"], capture_output=True, text=True,
                              env={**os.environ, **env}, timeout=DEADLINE)
        self.assertIn("HEALTH", done.stdout, done.stderr)

    def record(self, entry):
        values = json.loads(self.state_file.read_text())
        previous, values["daemons"]["osd.1"] = values["daemons"]["osd.1"], entry
        self.state_file.write_text(json.dumps(values))
        return previous

    def test_a_strangers_process_is_not_ended(self):
        """Its pid stands in the state, as after a pid was given out again."""
        stranger = subprocess.Popen(["sleep", "600"])
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        with open(f"/proc/{stranger.pid}/stat", encoding="ascii") as stat:
            start = int(stat.read().rpartition(")")[2].split()[19])
        for entry in ([stranger.pid, start], [stranger.pid, start - 1]):
            for word in ("kill", "stop"):
                previous = self.record(entry)
                self.assertEqual(self.status()["daemons"]["osd.1"]["state"], "dead")
                self.assertIn("was not running", self.lab("osd", word, 1)[1])
                self.assertIsNone(stranger.poll())
                self.record(previous)

    def test_our_pid_with_another_start_time(self):
        pid, start = self.record([1, 1])
        self.record([pid, start + 1])
        self.assertEqual(self.status()["daemons"]["osd.1"]["state"], "dead")
        self.lab("osd", "kill", 1)
        os.kill(pid, 0)  # still there
        self.record([pid, start])
        self.assertEqual(self.status()["daemons"]["osd.1"]["state"], "running")

    def test_clients_are_not_ended(self):
        """A program that uses the lab is not of the lab, even when `down` pulls it away."""
        env = {"CEPH_CONF": own_home.nowhere("ceph.conf"), "CEPH_ARGS": "--id nobody"}
        folder = self.base / "short"
        self.lab("up", "--profile", TINY, folder=folder, env=env)
        script = f'eval "$({LAB} env --dir {folder})"; exec sleep 600'
        client = subprocess.Popen(["sh", "-c", script])
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)
        wait_for("the client", lambda: self.command_of(client), lambda command: command.startswith(b"sleep"))
        self.lab("down", folder=folder)
        self.assertIsNone(client.poll())

    def command_of(self, process):
        with open(f"/proc/{process.pid}/cmdline", "rb") as file:
            return file.read()


class Folders(LabCase):
    def test_a_folder_that_holds_something_else_is_refused(self):
        self.dir.mkdir()
        (self.dir / "log").write_text("mine")
        self.assertIn("not empty", self.refused("up", "--profile", TINY))
        self.assertIn("no lab", self.lab("down")[1])
        self.assertEqual((self.dir / "log").read_text(), "mine")

    def test_bad_names_are_refused(self):
        self.assertIn("too long", self.refused("up", folder=self.base / ("x" * 90)))
        self.assertIn("' '", self.refused("up", folder=self.base / "a b"))
        self.assertIn("$", self.refused("up", folder=self.base / "a$id"))
        (self.base / "file").write_text("")
        self.refused("up", folder=self.base / "file")
        self.assertEqual([p.name for p in self.base.iterdir()], ["file"])

    def test_a_bad_profile_leaves_nothing(self):
        self.assertIn("homelab", self.refused("up", "--profile", "nosuch"))
        self.assert_nothing_left()

    def test_a_relative_folder_is_that_of_the_moment(self):
        self.assertIn(f"no lab in {self.dir}", self.refused("status", folder="lab", cwd=self.base))


if __name__ == "__main__":
    unittest.main()
