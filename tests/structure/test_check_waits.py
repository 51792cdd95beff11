"""check_waits.py finds a sleep and a run of fixed length without a reason, and accepts those with one."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).with_name("check_waits.py")
GOOD = "  ASSERT_TRUE(wait_for(\"it\", is_there));\n"


def run(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"tests/cluster/good.cc": GOOD, **files}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", CHECK, folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


class CheckWaits(unittest.TestCase):
    def planted(self, name, text, line, complaint):
        status, printed = run({name: text})
        self.assertIn(f"{name}:{line}: {complaint}", printed)
        self.assertIn("complaints: 1\n", printed)
        self.assertEqual(status, 1)

    def passes(self, name, text):
        status, printed = run({name: text})
        self.assertIn("complaints: 0\n", printed)
        self.assertEqual(status, 0)

    def test_waits_pass(self):
        self.assertEqual(run({}), (0, "waits: 1 files, complaints: 0\n"))

    def test_a_tree_without_tests_fails(self):
        self.assertEqual(run({"tests/cluster/good.cc": ""})[0], 0)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", CHECK, folder], check=False, capture_output=True)
        self.assertEqual(done.returncode, 1)

    def test_sleeps_are_found(self):
        for name in ("tests/cluster/bad_test.cc", "tests/cluster/bad.h", "tests/support/bad.cc"):
            self.planted(name, "f();\nstd::this_thread::sleep_for(seconds(4));\n", 2, "a test that sleeps")
        self.planted("tests/cluster/bad_test.cc", "std::this_thread::sleep_until(due);\n", 1, "a test that")
        for name in ("tests/lab/test_bad.py", "tests/support/bad.py"):
            self.planted(name, "f()\ntime.sleep(4)\n", 2, "a test that sleeps")

    def test_fixed_lengths_are_found(self):
        self.planted("tests/cluster/bad_test.cc", 'run("ssd", {"--time", "4"});\n', 1, "a run of a fixed")
        self.planted("tests/cluster/bad_test.cc", 'shell("run --time 4");\n', 1, "a run of a fixed")
        self.planted("tests/lab/test_bad.py", 'self.measure(\n    "--time", "4")\n', 2, "a run of a fixed")

    def test_reasons_are_accepted(self):
        sleep = "std::this_thread::sleep_for(seconds(4));"
        self.passes("tests/cluster/a.cc", f"// Time: the OSD is silent for so long.\n{sleep}\n")
        self.passes("tests/cluster/a.cc", f"// Time: the OSD is silent\n// for so long.\n{sleep}\n")
        self.passes("tests/cluster/a.cc", f"{sleep}  // Time: for so long.\n")
        self.passes("tests/cluster/a.cc", '// Time: it is shown.\nauto done = run("ssd",\n  {"--time", "4"});\n')
        self.passes("tests/cluster/a.cc", '// Time: it is shown.\nWords shown() {\n  return {"--time", "4"};\n}\n')
        self.passes("tests/lab/test_a.py", "# Time: a random moment.\ntime.sleep(4)\n")
        self.passes("tests/lab/test_a.py", '# Time: it is shown.\nself.measure("--pattern", words,\n  "--time", "4")\n')

    def test_a_reason_belongs_to_one_statement(self):
        sleep = "std::this_thread::sleep_for(seconds(4));\n"
        self.planted("tests/cluster/a.cc", f"// Time: so long.\n{sleep}{sleep}", 3, "a test that sleeps")
        self.planted("tests/cluster/a.cc", f"// Time: so long.\n\n{sleep}", 3, "a test that sleeps")
        self.planted("tests/cluster/a.cc", f"f(); }}  // Time\n{sleep}", 2, "a test that sleeps")
        self.planted("tests/lab/test_a.py", "# Time: so long.\nf()\ntime.sleep(4)\n", 3, "a test that sleeps")

    def test_a_comment_without_a_reason_is_not_one(self):
        sleep = "std::this_thread::sleep_for(seconds(4));\n"
        self.planted("tests/cluster/a.cc", f"// until it is there\n{sleep}", 2, "a test that sleeps")
        self.planted("tests/cluster/a.cc", f"// Time:\n{sleep}", 2, "a test that sleeps")

    def test_other_folders_and_comments_are_not_checked(self):
        self.passes("tests/unit/a_test.cc", "std::this_thread::sleep_for(seconds(4));\n")
        self.passes("tests/cli/a_test.cc", 'run({"--time", "4"});\n')
        self.passes("tests/support/a.cc", 'run({"--time", "4"});\n')
        self.passes("tests/cluster/a.cc", "// what sleep_for() and --time are\n")


if __name__ == "__main__":
    unittest.main()
