"""Directories that are no lab, or that somebody else has prepared. No cluster is started here."""

import json
import os
import unittest

from support import TINY, LabCase

NOBODY = 65534
COMMANDS = (["up", "--profile", TINY], ["down"], ["reset"], ["status"], ["env"], ["drive", 0],
            ["drive", 0, "iops=9"], ["osd", "stop", 0], ["mon", "stop"], ["mgr", "stop"])


class Prepared(LabCase):
    def write_state(self, profile=TINY, **changes):
        self.dir.mkdir(exist_ok=True)
        values = {"radosload_lab": 1, "phase": "stopping", "profile": "tiny", "emulate": False,
                  "profile_text": profile.read_text(encoding="utf-8"), "fsid": "f",
                  "address": "127.9.9.9", "mon_ports": [1, 2], "daemons": {}, "limits": {},
                  "emulation": {"loops": False, "throttle": None, "why": ""}, **changes}
        (self.dir / "state.json").write_text(json.dumps(values), encoding="utf-8")

    def names(self):
        return sorted(entry.name for entry in self.dir.iterdir())


class Down(Prepared):
    def test_an_empty_folder_that_was_no_lab_stays(self):
        self.dir.mkdir()
        self.assertIn("no lab", self.lab("down")[1])
        self.assertTrue(self.dir.is_dir())

    def test_only_what_the_state_describes_is_removed(self):
        self.write_state()
        for name in ("osd.0", "osd.1", "osd.7", "osd.backup", "osd.", "log", "mine"):
            (self.dir / name).mkdir()
            (self.dir / name / "thesis").write_text("precious")
        (self.dir / "osd.notes.txt").write_text("precious")
        self.assertIn("is kept", self.lab("down")[1])
        self.assertEqual(self.names(), ["mine", "osd.", "osd.7", "osd.backup", "osd.notes.txt"])
        self.assertEqual((self.dir / "osd.7/thesis").read_text(), "precious")

    def test_the_beginning_of_an_up_is_cleared(self):
        self.dir.mkdir()
        (self.dir / "state.json.new").write_text("")
        self.lab("down")
        self.assert_nothing_left()

    def test_a_link_in_the_place_of_the_state_is_refused_and_stays(self):
        self.write_state()
        (self.dir / "state.json").rename(self.base / "other.json")
        (self.dir / "state.json").symlink_to(self.base / "other.json")
        for words in COMMANDS:
            self.assertIn("state.json", self.refused(*words))
        self.assertEqual(self.names(), ["state.json"])
        self.assertTrue((self.base / "other.json").is_file())


class Strangers(Prepared):
    def test_a_folder_that_others_can_write_to(self):
        self.write_state()
        self.dir.chmod(0o777)
        before = (self.dir / "state.json").read_text()
        for words in COMMANDS:
            self.assertIn("other users can write", self.refused(*words))
        self.assertEqual((self.dir / "state.json").read_text(), before)

    @unittest.skipIf(os.geteuid(), "being somebody else takes root")
    def test_every_command_refuses_another_users_folder(self):
        self.base.chmod(0o755)
        self.write_state()
        victim = self.base / "victim"
        victim.write_text("precious")
        (self.dir / "state.json.new").symlink_to(victim)
        before = (self.dir / "state.json").read_text()
        os.chown(self.dir, NOBODY, NOBODY)
        os.chown(self.dir / "state.json", NOBODY, NOBODY)
        for words in COMMANDS:
            self.assertIn("belongs to another user", self.refused(*words))
        self.assertEqual(victim.read_text(), "precious")
        self.assertEqual((self.dir / "state.json").read_text(), before)
        self.assertEqual(self.names(), ["state.json", "state.json.new"])

    @unittest.skipIf(os.geteuid(), "being somebody else takes root")
    def test_another_users_state_in_our_folder_is_refused(self):
        self.write_state()
        os.chown(self.dir / "state.json", NOBODY, NOBODY)
        for words in COMMANDS:
            self.assertIn("belongs to another user", self.refused(*words))
        self.assertEqual(self.names(), ["state.json"])


if __name__ == "__main__":
    unittest.main()
