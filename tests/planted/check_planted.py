#!/usr/bin/env python3
"""Plants each bug of this folder in a copy of the sources and sees the tests die of it.

A bug is a patch whose header names the test program and the tests that must fail:

    Program: unit_workload
    Killed by: Schedule.ConstantTicksAreWhereTheyBelong

A patch that no longer applies, a test that passes in spite of the bug, and a test that fails
without it are all errors. Takes patch names to be choosy: check_planted.py zipf stream
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Bug:
    def __init__(self, path):
        self.path = path
        header = path.read_text().split("\n--- ")[0]
        self.program = re.search(r"^Program: (\S+)$", header, re.M).group(1)
        self.tests = re.search(r"^Killed by: (.+)$", header, re.M).group(1).split(", ")


def run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **more)


def must(command, **more):
    done = run(command, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def copy_sources(copy):
    """Copies what git knows, leaving files alone that have not changed, so that builds stay warm."""
    names = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                cwd=ROOT, check=True).stdout.split("\0")
    wanted = {name for name in names if name and (ROOT / name).is_file()}
    for old in [path for path in copy.rglob("*") if path.is_file()]:
        if str(old.relative_to(copy)) not in wanted:
            old.unlink()
    for name in wanted:
        target = copy / name
        content = (ROOT / name).read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(ROOT / name, target)


def failing(build, program, tests):
    """Which of the tests fail; every one must exist and is run on its own, so that none hides
    behind another."""
    dead = []
    for test in tests:
        done = run([build / "tests" / program, f"--gtest_filter={test}"], timeout=300)
        if "Running 1 test " not in done.stdout:
            sys.exit(f"{program} has no test {test}")
        if done.returncode != 0:
            dead.append(test)
    return dead


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="parts of patch names; all when none is given")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    bugs = [Bug(path) for path in sorted(HERE.glob("*.patch"))
            if not options.names or any(name in path.name for name in options.names)]
    if not bugs:
        sys.exit("no patch of that name")

    copy, build = ROOT / "build/planted/source", ROOT / "build/planted/build"
    copy.mkdir(parents=True, exist_ok=True)
    copy_sources(copy)
    must(["cmake", "-S", copy, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
          "-DCMAKE_CXX_FLAGS_DEBUG=-O1"])
    programs = sorted({bug.program for bug in bugs})
    must(["cmake", "--build", build, "-j", options.jobs, "--target", *programs])
    for program in programs:
        tests = sorted({test for bug in bugs if bug.program == program for test in bug.tests})
        if dead := failing(build, program, tests):
            sys.exit(f"fail without any bug: {', '.join(dead)}")

    survivors = 0
    for bug in bugs:
        must(["patch", "-p1", "--quiet", "--no-backup-if-mismatch", "-i", bug.path], cwd=copy)
        must(["cmake", "--build", build, "-j", options.jobs, "--target", bug.program])
        dead = failing(build, bug.program, bug.tests)
        alive = [test for test in bug.tests if test not in dead]
        print(f"{'ALIVE' if alive else 'killed'}  {bug.path.stem}"
              + (f": {', '.join(alive)} passed" if alive else ""), flush=True)
        survivors += bool(alive)
        must(["patch", "-p1", "--quiet", "-R", "-i", bug.path], cwd=copy)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
