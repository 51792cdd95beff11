#!/usr/bin/python3
"""Tests on real clusters wait for what they are about, never for a time.

A test that sleeps, or whose run has a fixed length, passes on a fast machine and fails by chance on a busy
one. It waits with wait_for() instead (tests/support/wait_for.h, tests/support/waiting.py), and its run ends by
--ops, or by Ctrl-C once the test has seen what it waits for (until_ended() and few_operations() in
tests/cluster/runs.h). Where a time is truly what the test is about, a comment on the line, or above the
statement, that begins with "Time:" gives the reason.

usage: check_waits.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

# What to look for, in which folders, and what to do instead.
RULES = (
    (re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep)\s*\(|\btime\.sleep\s*\("),
     ("tests/cluster", "tests/lab", "tests/support"),
     "a test that sleeps: wait for the thing itself"),
    (re.compile(r"--time\b"), ("tests/cluster", "tests/lab"),
     "a run of a fixed length: end it by --ops, or by Ctrl-C after what the test waits for"),
)
COMMENTS = {".cc": "//", ".h": "//", ".py": "#"}
REASON = re.compile(r"(//|#) Time: \S")


def is_comment(line, mark):
    return line.lstrip().startswith(mark)


def ends_statement(line, mark):
    """Whether the next line begins another statement. A block's first one belongs to its head."""
    line = line.strip()
    if mark == "//":
        return not line or line.endswith((";", "}", ":"))
    return not line or not line.endswith((",", "(", "[", "{", "\\", ":"))


def has_reason(lines, at, mark):
    if REASON.search(lines[at]):
        return True
    while at > 0 and not is_comment(lines[at - 1], mark):
        if ends_statement(lines[at - 1], mark):
            return False
        at -= 1
    while at > 0 and is_comment(lines[at - 1], mark):
        at -= 1
        if REASON.search(lines[at]):
            return True
    return False


def complaints(where, text, mark):
    lines = text.splitlines()
    for pattern, folders, instead in RULES:
        if not where.startswith(tuple(folder + "/" for folder in folders)):
            continue
        for at, line in enumerate(lines):
            if is_comment(line, mark) or not pattern.search(line) or has_reason(lines, at, mark):
                continue
            yield f"{where}:{at + 1}: {instead}, or give the reason in a comment '{mark} Time: ...' above it"


def files(root):
    folders = sorted({folder for _, folders, _ in RULES for folder in folders})
    for folder in folders:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in COMMENTS)


def main(source):
    root = Path(source)
    checked = list(files(root))
    found = [complaint for path in checked
             for complaint in complaints(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"),
                                         COMMENTS[path.suffix])]
    for complaint in found:
        print(complaint)
    print(f"waits: {len(checked)} files, complaints: {len(found)}")
    return 1 if found or not checked else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
