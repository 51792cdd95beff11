"""Prints the times of tests: a table of the slowest, and after an empty line a complaint about each test
that took more than LIMIT_S and is not in the list of slow tests with a reason.

usage: times.py RESULTS.xml SLOW_TESTS.txt [--complete]

RESULTS.xml is what `ctest --output-junit` writes. --complete: every test was run, so a name in the list
that is not among them belongs to no test. Exit status: 0 no complaint, 1 complaints.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

# A minute for a test that runs alone. Twice as many tests as processors run at once, together with
# compilers, so a test takes up to half as long again.
LIMIT_S = 90
SHOWN = 20


def times_of(results):
    """{name: seconds} of every test, also of those that were not run (0)."""
    return {case.get("name"): float(case.get("time") or 0)
            for case in ElementTree.fromstring(results).iter("testcase")}


def listed_in(text):
    """[(line number, name, reason)]"""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(": ")
            found.append((number, name.strip(), reason.strip()))
    return found


def table(times):
    slowest = sorted(times.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
    yield f"{'seconds':>8}  the {len(slowest)} slowest of {len(times)} tests"
    for name, seconds in slowest:
        yield f"{seconds:8.1f}  {name}"


def complaints(times, listed, complete, file):
    allowed = {name for _, name, _ in listed}
    for name, seconds in sorted(times.items()):
        if seconds > LIMIT_S and name not in allowed:
            yield (f"{name} took {seconds:.1f} s (limit {LIMIT_S} s): make it faster, or give the "
                   f"reason in {file}")
    seen = set()
    for number, name, reason in listed:
        if not reason:
            yield f"{file}:{number}: no reason for {name}"
        if name in seen:
            yield f"{file}:{number}: the same name twice: {name}"
        seen.add(name)
        if complete and name not in times:
            yield f"{file}:{number}: there is no such test: {name}"


def main(results, file, complete):
    times = times_of(Path(results).read_text(encoding="utf-8"))
    found = list(complaints(times, listed_in(Path(file).read_text(encoding="utf-8")), complete, file))
    print(*table(times), sep="\n")
    if found:
        print("", *found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--complete"]
    if len(words) != 2:
        sys.exit(__doc__)
    sys.exit(main(*words, complete="--complete" in sys.argv))
