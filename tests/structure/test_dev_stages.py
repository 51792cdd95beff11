"""tools/dev: its words, and how its stages behave when something fails or is interrupted. The
stages are made-up functions in a copy of tools/dev, so this takes seconds."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
DEV = SOURCE / "tools" / "dev"

# What the copy can do beside its own commands: `dev _call FUNCTION`.
STAGES = r"""
note() { echo "$1" >>"$ROOT/notes"; }
cleanup() { note cleanup; }
good() { echo from good; }
bad() { false; echo "never reached"; }
sleeper() { note "sleeping $$"; sleep 600; }
stray() { setsid sleep 601 </dev/null >/dev/null 2>&1 & note "stray $!"; }
several() {
  begin_stages cleanup
  stage first good
  stage second bad
  stage third good
  skip_stage fourth 'second failed'
  stage_table
  exit "$STAGES_FAILED"
}
all_good() {
  begin_stages cleanup
  stage first good
  stage_here here good
  stage_table
  exit "$STAGES_FAILED"
}
long() {
  begin_stages cleanup
  stage first stray
  stage second sleeper
}
"""


def alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class Stages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copytree(SOURCE / "tools" / "devlib", self.root / "tools" / "devlib")
        shutil.copy(DEV, self.root / "tools" / "dev")
        (self.root / "tools" / "devlib" / "zz_made_up.sh").write_text(STAGES, encoding="utf-8")

    def start(self, function):
        return subprocess.Popen([self.root / "tools" / "dev", "_call", function], text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True,
                                env={**os.environ, "RADOSLOAD_DEV_PATIENCE": "5"})

    def run_to_end(self, function):
        process = self.start(function)
        printed, _ = process.communicate(timeout=60)
        return process.returncode, printed

    def notes(self):
        path = self.root / "notes"
        return path.read_text(encoding="utf-8").split("\n") if path.exists() else []

    def wait_for_notes(self, word, count):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = [int(note.split()[1]) for note in self.notes() if note.startswith(word)]
            if len(found) == count:
                return found
            time.sleep(0.05)
        self.fail(f"{word} never came: {self.notes()}")

    def test_a_failed_stage_does_not_hide_the_others(self):
        status, printed = self.run_to_end("several")
        self.assertEqual(status, 1)
        self.assertEqual(printed.count("from good"), 2)
        self.assertNotIn("never reached", printed)
        table = printed[printed.index("\nstage "):]
        self.assertRegex(table, r"first +\d+\.\d +-  ok\nsecond +\d+\.\d +-  FAILED\n"
                                r"third +\d+\.\d +-  ok\nfourth +- +-  not run: second failed\n$")
        self.assertEqual(self.notes()[0], "cleanup")

    def test_all_good_is_status_0(self):
        status, printed = self.run_to_end("all_good")
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed, r"first +\d+\.\d +-  ok\nhere +\d+\.\d +-  ok\n$")

    def test_the_demo_builds_all_that_is_installed(self):
        (self.root / "tools" / "devlib" / "zz_no_work.sh").write_text(
            'dev_setup() { :; }; lab_up() { :; }; demo_job() { :; }; cmake() { note "cmake $*"; }\n',
            encoding="utf-8")
        status, printed = self.run_to_end("dev_demo")
        self.assertEqual(status, 0, printed)
        self.assertRegex("\n".join(self.notes()), r"cmake --build build/release .*--target to_install ")

    def interrupted(self, number, status):
        process = self.start("long")
        self.addCleanup(process.stdout.close)
        pids = self.wait_for_notes("sleeping", 1) + self.wait_for_notes("stray", 1)
        os.kill(process.pid, number)
        process.wait(timeout=60)
        self.assertEqual(process.returncode, status)
        # What was killed is gone when the kernel gets to it, on a busy machine a moment later.
        deadline = time.monotonic() + 10
        while any(map(alive, pids)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual([pid for pid in pids if alive(pid)], [])
        self.assertIn("cleanup", self.notes())

    def test_ctrl_c_leaves_no_process_behind(self):
        self.interrupted(signal.SIGINT, 130)

    def test_sigterm_leaves_no_process_behind(self):
        self.interrupted(signal.SIGTERM, 143)


class Words(unittest.TestCase):
    def dev(self, *words, cwd="/"):
        return subprocess.run([DEV, *words], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False, timeout=60)

    def test_help_has_every_command(self):
        done = self.dev("--help")
        self.assertEqual(done.returncode, 0)
        for command in ("setup", "build", "lab", "demo", "test", "steady", "bench", "fmt", "tidy",
                        "coverage"):
            self.assertRegex(done.stdout, rf"\n  {command} ")

    def test_unknown_words_are_usage_errors(self):
        for words in ([], ["nonsense"], ["build", "nonsense"], ["test", "nonsense"],
                      ["test", "full", "nonsense"], ["test", "unit", "cli"], ["steady", "0"],
                      ["fmt", "nonsense"], ["tidy", "nonsense"], ["bench", "nonsense"]):
            done = self.dev(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("tools/dev", done.stderr)

    def test_setup_with_everything_there_is_quick_and_asks_nobody(self):
        began = time.monotonic()
        done = self.dev("setup")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "packages: all there\npython: all there\n")
        self.assertLess(time.monotonic() - began, 10)

    def test_setup_elsewhere_says_what_it_knows(self):
        with tempfile.NamedTemporaryFile("w", suffix=".os-release") as release:
            release.write("ID=plan9\nVERSION_ID=4\n")
            release.flush()
            done = subprocess.run([DEV, "setup"], text=True, capture_output=True, check=False,
                                  env={**os.environ, "RADOSLOAD_OS_RELEASE": release.name})
        self.assertEqual(done.returncode, 1)
        self.assertIn("setup knows Debian 12 and 13, this is plan9 4", done.stderr)
        self.assertIn("librados-dev", done.stderr)

    def test_bench_lists_its_benchmarks(self):
        self.assertIn("rados-bench", self.dev("bench").stderr)

    def test_a_benchmark_tells_its_options_without_a_build_or_a_lab(self):
        for name in ("client-cost", "soak", "null"):
            done = self.dev("bench", name, "--help")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith("usage:"), done.stdout)


if __name__ == "__main__":
    unittest.main()
