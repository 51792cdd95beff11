"""tools/devlib/cpu.py counts the CPU time of stages with their daemons, and finds the stage that grew."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CPU = Path(__file__).resolve().parents[2] / "tools" / "devlib" / "cpu.py"
COMPUTE = f"{sys.executable} -c 'import time\nwhile time.process_time() < 1: pass'"
COMPUTE_QUOTED = COMPUTE.replace("'", '"')
MARK = f'{sys.executable} -B {CPU} mark "$RADOSLOAD_DEV_CPU"'


def kill_group(pid):
    """A test that fails leaves nothing behind that would keep its output open."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


class Cpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.marks = Path(folder.name, "marks")

    def start(self, script):
        # Ctrl-C may be ignored here, as in the background jobs of a script.
        process = subprocess.Popen(["env", "--default-signal=INT", sys.executable, "-B", CPU, "run", self.marks, "sh",
                                    "-c", script], text=True, stdout=subprocess.PIPE, start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(kill_group, process.pid)
        return process

    def run_it(self, script):
        process = self.start(script)
        printed, _ = process.communicate(timeout=120)
        return process.returncode, [int(line) for line in printed.split()]

    def test_a_stage_has_the_time_of_its_own_processes(self):
        status, (first, second) = self.run_it(f"{COMPUTE}; {MARK} first; {MARK} second")
        self.assertEqual(status, 0)
        self.assertIn(first, (1, 2))
        self.assertEqual(second, 0)
        self.assertFalse(self.marks.with_name("marks.pace").exists())

    def test_a_daemon_counts_while_it_runs_and_is_not_lost_when_it_has_ended(self):
        running, ended = self.marks.with_name("running"), self.marks.with_name("ended")
        daemon = f"(setsid sh -c '{COMPUTE_QUOTED}; touch {running}; sleep 1; touch {ended}' &) >/dev/null; "
        wait = "while ! [ -e {} ]; do sleep 0.1; done; "
        status, spent = self.run_it(f"{daemon}{wait.format(running)}{MARK} while; {wait.format(ended)}{MARK} after")
        self.assertEqual(status, 0)
        self.assertIn(spent, ([1, 0], [2, 0], [1, 1]))

    def test_the_exit_status_is_that_of_the_command(self):
        self.assertEqual(self.run_it("exit 7")[0], 7)
        self.assertEqual(self.run_it("kill -TERM $$")[0], 128 + signal.SIGTERM)

    def test_signals_reach_the_command(self):
        process = self.start("trap 'exit 9' INT; echo ready; while :; do sleep 0.1; done")
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.kill(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 9)

    def check(self, budgets, *rows):
        names = ("name", "spent", "slow")
        self.marks.write_text("".join(json.dumps(dict(zip(names, row))) + "\n" for row in rows), encoding="utf-8")
        file = self.marks.with_name("budgets")
        file.write_text(budgets, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", CPU, "check", f"1:{self.marks}", file], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_a_stage_above_its_budget_is_named(self):
        self.assertEqual(self.check("# remark\nbuild: 100  # cold\ntests: 50\n", ("build", 100, 1), ("tests", 51, 1)),
                         (1, "tests: 51 s of CPU, budget 50 (51 s as measured, on a processor 1.00 times as slow as "
                             "the budget's)\n"))

    def test_a_slow_machine_excuses_and_a_fast_one_does_not(self):
        self.assertEqual(self.check("tests: 50\n", ("tests", 90, 2)), (0, ""))
        self.assertEqual(self.check("tests: 50\n", ("tests", 45, 0.8))[0], 1)

    def test_a_stage_without_a_budget_may_take_what_it_takes(self):
        self.assertEqual(self.check("tests: 50\n", ("setup", 900, 1)), (0, ""))


if __name__ == "__main__":
    unittest.main()
