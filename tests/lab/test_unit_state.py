"""The state file and the lock."""

import fcntl
import os
import tempfile
import threading
import time
import unittest
from pathlib import Path

import support  # noqa: F401  (it makes labkit importable)
from labkit.process import Proc
from labkit.say import LabError
from labkit.state import Lock, State


class WithFolder(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="labtest-")
        self.addCleanup(temp.cleanup)
        self.dir = Path(temp.name) / "lab"
        self.dir.mkdir()


class Saving(WithFolder):
    def test_what_is_saved_is_loaded(self):
        self.assertIsNone(State.load(self.dir))
        state = State(self.dir, {"phase": "starting", "daemons": {}})
        state.save(phase="up")
        state.set_daemon("osd.0", Proc(1, 2))
        loaded = State.load(self.dir)
        self.assertEqual(loaded["phase"], "up")
        self.assertEqual(loaded.daemon("osd.0"), Proc(1, 2))
        self.assertIsNone(loaded.daemon("osd.1"))
        state.set_daemon("osd.0", None)
        self.assertIsNone(State.load(self.dir).daemon("osd.0"))

    def test_a_save_that_was_killed_half_way_changes_nothing(self):
        State(self.dir, {"phase": "up"}).save()
        (self.dir / "state.json.new").write_text('{"pha')
        self.assertEqual(State.load(self.dir)["phase"], "up")

    def test_what_is_no_state_is_refused(self):
        for text in ("", "{", "[]", '{"version": 4, "terraform_version": "1.2"}'):
            (self.dir / "state.json").write_text(text)
            with self.assertRaisesRegex(LabError, "state.json"):
                State.load(self.dir)

    def test_nothing_is_written_or_read_through_a_link(self):
        victim = self.dir.with_name("victim")
        victim.write_text("precious")
        (self.dir / "state.json.new").symlink_to(victim)
        State(self.dir, {"phase": "up"}).save()
        self.assertEqual(victim.read_text(), "precious")
        self.assertFalse((self.dir / "state.json").is_symlink())
        elsewhere = self.dir.with_name("elsewhere.json")
        (self.dir / "state.json").rename(elsewhere)
        (self.dir / "state.json").symlink_to(elsewhere)
        with self.assertRaisesRegex(LabError, "state.json"):
            State.load(self.dir)

    def test_no_folder(self):
        self.assertIsNone(State.load(self.dir / "none"))


class Locking(WithFolder):
    def test_a_new_folder_is_nobody_elses(self):
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        with Lock(self.dir / "new", create=True):
            self.assertEqual((self.dir / "new").stat().st_mode & 0o777, 0o700)

    def test_one_at_a_time(self):
        with Lock(self.dir):
            self.assertTrue(Lock.is_held(self.dir))
            with self.assertRaisesRegex(LabError, "waited"):
                Lock(self.dir, seconds=0, quiet=True).__enter__()
        self.assertFalse(Lock.is_held(self.dir))

    def test_a_folder_made_anew_meanwhile_is_locked_instead(self):
        """What `down` and then `up` of others do while we wait."""
        old = os.open(self.dir, os.O_RDONLY)
        fcntl.flock(old, fcntl.LOCK_EX)
        got = []

        def wait():
            with Lock(self.dir, seconds=20, quiet=True):
                got.append(os.stat(self.dir).st_ino)
                got.append(Lock.is_held(self.dir))

        thread = threading.Thread(target=wait)
        thread.start()
        # Time: the thread waits for the lock by then; if it does not, nothing is tested.
        time.sleep(0.2)
        self.dir.rename(self.dir.with_name("old"))
        self.dir.mkdir()
        os.close(old)
        thread.join(20)
        self.assertEqual(got, [os.stat(self.dir).st_ino, True])

    def test_a_missing_folder_needs_no_lock(self):
        with Lock(self.dir / "none"):
            pass
        self.assertFalse((self.dir / "none").exists())
        with Lock(self.dir / "a/b", create=True):
            self.assertTrue((self.dir / "a/b").is_dir())


if __name__ == "__main__":
    unittest.main()
