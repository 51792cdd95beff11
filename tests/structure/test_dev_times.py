"""tools/devlib/times.py is killed by every slow test and every bad line it is there for, and by nothing
else; and it reads what this machine's ctest writes."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
TIMES = SOURCE / "tools" / "devlib" / "times.py"
LISTED = "# a remark\n\nslow.one: it waits for drives\n"


def results(times):
    cases = "".join(f'<testcase name="{name}" classname="{name}" time="{time}" status="run"/>'
                    for name, time in times.items())
    return f'<?xml version="1.0" encoding="UTF-8"?><testsuite name="(empty)">{cases}</testsuite>'


class Times(unittest.TestCase):
    def run_it(self, times, listed=LISTED, *words):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "results.xml").write_text(results(times), encoding="utf-8")
            Path(folder, "slow.txt").write_text(listed, encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", TIMES, "slow.txt", "results.xml", *words],
                                  cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_the_slowest_come_first_and_a_listed_one_may_be_slow(self):
        status, printed = self.run_it({"fast": "0.5", "slow.one": "61.25", "middle": 59.9})
        self.assertEqual(printed, " seconds  the 3 slowest of 3 tests\n"
                                  "    61.2  slow.one\n    59.9  middle\n     0.5  fast\n")
        self.assertEqual(status, 0)

    def test_twenty_are_shown(self):
        _, printed = self.run_it({f"test.{number}": number for number in range(30)})
        self.assertEqual(len(printed.splitlines()), 21)
        self.assertIn("the 20 slowest of 30", printed)
        self.assertNotIn("test.9\n", printed)

    def test_one_that_is_slow_without_a_reason_is_refused(self):
        status, printed = self.run_it({"slow.two": "90.1"})
        self.assertIn("\nslow.two took 90.1 s, and 90.1 s alone (limit 60 s): ", printed)
        self.assertEqual(status, 1)

    def test_one_that_is_slow_only_beside_others_is_timed_alone(self):
        times = {"slow.one": 99, "slow.two": 90.1, "fast": 89.9}
        self.assertEqual(self.run_it(times, LISTED, "--suspects"), (0, "slow.two\n"))
        with tempfile.TemporaryDirectory() as folder:
            alone = Path(folder, "alone.xml")
            alone.write_text(results({"slow.two": 60}), encoding="utf-8")
            self.assertEqual(self.run_it(times, LISTED, "--alone", alone)[0], 0)
            alone.write_text(results({"slow.two": 60.1}), encoding="utf-8")
            status, printed = self.run_it(times, LISTED, "--alone", alone)
        self.assertIn("\nslow.two took 90.1 s, and 60.1 s alone (limit 60 s): ", printed)
        self.assertEqual(status, 1)

    def test_a_slow_case_with_a_parameter_can_be_listed(self):
        case = 'cluster.Pools/On.Works/ssd  # GetParam() = "ssd"'
        status, printed = self.run_it({case.replace('"', "&quot;"): 99}, f"{case}: it waits\n")
        self.assertEqual(status, 0, printed)

    def test_a_name_of_no_test_is_refused_when_all_were_run(self):
        self.assertEqual(self.run_it({"fast": 1})[0], 0)
        status, printed = self.run_it({"fast": 1}, LISTED, "--complete")
        self.assertIn("\nslow.txt:3: there is no such test: slow.one\n", printed)
        self.assertEqual(status, 1)

    def test_a_line_without_a_reason_and_one_that_is_there_twice_are_refused(self):
        status, printed = self.run_it({"slow.one": 61}, LISTED + "slow.one: once more\nslow.one:\n")
        self.assertIn("slow.txt:4: the same name twice: slow.one\n", printed)
        self.assertIn("slow.txt:5: no reason for slow.one", printed)
        self.assertEqual(status, 1)

    def test_results_of_several_runs_are_one_table(self):
        with tempfile.TemporaryDirectory() as folder:
            second = Path(folder, "second.xml")
            second.write_text(results({"slower": 5}), encoding="utf-8")
            _, printed = self.run_it({"fast": 1}, LISTED, second)
        self.assertIn("2 slowest of 2 tests\n     5.0  slower\n     1.0  fast\n", printed)

    def test_what_ctest_writes_is_understood(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "CTestTestfile.cmake").write_text(
                'add_test(quick true)\nadd_test(waits sleep 0.2)\nadd_test(off true)\n'
                'set_tests_properties(off PROPERTIES DISABLED TRUE)\n', encoding="utf-8")
            subprocess.run(["ctest", "--output-junit", f"{folder}/results.xml"], cwd=folder,
                           capture_output=True, check=True)
            done = subprocess.run([sys.executable, "-B", TIMES, SOURCE / "tests" / "slow_tests.txt",
                                   f"{folder}/results.xml"],
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"slowest of 3 tests\n     0\.[2-9]  waits\n")


if __name__ == "__main__":
    unittest.main()
