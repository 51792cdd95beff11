"""Every command on a real, tiny lab, twice in a row, and after a kill -9 behind its back."""

import os
import unittest
from pathlib import Path

from support import LabCase, SharedLabCase, leftovers
from waiting import wait_for


class Commands(SharedLabCase):
    """What leaves the lab as it was."""

    def states(self):
        return {name: d["state"] for name, d in self.status()["daemons"].items()}

    def osd_up(self, number):
        return self.status()["osds"][number]["up"]

    def test_up_again_changes_nothing(self):
        before = self.built()
        for _ in range(2):
            self.assertIn("already running", self.up()[1])
        self.assertEqual(self.built(), before)
        self.assertIn("down`, then up", self.lab("up", "--profile", "mem")[1])
        self.assertEqual(self.built(), before)

    def test_up_names_what_does_not_run(self):
        self.kill_daemon("osd.1")
        self.assertIn("osd.1 is dead", self.up()[1])
        self.assertEqual(self.states()["osd.1"], "dead")
        self.lab("osd", "start", 1)

    def test_status_and_env(self):
        for _ in range(2):
            text, _ = self.lab("status")
            self.assertIn("HEALTH_OK", text)
            self.assertIn("mon.a: running", text)
            self.assertIn("ot emulated", text)
            env, _ = self.lab("env")
            self.assertIn(f"export CEPH_CONF={self.dir}/ceph.conf\n", env)
        self.assert_usable()

    def test_osd_stop_and_start(self):
        for word, state in (("stop", "stopped"), ("kill", "stopped")):
            for _ in range(2):
                self.lab("osd", word, 1)
                self.assertEqual(self.states()["osd.1"], state)
            wait_for("osd.1 to be down", lambda: self.status()["osds"][1], lambda osd: not osd["up"])
            for _ in range(2):
                self.lab("osd", "start", 1)
                self.assertEqual(self.states()["osd.1"], "running")
                self.assertTrue(self.osd_up(1))
        self.wait_health()
        self.assert_usable()

    def test_osd_pause_and_resume(self):
        for _ in range(2):
            self.lab("osd", "pause", 0)
            self.assertEqual(self.states()["osd.0"], "paused")
        for _ in range(2):
            self.lab("osd", "resume", 0)
            self.assertEqual(self.states()["osd.0"], "running")
        self.lab("osd", "pause", 0)
        self.lab("osd", "start", 0)  # a way to resume as well
        self.assertEqual(self.states()["osd.0"], "running")
        self.lab("osd", "pause", 0)
        self.lab("osd", "stop", 0)   # a frozen one can be ended
        self.assertIn("start it first", self.refused("osd", "resume", 0))
        self.assertIn("start it first", self.refused("osd", "pause", 0))
        self.lab("osd", "start", 0)
        self.wait_health()

    def test_osd_restart_several(self):
        for _ in range(2):
            before = self.status()["daemons"]
            self.lab("osd", "restart", "0,1")
            after = self.status()["daemons"]
            for name in ("osd.0", "osd.1"):
                self.assertNotEqual(before[name]["pid"], after[name]["pid"])
        self.wait_health()

    def test_osd_killed_behind_the_back(self):
        for _ in range(2):
            self.kill_daemon("osd.1")
            self.lab("osd", "start", 1)
        self.kill_daemon("osd.0")
        self.lab("osd", "stop", 0)
        self.lab("osd", "restart", 0)
        self.wait_health()
        self.assert_usable()

    def test_mon(self):
        for word in ("stop", "kill"):
            for _ in range(2):
                self.lab("mon", word)
            self.assertIn("lab mon start", self.lab("status")[0])
            self.lab("env")
            for _ in range(2):
                self.lab("mon", "start")
        for word, state in (("pause", "paused"), ("resume", "running"), ("restart", "running")):
            for _ in range(2):
                self.lab("mon", word)
                self.assertEqual(self.states()["mon.a"], state)
        self.kill_daemon("mon.a")
        self.lab("mon", "start")
        self.wait_health()
        self.assert_usable()

    def test_osd_started_without_a_mon_joins_later(self):
        self.lab("mon", "stop")
        self.lab("osd", "kill", 1)
        self.assertIn("cannot join", self.lab("osd", "start", 1)[1])
        self.lab("mon", "start")
        self.wait_health()

    def test_mgr(self):
        for word in ("stop", "start", "pause", "resume"):
            for _ in range(2):
                self.lab("mgr", word)
        self.kill_daemon("mgr.x")
        self.lab("mgr", "start")
        self.wait_health()

    def test_reset(self):
        fsid, placement = self.status()["fsid"], self.placement()
        self.lab("osd", "stop", 1)
        for _ in range(2):
            self.lab("reset")
            self.assertEqual(self.placement(), placement)
            answer = self.status()
            self.assertNotEqual(answer["fsid"], fsid)
            self.assertEqual(answer["health"]["status"], "HEALTH_OK")
            fsid = answer["fsid"]
        self.assert_usable()

    def placement(self):
        """Which OSDs each PG lies on: the same every time, so that runs can be held together."""
        def pgs_of_both():
            return [pg for pool in ("one", "two")
                    for pg in self.ceph_json("pg", "ls-by-pool", pool)["pg_stats"]]

        # Health may be well again before the manager has heard of every PG that was not.
        pgs = wait_for("every PG to be clean", pgs_of_both,
                       lambda pgs: all(pg["state"] == "active+clean" for pg in pgs))
        osds = self.ceph_json("osd", "crush", "dump")["buckets"]
        return osds, {(pg["pgid"], tuple(pg["up"])) for pg in pgs}

    def test_unknown_ones_are_named(self):
        self.assertIn("no osd.7", self.refused("osd", "stop", 7))
        self.assertIn("no osd.7", self.refused("drive", 7, "iops=1"))
        self.assertIn("not a limit", self.refused("drive", 0, "speed=1", status=2))
        self.refused("osd", "explode", 0, status=2)


def opened_by_another_user(files):
    """Which of these files somebody without any rights can read; for root only."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        for file in files:
            try:
                file.open("rb").close()
            except OSError:
                continue
            os.write(write, f"{file}\n".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        found = pipe.read().splitlines()
    os.waitpid(child, 0)
    return found


class Private(LabCase):
    def test_nobody_else_gets_in(self):
        """The monitor's store holds the key of client.admin, drives hold data. The folder was made
        by somebody with a generous umask."""
        self.dir.mkdir()
        self.dir.chmod(0o755)
        self.up()
        self.assertEqual(self.dir.stat().st_mode & 0o777, 0o700)
        # The monitor gives its store 0755 whatever the umask is; the folders above it do not.
        files = [path for path in self.dir.rglob("*") if path.is_file() and not path.is_symlink()]
        folders = [path for path in self.dir.iterdir() if path.is_dir()]
        open_to_others = [str(path) for path in files + folders if path.stat().st_mode & 0o077]
        self.assertEqual(open_to_others, [])
        stored = [path for path in files if "store.db" in str(path)]
        self.assertTrue(stored)
        if os.geteuid() == 0:
            self.assertEqual(opened_by_another_user(files), [])
            self.assertEqual(opened_by_another_user([Path("/etc/passwd")]), ["/etc/passwd"])


class Ends(LabCase):
    """What the lab does not outlive."""

    def setUp(self):
        super().setUp()
        self.up()

    def test_down(self):
        (self.base / "neighbour").mkdir()
        self.assertIn("nothing is left", self.lab("down")[1])
        self.assert_nothing_left()
        self.assertIn("no lab", self.lab("down")[1])
        self.assertTrue((self.base / "neighbour").is_dir())
        for words in (["status"], ["env"], ["reset"], ["osd", "stop", 0], ["mon", "stop"],
                      ["drive", 0, "iops=9"]):
            self.assertIn("lab up", self.refused(*words))
            self.assert_nothing_left()

    def test_down_with_daemons_in_every_state_and_a_strangers_file(self):
        self.lab("osd", "pause", 0)
        self.kill_daemon("osd.1")
        self.lab("mon", "stop")
        (self.dir / "results.txt").write_text("precious")
        (self.dir / "osd.backup").mkdir()
        self.assertIn("is kept", self.lab("down")[1])
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["osd.backup", "results.txt"])
        self.assertEqual(leftovers(self.dir), [f"directory {self.dir}"])
        self.assertIn("not empty", self.refused("up", "--profile", "mem"))


if __name__ == "__main__":
    unittest.main()
