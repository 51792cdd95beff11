"""kill -9 of the lab script itself, at many moments: `down` removes whatever was there by then."""

import shutil
import signal
import subprocess
import time
import unittest

from support import DEADLINE, LAB, TINY, LabCase, leftovers

from labkit.state import State


class Killed(LabCase):
    def start(self, *words):
        """A lab command as a process of which stderr can be followed."""
        child = subprocess.Popen([LAB, *map(str, words), "--dir", self.dir], text=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 # A test run in the background of a shell ignores Ctrl-C, and
                                 # so would its children.
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait, DEADLINE)
        self.addCleanup(child.kill)
        return child

    def kill_after(self, words, line=None, seconds=0.0):
        """kill -9 so many seconds after the command said `line` (or began)."""
        child = self.start(*words)
        for said in child.stderr if line else ():
            if line in said:
                break
        # Time: at each of these moments `down` must remove what the command has begun.
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        child.wait(DEADLINE)

    def assert_down_clears(self):
        self.lab("down")
        self.assert_nothing_left()

    def test_up_killed_at_any_moment(self):
        moments = [(None, 0.1), ("building", 0.0), ("building", 0.05), ("cluster", 0.0),
                   ("cluster", 0.05), ("cluster", 0.2), ("monitor answers", 0.0),
                   ("monitor answers", 0.1), ("starting", 0.0), ("OSDs are up", 0.0),
                   ("OSDs are up", 0.3)]
        for line, seconds in moments:
            with self.subTest(after=line, seconds=seconds):
                self.kill_after(["up", "--profile", TINY], line, seconds)
                self.assert_down_clears()

    def test_up_after_a_killed_up_starts_afresh(self):
        for line in ("cluster", "starting"):
            self.kill_after(["up", "--profile", TINY], line, 0.1)
            self.assertIn("half built", self.refused("status"))
            self.assertIn("half built", self.refused("osd", "stop", 0))
        self.assertIn("clearing it away first", self.up()[1])
        self.assert_usable()

    def test_down_and_reset_killed(self):
        self.up()
        self.kill_after(["reset"], None, 0.5)
        self.lab("reset")
        self.assert_usable()
        for seconds in (0.15, 0.25):
            self.up()
            self.kill_after(["down"], None, seconds)
            self.assert_down_clears()

    def test_command_killed_while_an_osd_starts(self):
        self.up()
        for seconds in (0.15, 0.3):
            self.lab("osd", "stop", 1)
            self.kill_after(["osd", "start", 1], None, seconds)
            self.lab("osd", "restart", 1)
        self.wait_health()
        self.assert_down_clears()

    def test_an_osd_that_was_not_recorded_is_found(self):
        """A command killed between the start of an OSD and the record of it, at a known place."""
        self.up()
        pid = self.status()["daemons"]["osd.1"]["pid"]
        State.load(self.dir).set_daemon("osd.1", None)
        self.assertEqual(self.status()["daemons"]["osd.1"], {"state": "running", "pid": pid})
        self.assertIn("running already", self.lab("osd", "start", 1)[1])
        self.lab("osd", "restart", 1)
        self.assertNotIn(self.status()["daemons"]["osd.1"]["pid"], (None, pid))
        self.wait_health()

    def test_directory_removed_under_a_running_lab(self):
        self.up()
        shutil.rmtree(self.dir)
        self.assertTrue(leftovers(self.dir))
        self.assert_down_clears()

    def test_interrupted_up_says_what_to_do(self):
        child = self.start("up", "--profile", TINY)
        for said in child.stderr:
            if "cluster" in said:
                break
        child.send_signal(signal.SIGINT)
        said = child.stderr.read()
        self.assertEqual(child.wait(DEADLINE), 130, said)
        self.assertIn("lab down", said)
        self.assertNotIn("Traceback", said)
        self.lab("down")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
