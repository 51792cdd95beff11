"""check_promises.py is killed by every bad row it is there for, and by nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).with_name("check_promises.py")

CPP = """
TEST(Units, SizesAreBinary) {}
TEST_F(WithCluster, ReadsPools) {}
RC_GTEST_PROP(Units, ReadsBack, ()) {}
TEST(VeryLongSuite,
     VeryLongName) {}
TEST(Units, DISABLED_Later) {}
// TEST(Units, Commented) {}
"""
PYTHON = """
class Lab(unittest.TestCase):
    def test_up(self): pass
    def helper(self): pass
"""
GOOD = """# Promises
| promise | tests |
| --- | --- |
| sizes are binary | `Units.SizesAreBinary`, `Units.ReadsBack` |
| pools are read | `WithCluster.ReadsPools` and `VeryLongSuite.VeryLongName` |
| the lab comes up | `tests/lab/test_lab_up.py::Lab::test_up` |
"""


def run(promises, python="lab/test_lab_up.py"):
    with tempfile.TemporaryDirectory() as folder:
        files = {"unit/base_units_test.cc": CPP, python: PYTHON, "PROMISES.md": promises}
        for name, text in files.items():
            path = Path(folder, "tests", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", CHECK, folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


class CheckPromises(unittest.TestCase):
    def test_a_good_table_passes(self):
        self.assertEqual(run(GOOD), (0, "promises: 3, complaints: 0\n"))

    def planted(self, row, reason):
        status, printed = run(GOOD + row + "\n")
        self.assertIn(f"tests/PROMISES.md:7: {reason}", printed)
        self.assertIn("complaints: 1\n", printed)
        self.assertEqual(status, 1)

    def test_a_promise_without_a_test_is_refused(self):
        self.planted("| it is fast | |", "no test shows it: it is fast")
        self.planted("| it is fast | soon |", "no test shows it: it is fast")

    def test_a_test_that_does_not_exist_is_refused(self):
        self.planted("| a | `Units.Missing` |", "there is no such test: Units.Missing")
        self.planted("| a | `Other.SizesAreBinary` |", "there is no such test")
        self.planted("| a | `tests/lab/test_lab_up.py::Lab::test_down` |", "there is no such test")
        self.planted("| a | `tests/lab/test_lab_up.py::Lab::helper` |", "there is no such test")

    def test_a_test_that_is_switched_off_is_refused(self):
        self.planted("| a | `Units.DISABLED_Later` |", "there is no such test")
        self.planted("| a | `Units.Later` |", "there is no such test")
        self.planted("| a | `Units.Commented` |", "there is no such test")

    def test_a_test_that_ctest_would_not_run_is_refused(self):
        status, printed = run(GOOD, python="lab/lab_up.py")
        self.assertIn("there is no such test: tests/lab/test_lab_up.py::Lab::test_up", printed)
        self.assertEqual(status, 1)

    def test_a_row_has_two_cells(self):
        self.planted("| a | `Units.SizesAreBinary` | b |", "a row is a promise and its tests")
        self.planted("| `Units.SizesAreBinary` |", "a row is a promise and its tests")

    def test_a_promise_stands_once(self):
        self.planted("| sizes are binary | `Units.SizesAreBinary` |", "the same promise twice")

    def test_an_empty_table_is_refused(self):
        status, printed = run("# Promises\n")
        self.assertEqual(status, 1)
        self.assertIn("no promise at all", printed)


if __name__ == "__main__":
    unittest.main()
