"""Plants each bug of this folder in a copy of the source and demands that the tests die of it.

A patch begins with what the bug is, the test program, and the test that must fail:

    What: ...
    Program: unit_record
    Killed by: Suite.Name

Exit status 0: every bug was found. The copy and its build stay in FOLDER for the next time.

usage: check.py SOURCE_DIR FOLDER [--jobs N] [PATCH...]
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def head(patch):
    fields = {}
    for line in patch.read_text(encoding="utf-8").splitlines():
        if not line:
            break
        key, _, value = line.partition(": ")
        fields[key] = value
    return fields["What"], fields["Program"], fields["Killed by"]


def copy(source, target):
    """Only files that changed are written, so that the build has little to do."""
    wanted = run("git", "-C", source, "ls-files").stdout.split("\n")
    for name in filter(None, wanted):
        old, new = source / name, target / name
        if not old.is_file():
            continue
        if not new.is_file() or new.read_bytes() != old.read_bytes():
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(old, new)


def survives(patch, source, build, jobs):
    """Why the bug was not found; None when it was."""
    _, program, test = head(patch)
    must("patch", "-p1", "--forward", "-i", patch, cwd=source)
    try:
        built = run("cmake", "--build", build, "--target", program, f"-j{jobs}")
        if built.returncode != 0:
            return "does not compile, so it proves nothing:\n" + built.stdout[-2000:]
        found = run(build / "tests" / program, f"--gtest_filter={test}", timeout=300)
        if "Running 0 tests" in found.stdout:
            return f"there is no test {test}"
        return f"{test} does not notice" if found.returncode == 0 else None
    finally:
        must("patch", "-p1", "--reverse", "-i", patch, cwd=source)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("patches", nargs="*", type=Path)
    words = parser.parse_args()
    patches = [patch.resolve() for patch in words.patches or sorted(HERE.glob("*.patch"))]
    source, build = words.folder / "source", words.folder / "build"
    copy(words.source.resolve(), source)
    # No sanitizers, no optimisation: it is about verdicts, and they must come quickly.
    must("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    programs = sorted({head(patch)[1] for patch in patches})
    must("cmake", "--build", build, "--target", *programs, f"-j{words.jobs}")
    for program, test in sorted({head(patch)[1:] for patch in patches}):
        must(build / "tests" / program, f"--gtest_filter={test}")
    alive = 0
    for patch in patches:
        reason = survives(patch, source, build, words.jobs)
        alive += reason is not None
        print(f"{'SURVIVES' if reason else 'dies    '}  {patch.stem}: {reason or head(patch)[0]}",
              flush=True)
    sys.exit(1 if alive else 0)


if __name__ == "__main__":
    main()
