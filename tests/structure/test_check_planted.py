"""The bugs of tests/planted can be planted in the sources as they are, each is found by its text wherever
that stands, and the script that plants them refuses what would prove nothing. Planting them all takes
minutes: tools/dev planted."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLANTED = ROOT / "tests/planted"
sys.path.insert(0, str(PLANTED))

from bugs import Misfit, Sources, read_bugs  # noqa: E402  pylint: disable=wrong-import-position
from check import misfits  # noqa: E402  pylint: disable=wrong-import-position
from children import Children, Ended  # noqa: E402  pylint: disable=wrong-import-position

SOURCE = """int one() {
  return is_known(first,
                  second);
}
"""
TEST = "TEST(One, IsOne) {}\nTEST(One, IsAlive) {}\n"
BUG = """[one-is-two]
what = "One is two."
program = "unit_base"
test = "One.IsOne"
file = "src/one.cc"
find = 'return is_known(first, second);'
plant = 'return 2;'
"""


def write(folder, files):
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def tree(sources, bugs=BUG):
    return {"tests/unit/base_one_test.cc": TEST, "tests/planted/bugs.toml": bugs, **sources}


def check(source, *words, **options):
    return subprocess.run([sys.executable, "-B", PLANTED / "check.py", source, Path(source, "build"),
                           *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def complaints(source):
    try:
        return list(misfits(source, Sources(source), read_bugs(source)))
    except Misfit as why:
        return [str(why)]


class Fits(unittest.TestCase):
    def test_the_bugs_fit(self):
        done = check(ROOT, "--fits")
        self.assertEqual(done.returncode, 0, done.stdout)

    def fits(self, sources, bugs=BUG):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, tree(sources, bugs))
            self.assertEqual(complaints(Path(folder)), [])
            [bug] = read_bugs(Path(folder))
            return Sources(Path(folder)).planted(bug)

    def refused(self, reason, sources=None, bugs=BUG):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, tree(sources or {"src/one.cc": SOURCE}, bugs))
            [complaint] = complaints(Path(folder))
            self.assertIn(reason, complaint)

    def test_text_in_the_named_file_is_replaced(self):
        self.assertEqual(self.fits({"src/one.cc": SOURCE}),
                         {"src/one.cc": "int one() {\n  return 2;\n}\n"})

    def test_text_in_the_named_file_may_be_elsewhere_too(self):
        planted = self.fits({"src/one.cc": SOURCE, "src/two.cc": SOURCE})
        self.assertEqual(list(planted), ["src/one.cc"])

    def test_moved_text_is_found(self):
        for moved in ({"include/two.h": SOURCE}, {"src/one.cc": "", "include/two.h": SOURCE}):
            self.assertEqual(list(self.fits(moved)), ["include/two.h"])

    def test_no_file_needs_to_be_named(self):
        bugs = BUG.replace('file = "src/one.cc"\n', "")
        self.assertEqual(list(self.fits({"src/two.cc": SOURCE}, bugs)), ["src/two.cc"])

    def test_white_space_counts_as_equal(self):
        for text in ("return is_known(first, second);", "\t\treturn\n  is_known( first ,second )\n;"):
            self.assertEqual(self.fits({"src/one.cc": text})["src/one.cc"].strip(), "return 2;")

    def test_words_count_as_wholes(self):
        for text in ("returnis_known(first, second);", "return is_known(first, second2);"):
            self.refused("one-is-two: its text", {"src/one.cc": text})

    def test_several_places_are_changed_together(self):
        bugs = BUG.replace("find = 'return is_known(first, second);'\nplant = 'return 2;'",
                           "find = ['first', 'int one']\nplant = ['2', 'long one']")
        self.assertEqual(self.fits({"src/one.cc": SOURCE}, bugs)["src/one.cc"],
                         SOURCE.replace("first", "2").replace("int", "long"))
        self.refused("2 texts to find and 1 to plant", bugs=bugs.replace(", 'long one'", ""))

    def test_text_that_is_gone_is_named(self):
        self.refused("one-is-two: its text 'return is_known(first, second);' is not in src or include",
                     {"src/one.cc": SOURCE.replace("first", "last")})

    def test_text_in_two_places_is_refused_with_both(self):
        self.refused("one-is-two: its text 'return is_known(first, second);' is in 2 places: "
                     "src/one.cc:2, src/one.cc:6", {"src/one.cc": SOURCE + SOURCE})
        self.refused("src/three.cc:2, src/two.cc:2", {"src/three.cc": SOURCE, "src/two.cc": SOURCE})

    def test_unknown_test_is_refused(self):
        self.refused("one-is-two: there is no test One.IsAnother",
                     bugs=BUG.replace("IsOne", "IsAnother"))

    def test_faults_of_the_table_are_named(self):
        self.refused("one-is-two does not have 'what'", bugs=BUG.replace("what", "# "))
        self.refused("one-is-two has 'wat', which means nothing", bugs=BUG + "wat = ''\n")
        self.refused("changes nothing", bugs=BUG.replace("return 2;", "return is_known( first,second);"))
        self.refused("an empty text", bugs=BUG.replace("return is_known(first, second);", " "))
        self.refused("is not valid TOML", bugs=BUG + BUG)

    def test_misfits_fail_the_check(self):
        for bugs in (BUG.replace("IsOne", "IsAnother"), BUG + BUG):
            with tempfile.TemporaryDirectory() as folder:
                write(folder, tree({"src/one.cc": SOURCE}, bugs))
                done = check(folder, "--fits")
                self.assertEqual((done.returncode, done.stdout.strip()),
                                 (1, complaints(Path(folder))[0]))


# In place of the build: the "test program" fails One.IsOne when the bug is in the source that was
# "compiled", and passes every other test.
NINJA = r"""#!/bin/sh
cd "$2" && mkdir -p tests && cp ../../src/one.cc tests/compiled
cat >tests/unit_base <<'END'
#!/bin/sh
for test in $(printf '%s' "${1#--gtest_filter=}" | tr : ' '); do
  if [ "$test" = One.IsOne ] && grep -q 'return 2' build/planted/tests/compiled; then exit 1; fi
  printf '[       OK ] %s (0 ms)\n' "$test"
done
END
chmod +x tests/unit_base
"""
CMAKE = "#!/bin/sh\nmkdir -p build/planted\n"


class Plants(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = Path(self.folder.name, "source")
        self.tools = Path(self.folder.name, "tools")
        write(self.source, tree({"src/one.cc": SOURCE, ".gitignore": "/build/\n"}))
        subprocess.run(["git", "init", "-q", self.source], check=True)
        self.tool("cmake", CMAKE)
        self.tool("ninja", NINJA)

    def tool(self, name, text):
        write(self.tools, {name: text})
        (self.tools / name).chmod(0o755)

    def environment(self):
        return {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}"}

    def plant(self, *words):
        return check(self.source, *words, env=self.environment())

    def test_bug_that_its_test_finds_dies(self):
        done = self.plant("--jobs", "3")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("dies   one-is-two: One is two.\n", done.stdout)
        self.assertRegex(done.stdout, r"1 of 1 bugs die, 0 live; 0 min \d+ s")

    def test_bugs_are_planted_one_at_a_time_and_those_that_live_are_named(self):
        alive = BUG.replace("one-is-two", "one-lives").replace("IsOne", "IsAlive").replace("2;", "3;")
        write(self.source, {"tests/planted/bugs.toml": BUG + alive})
        for jobs in ("1", "2"):
            done = self.plant("--jobs", jobs)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("dies   one-is-two", done.stdout)
            self.assertIn("LIVES  one-lives: One.IsAlive does not notice\n", done.stdout)
            self.assertIn("1 of 2 bugs die, 1 live;", done.stdout)
            self.assertIn("these live: one-lives\n", done.stdout)
        self.assertEqual(self.plant("--jobs", "2", "is-two").returncode, 0)

    def test_source_and_copy_are_as_before_afterwards(self):
        copy = self.source / "build/tree-1/src/one.cc"
        write(copy.parent, {"one.cc": "left by one that was killed", "gone.cc": ""})
        self.plant()
        for path in (self.source / "src/one.cc", copy):
            self.assertEqual(path.read_text(encoding="utf-8"), SOURCE)
        self.assertFalse((copy.parent / "gone.cc").exists())

    def test_test_that_fails_without_the_bug_proves_nothing(self):
        write(self.source, {"src/one.cc": SOURCE + "int two() { return 2; }\n"})
        done = self.plant()
        self.assertEqual(done.returncode, 1)
        self.assertIn("LIVES  one-is-two: One.IsOne does not pass without the bug", done.stdout)

    def test_bug_that_does_not_compile_proves_nothing(self):
        self.tool("ninja", NINJA + "if grep 'return 2' tests/compiled; then exit 1; fi\n")
        self.assertIn("LIVES  one-is-two: it does not compile", self.plant().stdout)

    def test_interrupted_one_leaves_no_process(self):
        self.tool("ninja", "#!/bin/sh\ncd \"$2\"\nsleep 100 &\necho $! >../../started\nwait\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            started = self.source / "build/tree-1/started"
            started.unlink(missing_ok=True)
            with subprocess.Popen([sys.executable, "-B", PLANTED / "check.py", self.source,
                                   self.source / "build"], env=self.environment(),
                                  stdout=subprocess.DEVNULL) as planting:
                wait_until(lambda: started.is_file() and started.read_text(encoding="utf-8").strip())
                planting.send_signal(number)
                self.assertEqual(planting.wait(20), 130)
            sleeper = Path("/proc", started.read_text(encoding="utf-8").strip())
            wait_until(lambda: not sleeper.is_dir() or "State:\tZ" in (sleeper / "status").read_text())


class ChildrenOfThePlanting(unittest.TestCase):
    def test_one_that_takes_too_long_is_ended_with_its_own_children(self):
        began = time.monotonic()
        status, _ = Children().run("sh", "-c", "sleep 300 & sleep 300", timeout=0.2)
        self.assertIsNone(status)
        self.assertLess(time.monotonic() - began, 20)

    def test_after_the_end_none_is_started(self):
        children = Children()
        seen = []
        thread = threading.Thread(target=lambda: seen.append(children.run("sleep", "300")))
        thread.start()
        wait_until(lambda: children._running)  # pylint: disable=protected-access
        children.end()
        thread.join(20)
        self.assertEqual(seen, [(-signal.SIGTERM, "")])
        with self.assertRaises(Ended):
            children.run("true")


def wait_until(what, limit_s=20):
    deadline = time.monotonic() + limit_s
    while not what():
        if time.monotonic() > deadline:
            raise AssertionError("it takes too long")
        time.sleep(0.02)


if __name__ == "__main__":
    unittest.main()
