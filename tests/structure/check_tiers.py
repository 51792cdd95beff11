"""tests/tiers.txt says which tests are left to `tools/dev test full`, by which cheaper tests of the first tier the
same mechanism is guarded, and how each test on a cluster uses its lab. Fails on a test on a cluster without a row, on
a row without a test, and on a guard that is missing, does not exist or is left to the full tier itself.

usage: check_tiers.py SOURCE_DIR BUILD_DIR
"""

import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

import check_promises

ROW = re.compile(r"(?P<tier>first|full) +(?P<lab>shared|exclusive|own|-) +(?P<name>\S+)"
                 r"(?: +<- +(?P<guards>\S.*))?")
ON_CLUSTER = ("cluster.", "lab.test_lab_", "docs.test_lab_")


def rows_in(text):
    """(line number, row) of each row; None for a line that is none."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            found = ROW.fullmatch(line.rstrip())
            yield number, found and found.groupdict()


def plain(name):
    """ctest's name without the value of a parameter."""
    return name.partition("  # ")[0]


def has(names, pattern):
    return pattern in names if "*" not in pattern else bool(fnmatch.filter(names, pattern))


def matching(rows, name):
    """The rows of a test: its own, or else those of patterns."""
    own = [row for row in rows if row["name"] == name]
    return own or [row for row in rows if "*" in row["name"] and fnmatch.fnmatchcase(name, row["name"])]


def tier_of(rows, name):
    found = matching(rows, name)
    return found[0]["tier"] if found else "first"


def why_no_guard(rows, guard, tests, cases):
    """A guard is a test of ctest's, or a case of a unit or cli program without the program's name."""
    if f"cluster.{guard}" in tests:
        return "is named by ctest with 'cluster.' before it"
    name = next((name for name in (guard, f"cli.{guard}") if has(tests, name)), f"unit:{guard}")
    if name.startswith("unit:") and guard not in cases:
        return "does not exist"
    return "is left to the full tier itself" if tier_of(rows, name) == "full" else None


def complaints(text, tests, cases):
    rows = []
    for number, row in rows_in(text):
        where = f"tests/tiers.txt:{number}"
        if row is None:
            yield f"{where}: a row is TIER LAB NAME [<- GUARD...]"
            continue
        rows.append(row)
        known, name = (cases, row["name"][5:]) if row["name"].startswith("unit:") else (tests, row["name"])
        if not has(known, name):
            yield f"{where}: there is no test {row['name']}"
        if (row["tier"] == "full") != bool(row["guards"]):
            yield f"{where}: a test of the full tier, and no other, names its guards in the first"
        if (row["lab"] != "-") != row["name"].startswith(ON_CLUSTER):
            yield f"{where}: a test has a lab when it runs on a cluster"
    for row in rows:
        for guard in (row["guards"] or "").split():
            if reason := why_no_guard(rows, guard, tests, cases):
                yield f"{row['name']}: its guard {guard} {reason}"
    for name in sorted(tests):
        if name.startswith(ON_CLUSTER) and len(matching(rows, name)) != 1:
            yield f"{name}: {len(matching(rows, name))} rows in tests/tiers.txt, expected one"


def main(source, build):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    tests = {plain(test["name"]) for test in json.loads(listing)["tests"]
             if {"name": "DISABLED", "value": True} not in test.get("properties", ())}
    cases = set(check_promises.gtest_names(source / "tests")) | set(check_promises.python_names(source / "tests"))
    text = (source / "tests" / "tiers.txt").read_text(encoding="utf-8")
    found = list(complaints(text, tests, cases))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
