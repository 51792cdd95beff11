"""tools/devlib/unsteady.py runs only those failed tests again that a busy machine may have failed; and it reads what
this machine's ctest writes. The whole way through tools/dev is taken with made-up tests."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
UNSTEADY = SOURCE / "tools" / "devlib" / "unsteady.py"
NOT_MET = "/src/tests/cluster/run_test.cc:12: Failure\nValue of: ready\n  Actual: false\nExpected: true\n\n[  FAILED  ] Run\n"


def tests_in(folder, scripts, labels):
    """A build folder in which ctest has a test for each shell script."""
    lines = []
    for name, script in scripts.items():
        path = Path(folder, f"{name}.sh")
        path.write_text(script, encoding="utf-8")
        lines.append(f'add_test({name} sh "{path}")\n'
                     f'set_tests_properties({name} PROPERTIES LABELS "{labels.get(name, "cluster")}" TIMEOUT 2)\n')
    Path(folder, "CTestTestfile.cmake").write_text("".join(lines), encoding="utf-8")
    Path(folder, "labs.json").write_text('{"version": {"major": 1, "minor": 0}, "local": [{}]}', encoding="utf-8")


class Again(unittest.TestCase):
    def again(self, scripts, **labels):
        """Status, names, complaints."""
        with tempfile.TemporaryDirectory() as folder:
            tests_in(folder, scripts, labels)
            subprocess.run(["ctest", "--output-log", "ctest.log", "--output-junit", f"{folder}/tests.xml"], cwd=folder,
                           capture_output=True, check=False)
            done = subprocess.run([sys.executable, "-B", UNSTEADY, "again", folder, folder], capture_output=True,
                                  text=True, check=False)
            return done.returncode, done.stdout.split(), done.stderr

    def refused(self, reason, scripts, **labels):
        status, names, complaints = self.again(scripts, **labels)
        self.assertEqual((status, names), (1, []))
        self.assertIn(f"no second try: {reason}", complaints)

    def test_a_check_that_was_not_met_on_a_cluster_is_run_again(self):
        failed = f"cat <<'END'\n{NOT_MET}END\nexit 1"
        self.assertEqual(self.again({"good": "true", "bad": failed, "worse": "exit 3"}), (0, ["bad", "worse"], ""))

    def test_three_of_them_are_not(self):
        self.refused("3 tests failed; at most 2 are run again", dict.fromkeys(("one", "two", "three"), "exit 1"))

    def test_a_test_without_a_cluster_is_not(self):
        self.refused("quick: it is not a test on a cluster", {"quick": "exit 1", "bad": "exit 1"}, quick="unit")

    def test_a_crash_is_not(self):
        self.refused("bad: it ended by 'SEGFAULT'", {"bad": "kill -SEGV $$"})

    def test_a_hang_is_not(self):
        self.refused("bad: it hung", {"bad": "sleep 60"})

    def test_what_a_busy_machine_does_not_explain_is_not(self):
        for printed, reason in (
                ("==1==ERROR: AddressSanitizer: heap-use-after-free", "a report of a sanitizer"),
                ("never run again: it hung: radosload --pool hdd", "it hung: radosload --pool hdd"),
                ("  warning  these figures do not add up: read", "a wrong figure"),
                ("Value of: test_namespace.names()", "something is left in the cluster"),
                ("Expected equality of these values:\n  names_in(\"ssd\")", "something is left in the cluster")):
            self.refused(f"bad: {reason}", {"bad": f"cat <<'END'\n{printed}\nEND\nexit 1"})

    def test_a_cluster_that_does_not_start_is_not(self):
        self.refused("bad: it ended by 'Not Run'", {"bad": "true"}, **{"bad": 'cluster" REQUIRED_FILES "/dev/null/no'})


class Net(unittest.TestCase):
    """tools/dev with a made-up build folder."""

    def run_tests(self, scripts):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SOURCE / "tools" / "devlib", f"{folder}/tools/devlib")
            shutil.copy(SOURCE / "tools" / "dev", f"{folder}/tools/dev")
            os.makedirs(f"{folder}/build/asan")
            os.makedirs(f"{folder}/tests")
            Path(folder, "tests/tiers.txt").touch()
            tests_in(f"{folder}/build/asan", scripts, {})
            Path(folder, "tools/devlib/zz_made_up.sh").write_text(
                "made_up() { begin_stages true; stage tests run_tests cluster; finish_stages; }\n", encoding="utf-8")
            done = subprocess.run([f"{folder}/tools/dev", "_call", "made_up"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False, timeout=100)
            return done.returncode, done.stdout

    def once(self, folder, text):
        """A script that fails the first time."""
        mark = f"{folder}/ran"
        return f"[ -e {mark} ] && exit 0; touch {mark}; cat <<'END'\n{text}\nEND\nexit 1"

    def test_a_test_that_passes_alone_is_unsteady_and_the_run_green(self):
        with tempfile.TemporaryDirectory() as folder:
            status, printed = self.run_tests({"Run.Works": self.once(folder, NOT_MET), "good": "true"})
        self.assertEqual(status, 0, printed)
        self.assertEqual(printed.splitlines()[-1],
                         "unsteady: Run.Works: run_test.cc:12: Value of: ready Actual: false Expected: true")
        self.assertIn("1 tests failed out of 2", printed)

    def test_one_that_fails_again_is_red(self):
        status, printed = self.run_tests({"bad": "exit 1", "good": "true"})
        self.assertEqual(status, 1)
        self.assertNotIn("unsteady: ", printed)

    def test_the_error_of_a_python_test_is_what_it_said(self):
        with tempfile.TemporaryDirectory() as folder:
            error = "Traceback (most recent call last):\n  File \"x.py\"\nAssertionError: 3 != 4\n\nRan 1 test\n"
            _, printed = self.run_tests({"lab": self.once(folder, error)})
        self.assertEqual(printed.splitlines()[-1], "unsteady: lab: AssertionError: 3 != 4")

    def test_a_green_run_ends_with_the_words_of_ctest(self):
        status, printed = self.run_tests({"good": "true"})
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed, r"100% tests passed, 0 tests failed out of 1\n[^\n]*\n*(.*\n)*Total Test time \(real\) = .*\n$")


if __name__ == "__main__":
    unittest.main()
