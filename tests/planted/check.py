"""Plants each bug of this folder in a copy of the sources, and demands that the test named for it
dies of it. A bug is a patch with a head:

    What: the bug, in a sentence
    Program: the test program
    Killed by: Suite.Name

--fits only sees that every patch still applies and names a test that exists: seconds instead of
minutes. Otherwise each bug is built and its test run; the copy and its build stay in FOLDER.

usage: check.py SOURCE_DIR FOLDER [--fits] [--jobs N] [NAME...]     NAME: part of a patch's name
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HEAD = re.compile(r"What: (?P<what>.+)\nProgram: (?P<program>\w+)\nKilled by: (?P<test>[\w.]+)\n\n")
TEST = re.compile(r"^(?:TEST|TEST_F|RC_GTEST_PROP)\(\s*(\w+)\s*,\s*(\w+)\s*[,)]", re.MULTILINE)
TOO_LONG_S = 120
# No sanitizers and no optimisation: it is about verdicts, and they must come quickly.
QUICK_BUILD = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0")


class Bug:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        head = HEAD.match(path.read_text(encoding="utf-8"))
        if head is None:
            sys.exit(f"{path.name} does not begin with What, Program and Killed by")
        self.what, self.program, self.test = head["what"], head["program"], head["test"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return done.stdout


def patch(source, bug, *options):
    return run("patch", "-p1", "--fuzz=0", "--batch", *options, "-i", bug.path, cwd=source)


def misfits(source, bugs):
    """What keeps the bugs from being planted as they are."""
    tests = {f"{suite}.{name}" for file in (source / "tests").rglob("*_test.cc")
             for suite, name in TEST.findall(file.read_text(encoding="utf-8"))}
    for bug in bugs:
        if bug.test not in tests:
            yield f"{bug.name}: there is no test {bug.test}"
        tried = patch(source, bug, "--forward", "--dry-run")
        if tried.returncode != 0:
            yield f"{bug.name} does not apply any more:\n{tried.stdout}"


def copy_sources(source, copy):
    """Only files that changed are written, so that the build has little to do."""
    wanted = set(must("git", "-C", source, "ls-files", "--cached", "--others",
                      "--exclude-standard").splitlines())
    for old in [path for path in copy.rglob("*") if path.is_file()]:
        if str(old.relative_to(copy)) not in wanted:
            old.unlink()
    for name in wanted:
        ours, theirs = source / name, copy / name
        if ours.is_file() and not (theirs.is_file() and
                                   theirs.read_bytes() == ours.read_bytes()):
            theirs.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ours, theirs)


def lives_on(bug, copy, build, jobs):
    """Why the bug was not found; None when it was."""
    planted = patch(copy, bug, "--forward")
    if planted.returncode != 0:
        return planted.stdout
    try:
        built = run("cmake", "--build", build, "--target", bug.program, f"-j{jobs}")
        if built.returncode != 0:
            return "it does not compile, so it proves nothing:\n" + built.stdout[-2000:]
        tested = run(build / "tests" / bug.program, f"--gtest_filter={bug.test}", timeout=TOO_LONG_S)
        return f"{bug.test} does not notice" if tested.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return None  # in CI a test that hangs fails, too
    finally:
        patch(copy, bug, "--reverse")


def plant(source, folder, bugs, jobs):
    copy, build = folder / "source", folder / "build"
    copy_sources(source, copy)
    must("cmake", "-S", copy, "-B", build, "-G", "Ninja", *QUICK_BUILD)
    must("cmake", "--build", build, f"-j{jobs}", "--target", *sorted({b.program for b in bugs}))
    for program, test in sorted({(bug.program, bug.test) for bug in bugs}):
        seen = must(build / "tests" / program, f"--gtest_filter={test}")
        if "Running 1 test " not in seen:
            sys.exit(f"{program} does not run {test}:\n{seen}")
    alive = 0
    for bug in bugs:
        reason = lives_on(bug, copy, build, jobs)
        alive += reason is not None
        print(f"{'LIVES' if reason else 'dies '}  {bug.name}: {reason or bug.what}", flush=True)
    return alive


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fits", action="store_true")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    source = words.source.resolve()
    bugs = [Bug(path) for path in sorted(source.glob("tests/planted/*.patch"))
            if not words.names or any(name in path.stem for name in words.names)]
    if not bugs:
        sys.exit("no bug of that name")
    if problems := list(misfits(source, bugs)):
        sys.exit("\n".join(problems))
    if words.fits:
        print(f"{len(bugs)} bugs can be planted")
        return
    if alive := plant(source, words.folder.resolve(), bugs, words.jobs):
        sys.exit(f"{alive} of {len(bugs)} bugs live on")
    print(f"all {len(bugs)} bugs were found")


if __name__ == "__main__":
    main()
