"""Whose process is it: pid, start time and marker."""

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (it makes labkit importable)
from labkit import process
from labkit.process import MARKER, Proc
from labkit.say import LabError
from waiting import wait_for

# Fields 3 (state) and 22 (start time) of /proc/PID/stat, after a name that tries to mislead.
STAT = "42 (a) S 1 (b) {state} " + " ".join(str(n) for n in range(4, 22)) + " {start} 23 24\n"


class FakeProc(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="labtest-")
        self.addCleanup(temp.cleanup)
        self.root = temp.name
        (Path(self.root) / "42").mkdir()
        (Path(self.root) / "42/root").symlink_to("/")

    def write(self, state="S", start=1234, environ=f"A=1\0{MARKER}=/a/lab\0B=2\0"):
        (Path(self.root) / "42/stat").write_text(STAT.format(state=state, start=start))
        (Path(self.root) / "42/environ").write_text(environ)

    def state(self, start=1234, folder="/a/lab", pid=42):
        return process.state_of(Proc(pid, start), folder, self.root)

    def test_stat(self):
        self.write("R", 99)
        self.assertEqual(process.read_stat(42, self.root), ("R", 99))
        self.assertIsNone(process.read_stat(43, self.root))

    def test_states(self):
        for letter, state in (("S", "running"), ("R", "running"), ("D", "running"),
                              ("T", "paused"), ("t", "paused"), ("Z", "gone"), ("X", "gone")):
            self.write(letter)
            self.assertEqual(self.state(), state, letter)

    def test_another_process_with_the_same_pid_is_not_ours(self):
        self.write()
        self.assertEqual(self.state(start=1233), "gone")
        self.assertEqual(self.state(folder="/another/lab"), "gone")
        self.assertEqual(self.state(folder="/a"), "gone")
        self.assertEqual(self.state(pid=43), "gone")
        self.assertEqual(process.state_of(None, "/a/lab", self.root), "gone")
        self.write(environ=f"X{MARKER}=/a/lab\0")
        self.assertEqual(self.state(), "gone")

    def test_a_daemon_is_known_by_its_command_line(self):
        def is_osd_1(*words):
            (Path(self.root) / "42/cmdline").write_text("\0".join(words) + "\0")
            return process.is_service(42, "ceph-osd", "1", self.root)

        self.assertTrue(is_osd_1("ceph-osd", "--conf", "/a/ceph.conf", "--id", "1", "-f"))
        self.assertFalse(is_osd_1("ceph-osd", "--conf", "/a/ceph.conf", "--id", "11", "-f"))
        self.assertFalse(is_osd_1("ceph-mon", "--conf", "/a/ceph.conf", "--id", "1", "-f"))
        self.assertFalse(is_osd_1("ceph-osd", "--conf", "/a/ceph.conf", "--id", "1", "--mkfs"))
        self.assertFalse(process.is_service(43, "ceph-osd", "1", self.root))

    def test_the_same_path_in_a_chroot_is_another_lab(self):
        self.write()
        root = Path(self.root) / "42/root"
        root.unlink()
        root.symlink_to(self.root)
        self.assertEqual(self.state(), "gone")


class RealProcesses(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="labtest-")
        self.addCleanup(temp.cleanup)
        self.dir = Path(temp.name)
        self.addCleanup(process.kill_all, self.dir)

    def spawn(self, *argv, **more):
        child = process.spawn(argv or ["sleep", "600"], self.dir, self.dir / "log", **more)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        # The kernel shows a new program's environment a moment after exec has let its parent go on.
        wait_for("the marked process", lambda: process.find_marked(self.dir), between_s=0.01,
                 enough=lambda found: child.poll() is not None or child.pid in [one.pid for one in found])
        return child

    def test_spawned_ones_are_found_and_ended(self):
        children = {self.spawn().pid, self.spawn().pid}
        self.assertEqual({proc.pid for proc in process.find_marked(self.dir)}, children)
        self.assertEqual(process.kill_all(self.dir), 2)
        self.assertEqual(process.find_marked(self.dir), [])
        self.assertEqual(process.kill_all(self.dir), 0)

    def test_paused_ones_too(self):
        child = self.spawn()
        proc = process.identify(child.pid)
        self.assertTrue(process.send(proc, self.dir, signal.SIGSTOP))
        wait_for("a paused process", lambda: process.state_of(proc, self.dir), between_s=0.01,
                 enough=lambda state: state == "paused")
        self.assertEqual(process.kill_all(self.dir), 1)

    def test_a_stranger_gets_no_signal(self):
        stranger = subprocess.Popen(["sleep", "600"])
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        self.assertFalse(process.send(process.identify(stranger.pid), self.dir, signal.SIGKILL))
        self.assertEqual(process.kill_all(self.dir), 0)
        self.assertIsNone(stranger.poll())

    def test_a_signal_goes_to_the_process_and_not_to_its_pid(self):
        """Between the check and the signal, the pid may be given to somebody else."""
        child = self.spawn()
        proc = process.identify(child.pid)
        kill = os.kill

        def ends_after_the_check(*_):
            kill(child.pid, signal.SIGKILL)
            child.wait()
            return "running"

        with mock.patch.object(process, "state_of", ends_after_the_check), \
             mock.patch.object(os, "kill", side_effect=AssertionError("a signal to a pid")):
            self.assertFalse(process.send(proc, self.dir, signal.SIGTERM))

    @unittest.skipIf(os.geteuid(), "being somebody else takes root")
    def test_another_users_process_with_our_marker_is_not_ours(self):
        environment = {**os.environ, MARKER: str(self.dir)}
        stranger = subprocess.Popen(["/bin/sleep", "600"], env=environment, user=65534, cwd="/")
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        self.assertFalse(process.is_marked(stranger.pid, self.dir))
        self.assertEqual(process.kill_all(self.dir), 0)
        self.assertIsNone(stranger.poll())

    def test_a_log_is_not_written_through_a_link(self):
        victim = self.dir / "victim"
        victim.write_text("precious")
        (self.dir / "log").symlink_to(victim)
        with self.assertRaises(OSError):
            process.spawn(["echo", "overwritten"], self.dir, self.dir / "log")
        self.assertEqual(victim.read_text(), "precious")

    def test_the_environment_leads_nowhere_else(self):
        os.environ["CEPH_ARGS"] = "--id nobody"
        self.addCleanup(os.environ.pop, "CEPH_ARGS", None)
        self.spawn("sh", "-c", "env").wait()
        log = (self.dir / "log").read_text()
        self.assertNotIn("CEPH_ARGS", log)
        self.assertIn(f"{MARKER}={self.dir}", log)

    def test_a_group_is_entered_before_the_program_runs(self):
        """A plain file stands for cgroup.procs; the pid in it must be the program's own."""
        child = self.spawn("sh", "-c", "echo I am $$", enter_group=str(self.dir / "procs"))
        child.wait()
        self.assertEqual((self.dir / "procs").read_text().strip(), str(child.pid))
        self.assertIn(f"I am {child.pid}\n", (self.dir / "log").read_text())

    def test_a_group_that_cannot_be_entered_stops_the_program(self):
        child = self.spawn("echo", "ran", enter_group=str(self.dir / "no/procs"))
        self.assertNotEqual(child.wait(), 0)
        self.assertNotIn("ran", (self.dir / "log").read_text().split())

    def test_a_program_that_is_not_there(self):
        with self.assertRaisesRegex(LabError, "cannot start no-such-program"):
            process.spawn(["no-such-program"], self.dir, self.dir / "log")


if __name__ == "__main__":
    unittest.main()
