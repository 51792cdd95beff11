"""Which translation units clang-tidy should read, as paths on stdout.

Without --changed: every one of ours. With it: those named on stdin, and for each header named
there one unit that includes it, preferably the one of the same name (a header is only ever seen
through a unit, and once is enough).
"""

import json
import os
import re
import sys


def includes(path):
    with open(path, encoding="utf-8") as source:
        return re.findall(r'^\s*#\s*include\s+"([^"]+)"', source.read(), re.MULTILINE)


def unit_for_header(header, units):
    """The unit through which a header is read, or None when nothing includes it."""
    twin = os.path.splitext(header)[0] + ".cc"
    if twin in units:
        return twin
    readers = [unit for unit in units
               if any(header.endswith("/" + name) for name in includes(unit))]
    return min(readers, key=lambda unit: (os.path.getsize(unit), unit), default=None)


def choose(changed, units):
    chosen = set()
    for path in changed:
        if path in units:
            chosen.add(path)
        elif path.endswith(".h"):
            chosen.add(unit_for_header(path, units))
    return sorted(chosen - {None})


def main(commands_path, *rest):
    root = os.getcwd()
    with open(commands_path, encoding="utf-8") as commands:
        paths = {os.path.relpath(entry["file"], root) for entry in json.load(commands)}
    units = sorted(p for p in paths if not p.startswith(("..", "build/")) and os.path.exists(p))
    if "--changed" in rest:
        units = choose(sys.stdin.read().split("\n"), units)
    for unit in units:
        print(unit)


main(*sys.argv[1:])
