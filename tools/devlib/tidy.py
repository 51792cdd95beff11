"""Runs clang-tidy on radosload's units, several at once, and remembers those without findings.

usage: tidy.py [--all] JOBS COMPILE_COMMANDS < CHANGED_FILES

Without --all: the program's units among the changed files, and for each changed header one unit
that includes it, preferably the one of its name. With it: every unit, tests too, and the
analyzer that follows paths through the code. That one takes three times as long as all the other
checks together, and the tests' headers are the slowest to read; neither is for every change.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = "clang-tidy-14"
# Clang does not know GCC's own warnings; and code that sanitizers generate is not checked.
EXTRA = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-fno-sanitize=all"]
MEMORY = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "radosload-tidy"
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROOTS = ("src", "include", "tests")  # where an include of ours is looked for


def our_includes(path):
    """The files of radosload that a file includes directly."""
    for name in INCLUDE.findall(Path(path).read_bytes()):
        found = (f"{root}/{name.decode()}" for root in ROOTS)
        yield from (header for header in found if os.path.exists(header))


def closure(unit):
    """The unit and every file of radosload that it includes, directly or indirectly."""
    seen, waiting = set(), [unit]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += our_includes(path)
    return sorted(seen)


def all_units(commands):
    root = os.getcwd()
    for entry in commands:
        path = os.path.relpath(entry["file"], root)
        if path.startswith(("src/", "tests/")) and os.path.exists(path):
            yield path, entry["command"].replace(root, "")


def unit_for_header(header, units):
    """The unit through which a header is read, or None when nothing includes it."""
    twin = os.path.splitext(header)[0] + ".cc"
    if twin in units:
        return twin
    readers = [unit for unit in units if header in our_includes(unit)]
    return min(readers, key=lambda unit: (os.path.getsize(unit), unit), default=None)


def choose(changed, units):
    units = [unit for unit in units if unit.startswith("src/")]
    headers = [path for path in changed if path.endswith(".h") and os.path.exists(path)]
    chosen = set(changed) & set(units) | {unit_for_header(path, units) for path in headers}
    return sorted(chosen - {None})


def fingerprint(unit, command, checks):
    """A hash of all files of radosload that the findings depend on."""
    digest = hashlib.sha256(repr((unit, command, checks, EXTRA)).encode())
    for path in [".clang-tidy", *closure(unit)]:
        digest.update(path.encode() + b"\0" + Path(path).read_bytes() + b"\0")
    return digest.hexdigest()


def findings_of_ours(printed):
    """Whether there is a finding in a file of radosload. Clang 14 reports an ambiguous comparison in
    rados/buffer.h under C++20 (GCC does not), so that error is always there and does not count."""
    places = re.findall(r"^(\S+?):\d+:\d+: (?:error|warning): ", printed, re.MULTILINE)
    return not places or any(not place.startswith("/usr/") for place in places)


def tidy(unit, command, checks, build):
    """(unit, findings): None when it was clean before, "" when it is now."""
    clean = MEMORY / fingerprint(unit, command, checks)
    if clean.exists():
        return unit, None
    done = subprocess.run([PROGRAM, "-p", build, "--quiet", *checks, *EXTRA, unit],
                          text=True, capture_output=True, check=False)
    printed = done.stdout or done.stderr
    if done.returncode == 0 or not findings_of_ours(printed):
        clean.touch()
        return unit, ""
    return unit, printed


def main(words):
    everything = words[:1] == ["--all"]
    jobs, commands_path = words[-2:]
    with open(commands_path, encoding="utf-8") as file:
        units = dict(all_units(json.load(file)))
    chosen = sorted(units) if everything else choose(sys.stdin.read().split("\n"), sorted(units))
    checks = [] if everything else ["--checks=-clang-analyzer-*"]
    MEMORY.mkdir(parents=True, exist_ok=True)
    build = os.path.dirname(commands_path)
    known, bad = 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        running = [pool.submit(tidy, unit, units[unit], checks, build) for unit in chosen]
        for future in concurrent.futures.as_completed(running):
            unit, findings = future.result()
            known += findings is None
            bad += bool(findings)
            if findings:
                print(f"--- {unit}\n{findings}", flush=True)
    print(f"tidy: {len(chosen)} files ({known} known to be clean), {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
