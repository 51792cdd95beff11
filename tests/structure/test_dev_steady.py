"""tools/devlib/steady.py runs tests under load, counts what failed with its reasons, and ends its load."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from test_dev_unsteady import SOURCE, tests_in


class Steady(unittest.TestCase):
    def steady(self, rounds, filter_, scripts, labels):
        with tempfile.TemporaryDirectory() as folder:
            tests_in(folder, {name: script.format(folder=folder) for name, script in scripts.items()}, labels)
            commands = [{"command": f"/usr/bin/env ccache /usr/bin/c++ -c {folder}/none.cc -o none.o",
                         "directory": folder}]
            Path(folder, "commands.json").write_text(json.dumps(commands), encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", SOURCE / "tools/devlib/steady.py", str(rounds), filter_, folder,
                                   f"{folder}/commands.json", "2"], capture_output=True, text=True, check=False,
                                  timeout=200)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def test_failures_are_counted_with_their_reasons(self):
        counting = "echo x >>{folder}/count; n=$(wc -l <{folder}/count); [ $n -eq 2 ] || echo \"Error: $n\"; [ $n -eq 2 ]"
        status, printed = self.steady(3, "", {"bad": counting, "good": "true", "quick": "exit 1"}, {"quick": "unit"})
        self.assertEqual(status, 1)
        self.assertIn("round 2 of 3: 2 tests, 0 failed", printed)
        self.assertTrue(printed.endswith("failed 2 of 3: bad\n    1 x Failed: Error: 1\n    1 x Failed: Error: 3\n"
                                         "2 tests, 3 rounds under load: 2 failures of 1 tests\n"), printed)

    def test_a_filter_chooses_among_all_tests(self):
        status, printed = self.steady(1, "^qu", {"bad": "exit 1", "quick": "true"}, {"quick": "unit"})
        self.assertEqual(status, 0)
        self.assertTrue(printed.endswith("\n1 tests, 1 rounds under load: 0 failures of 0 tests\n"), printed)

    def test_the_first_tier_is_all_that_is_not_left_to_the_full_one(self):
        tests = {"bad": "exit 1", "good": "true", "quick": "true"}
        status, printed = self.steady(1, "first", tests, {"bad": "cluster;full", "quick": "unit"})
        self.assertEqual(status, 0)
        self.assertIn("2 tests, 1 rounds", printed)

    def test_a_filter_of_no_tests_is_no_success(self):
        self.assertEqual(self.steady(1, "nothing", {"good": "true"}, {})[0], 1)


if __name__ == "__main__":
    unittest.main()
