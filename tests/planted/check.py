"""Plants each bug of bugs.toml in a copy of the sources, and demands that the test named for it fails.

--fits only checks that each bug has its one place in the sources and that its test exists: a second
instead of minutes. Otherwise each bug is built and its test is run, in as many copies at a time as
--jobs says. The copies stay in FOLDER with their builds; the compiler's cache is common to them.

usage: check.py SOURCE_DIR FOLDER [--fits] [--jobs N] [NAME...]     NAME: part of a bug's name
"""

import argparse
import os
import queue
import re
import shutil
import signal
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

from bugs import Misfit, Sources, read_bugs
from children import Children, Ended

TEST = re.compile(r"^(?:TEST|TEST_F|RC_GTEST_PROP)\(\s*(\w+)\s*,\s*(\w+)\s*[,)]", re.MULTILINE)
TOO_LONG_S = 120
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PRESET = "planted"
TOP_OF_BUILDS = "build"  # as in CMakePresets.json


def misfits(source, sources, bugs):
    """What keeps the bugs from being planted as they are."""
    tests = {f"{suite}.{name}" for file in (source / "tests").rglob("*_test.cc")
             for suite, name in TEST.findall(file.read_text(encoding="utf-8"))}
    for bug in bugs:
        if bug.test not in tests:
            yield f"{bug.name}: there is no test {bug.test}"
        try:
            sources.planted(bug)
        except Misfit as why:
            yield str(why)


class Tree:
    """A copy of the sources with a build of its own, in which one bug is planted at a time."""

    def __init__(self, source, folder, children):
        self._source, self._folder, self._children = source, folder, children
        self._build = folder / TOP_OF_BUILDS / PRESET

    def prepare(self):
        self._folder.mkdir(parents=True, exist_ok=True)
        self._copy_sources()
        self._children.must("cmake", "--preset", PRESET, cwd=self._folder)

    def build(self, programs, jobs):
        """Why they cannot be built; None when they can."""
        status, output = self._children.run("ninja", "-C", self._build, f"-j{jobs}", *programs)
        return None if status == 0 else output[-2000:]

    def passing(self, program, tests):
        """Those that pass without a bug; the failure of another one would prove nothing."""
        _, output = self._run_tests(program, tests)
        return {test for test in tests if f"[       OK ] {test} " in output}

    def lives_on(self, bug, changed, jobs):
        """Why no test noticed the bug; None when it did."""
        before = {name: (self._folder / name).read_text(encoding="utf-8") for name in changed}
        self._write(changed)
        try:
            if failure := self.build([bug.program], jobs):
                return "it does not compile, so it proves nothing:\n" + failure
            # A test that takes too long fails in CI as well.
            status, _ = self._run_tests(bug.program, [bug.test])
            return f"{bug.test} does not notice" if status == 0 else None
        finally:
            self._write(before)

    def _write(self, texts):
        for name, text in texts.items():
            (self._folder / name).write_text(text, encoding="utf-8")

    def _run_tests(self, program, tests):
        return self._children.run(self._build / "tests" / program, f"--gtest_filter={':'.join(tests)}",
                                  cwd=self._folder, timeout=TOO_LONG_S * len(tests))

    def _copy_sources(self):
        """Only files that changed are written, so that the build has little to do."""
        wanted = set(self._children.must("git", "-C", self._source, "ls-files", "--cached", "--others",
                                         "--exclude-standard").splitlines())
        tops = [top for top in self._folder.iterdir() if top.name != TOP_OF_BUILDS]
        for old in [path for top in tops for path in (top, *top.rglob("*"))]:
            if old.is_file() and str(old.relative_to(self._folder)) not in wanted:
                old.unlink()
        for name in wanted:
            ours, theirs = self._source / name, self._folder / name
            if ours.is_file() and not (theirs.is_file() and
                                       theirs.read_bytes() == ours.read_bytes()):
                theirs.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ours, theirs)


def portions(bugs, workers):
    """Bugs of one program together, since little is built between them; the largest portion first, and
    none so large that the others wait for it at the end."""
    of_program = defaultdict(list)
    for bug in bugs:
        of_program[bug.program].append(bug)
    most = max(1, len(bugs) // (4 * workers))
    parts = [group[i:i + most] for group in of_program.values() for i in range(0, len(group), most)]
    return sorted(parts, key=len, reverse=True)


class Planting:
    def __init__(self, source, folder, sources, children):
        self._source, self._folder, self._sources = source, folder, sources
        self._children = children
        self._verdicts = queue.SimpleQueue()  # of (bug, why it lives or None), or of what went wrong

    def verdicts(self, bugs, jobs):
        """(bug, why it lives or None) of each, as they come."""
        parts = portions(bugs, jobs)
        workers = min(jobs, len(parts))
        first = self._tree(1)
        # The first build fills the compiler's cache for the other copies.
        if failure := first.build(sorted({bug.program for bug in bugs}), jobs):
            raise RuntimeError(failure)
        todo = queue.SimpleQueue()
        for part in parts:
            todo.put(part)
        for number in range(1, workers + 1):
            tree = first if number == 1 else None
            threading.Thread(target=self._work, args=(number, tree, todo, max(1, jobs // workers)),
                             daemon=True).start()
        for _ in bugs:
            verdict = self._verdicts.get()
            if isinstance(verdict, Exception):
                raise verdict
            yield verdict

    def _tree(self, number):
        tree = Tree(self._source, self._folder / f"tree-{number}", self._children)
        tree.prepare()
        return tree

    def _work(self, number, tree, todo, jobs):
        try:
            tree = tree or self._tree(number)
            while True:
                self._plant(tree, todo.get_nowait(), jobs)
        except (queue.Empty, Ended):
            pass
        except Exception as error:  # pylint: disable=broad-exception-caught
            self._verdicts.put(error)

    def _plant(self, tree, bugs, jobs):
        program = bugs[0].program
        if failure := tree.build([program], jobs):
            raise RuntimeError(failure)
        passing = tree.passing(program, sorted({bug.test for bug in bugs}))
        for bug in bugs:
            if bug.test in passing:
                reason = tree.lives_on(bug, self._sources.planted(bug), jobs)
            else:
                reason = f"{bug.test} does not pass without the bug either, so it proves nothing"
            self._verdicts.put((bug, reason))


def plant(source, folder, sources, bugs, jobs):
    """Prints each verdict; returns the names of the bugs that live."""
    alive = []
    children = Children()
    end_on_signals(children)
    print(f"building {len({bug.program for bug in bugs})} test programs", flush=True)
    try:
        for bug, reason in Planting(source, folder, sources, children).verdicts(bugs, jobs):
            alive += [bug.name] if reason else []
            print(f"{'LIVES' if reason else 'dies '}  {bug.name}: {reason or bug.what}", flush=True)
    except (RuntimeError, Ended) as error:
        sys.exit(130 if children.ended else str(error))
    finally:
        children.end()
    return alive


def end_on_signals(children):
    """In a thread: a handler would not run when its signal arrives just before the main thread begins to wait."""
    received, sent = os.pipe()
    os.set_blocking(sent, False)
    signal.set_wakeup_fd(sent)
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)

    def end():
        os.read(received, 1)
        children.end()
        os._exit(130)

    threading.Thread(target=end, daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fits", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*")
    words = parser.parse_intermixed_args()
    source = words.source.resolve()
    try:
        bugs = [bug for bug in read_bugs(source)
                if not words.names or any(name in bug.name for name in words.names)]
    except Misfit as why:
        sys.exit(str(why))
    if not bugs:
        sys.exit("no bug of that name")
    sources = Sources(source)
    if problems := list(misfits(source, sources, bugs)):
        sys.exit("\n".join(problems))
    if words.fits:
        print(f"{len(bugs)} bugs can be planted")
        return
    began = time.monotonic()
    alive = plant(source, words.folder.resolve(), sources, bugs, words.jobs)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    print(f"{len(bugs) - len(alive)} of {len(bugs)} bugs die, {len(alive)} live; "
          f"{minutes} min {seconds} s")
    if alive:
        sys.exit(f"these live: {', '.join(alive)}")


if __name__ == "__main__":
    main()
