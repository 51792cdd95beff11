"""Prints the times of tests: a table of the slowest, and after an empty line a complaint about each test
that took more than a minute and is not in the list of slow tests with a reason.

usage: times.py SLOW_TESTS.txt RESULTS.xml... [--complete] [--alone ALONE.xml | --suspects]

Each RESULTS.xml is what `ctest --output-junit` writes. Tests share the processors with others and with
compilers, so a time in it proves nothing: --suspects prints only the names of those that took too long
there, to be run once more one by one, and ALONE.xml has the times of that. --complete: every test was run,
so a name in the list that is not among them belongs to no test. Exit status: 0 no complaint, 1 complaints.
"""

import argparse
import sys
from pathlib import Path
from xml.etree import ElementTree

LIMIT_S = 60  # of a test that runs alone
# Twice as many tests as processors run at once, so a test takes up to half as long again.
SUSPECT_S = 90
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


def suspects(times, listed):
    allowed = {name for _, name, _ in listed}
    return [name for name, seconds in sorted(times.items()) if seconds > SUSPECT_S and name not in allowed]


def complaints(times, alone, listed, complete, file):
    for name in suspects(times, listed):
        seconds = alone.get(name, times[name])
        if seconds > LIMIT_S:
            yield (f"{name} took {times[name]:.1f} s, and {seconds:.1f} s alone (limit {LIMIT_S} s): make "
                   f"it faster, or give the reason in {file}")
    seen = set()
    for number, name, reason in listed:
        if not reason:
            yield f"{file}:{number}: no reason for {name}"
        if name in seen:
            yield f"{file}:{number}: the same name twice: {name}"
        seen.add(name)
        if complete and name not in times:
            yield f"{file}:{number}: there is no such test: {name}"


def read(*results):
    times = {}
    for path in results:
        times.update(times_of(Path(path).read_text(encoding="utf-8")))
    return times


def main(words):
    times = read(*words.results)
    listed = listed_in(Path(words.slow_tests).read_text(encoding="utf-8"))
    if words.suspects:
        print("".join(f"{name}\n" for name in suspects(times, listed)), end="")
        return 0
    alone = read(words.alone) if words.alone else {}
    found = list(complaints(times, alone, listed, words.complete, words.slow_tests))
    print(*table(times), sep="\n")
    if found:
        print("", *found, sep="\n")
    return 1 if found else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("slow_tests")
    parser.add_argument("results", nargs="+")
    parser.add_argument("--complete", action="store_true")
    parser.add_argument("--suspects", action="store_true")
    parser.add_argument("--alone")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(arguments()))
