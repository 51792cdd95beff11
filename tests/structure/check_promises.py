"""tests/PROMISES.md is a table of what a user may rely on and the tests that show it. Fails on a
promise without a test, and on a named test that does not exist or that ctest would not run.

A test is named `Suite.Name` (GoogleTest), `tests/lab/test_x.py::Class::test_name` (Python) or
`fuzz.NAME` (the kept inputs of tests/fuzz/NAME_fuzz.cc).

usage: check_promises.py SOURCE_DIR
"""

import ast
import re
import sys
from pathlib import Path

MACRO = re.compile(
    r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)"
    r"\(\s*(\w+)\s*,\s*(\w+)\s*[,)]", re.MULTILINE)
# As in tests/CMakeLists.txt; its CMake refuses a *_test.cc that no program holds.
PYTHON_TESTS = ("structure/test_*.py", "interop/test_*.py", "lab/test_unit_*.py",
                "lab/test_lab_*.py", "docs/test_*.py")
NAME = re.compile(r"`([^`]+)`")
SEPARATOR = re.compile(r"^\|[-| :]+\|$")


def gtest_names(tests):
    for path in tests.rglob("*_test.cc"):
        for suite, name in MACRO.findall(path.read_text(encoding="utf-8")):
            if not name.startswith("DISABLED_") and not suite.startswith("DISABLED_"):
                yield f"{suite}.{name}"


def python_names(tests):
    for path in (path for pattern in PYTHON_TESTS for path in tests.glob(pattern)):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                for item in node.body:
                    if isinstance(item, ast.FunctionDef) and item.name.startswith("test"):
                        yield f"tests/{path.relative_to(tests)}::{node.name}::{item.name}"


def fuzz_names(tests):
    for path in tests.glob("fuzz/*_fuzz.cc"):
        yield "fuzz." + path.name.removesuffix("_fuzz.cc")


def rows(text):
    """(line number, cells) of every row of every table, without heads and separators."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        head = number < len(lines) and SEPARATOR.match(lines[number])
        if line.startswith("|") and not SEPARATOR.match(line) and not head:
            yield number, [cell.strip() for cell in line.strip("|").split("|")]


def check(promises, known):
    """Every complaint, as a line for a person."""
    seen = set()
    for number, cells in rows(promises):
        where = f"tests/PROMISES.md:{number}"
        if len(cells) != 2 or not cells[0]:
            yield f"{where}: a row is a promise and its tests"
            continue
        promise, tests = cells
        if promise in seen:
            yield f"{where}: the same promise twice: {promise}"
        seen.add(promise)
        names = NAME.findall(tests)
        if not names:
            yield f"{where}: no test shows it: {promise}"
        for name in names:
            if name not in known:
                yield f"{where}: there is no such test: {name}"
    if not seen:
        yield "tests/PROMISES.md: no promise at all"


def main(source):
    tests = Path(source) / "tests"
    known = {*gtest_names(tests), *python_names(tests), *fuzz_names(tests)}
    promises = (tests / "PROMISES.md").read_text(encoding="utf-8")
    complaints = list(check(promises, known))
    for complaint in complaints:
        print(complaint)
    print(f"promises: {len(list(rows(promises)))}, complaints: {len(complaints)}")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
