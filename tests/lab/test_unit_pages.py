"""The lab's man page and completion beside the declaration they are made from."""

import argparse
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (it makes labkit importable)
from labkit import cli, profile, say

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "packaging"))

import lab_pages  # noqa: E402  (the path has to be known first)


def declared(parser):
    """Every word a person can type: commands, their actions, options."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                yield name
                yield from declared(sub)
        elif not isinstance(action, argparse._HelpAction):
            yield from action.option_strings


class Pages(unittest.TestCase):
    def setUp(self):
        self.parser = cli.parser("radosload-lab")
        self.words = set(declared(self.parser))
        self.assertLess({"up", "down", "--profile", "--json", "osd", "pause"}, self.words)

    def test_the_page_has_every_word(self):
        page = lab_pages.man_page(self.parser, "1.2.3")
        for word in self.words:
            self.assertRegex(page, rf"\\fB(\w+ )?{lab_pages.escaped(word)!s}\\fR".replace(
                "\\-", r"\\-"), word)
        self.assertIn("radosload 1.2.3", page)
        self.assertIn("radosload\\-lab drive 3 iops=40", page)

    def test_completion_offers_every_word(self):
        with tempfile.TemporaryDirectory(prefix="labtest-") as folder:
            script = Path(folder) / "lab.bash"
            script.write_text(lab_pages.completion(self.parser, profile.available()),
                              encoding="utf-8")

            def offered(*words):
                line = " ".join(f"'{word}'" for word in words)
                done = subprocess.run(
                    ["bash", "-c", f"source {script}; COMP_WORDS=({line}); "
                     f"COMP_CWORD={len(words) - 1}; _radosload_lab; echo \"${{COMPREPLY[@]}}\""],
                    capture_output=True, text=True, check=True)
                return set(done.stdout.split())

            self.assertEqual(offered("radosload-lab", "u"), {"up"})
            self.assertLessEqual({"up", "down", "osd", "--dir"}, offered("radosload-lab", ""))
            self.assertEqual(offered("radosload-lab", "osd", "pa"), {"pause"})
            self.assertEqual(offered("radosload-lab", "up", "--profile", "ho"), {"homelab"})
            self.assertLessEqual({"--profile", "--plain-files"},
                                 offered("radosload-lab", "--dir", "/tmp/x", "up", "--"))

    def test_it_is_called_what_was_typed(self):
        # The very file that a package's link leads to.
        with tempfile.TemporaryDirectory(prefix="labtest-") as folder:
            link = Path(folder) / "radosload-lab"
            os.symlink(SOURCE / "tools" / "lab", link)
            for program, name in ((link, "radosload-lab"), (SOURCE / "tools" / "lab", "tools/lab")):
                done = subprocess.run([program, "status", "--dir", f"{folder}/none"],
                                      capture_output=True, text=True, check=False)
                self.assertIn(f"`{name} up`", done.stderr)
                self.assertEqual(done.returncode, 1)
        self.assertEqual(say.typed("up"), "`tools/lab up`")


if __name__ == "__main__":
    unittest.main()
