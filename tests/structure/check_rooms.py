"""Reads every #include below src/ and include/ and fails on an edge that the graph of the rooms
(src/CMakeLists.txt, written to rooms.json by CMake) does not have. Also on what keeps a file
readable: its length, `#pragma once`, and the paragraph with which a header opens; and on a row of
the rooms' table in ARCHITECTURE.md that is not true; and on a test that needs a folder to be missing
that a program may create.

usage: check_rooms.py BUILD/rooms.json SOURCE_DIR
"""

import json
import re
import sys
from pathlib import Path

# What begins the path of a third-party header, and the name it has in USES.
THIRD_PARTY = {
    "rados/": "rados", "rbd/": "rbd", "cephfs/": "cephfs", "CLI/": "cli11", "nlohmann/": "json", "fmt/": "fmt",
    "spdlog/": "spdlog", "tl/": "expected", "zlib.h": "zlib", "boost/": "boost",
    "yaml-cpp/": "yaml", "Eigen/": "eigen", "liburing.h": "uring", "blkid/": "blkid",
}
# Folders of the C library and the kernel; everybody may use them.
SYSTEM = ("sys/", "linux/", "netinet/", "arpa/", "net/", "bits/", "asm/")
# The shared vocabulary names results, nothing else.
VOCABULARY_USES = ["expected"]

# What fits into a head, and into a review, in one go. A longer file has two subjects: part it.
LINE_LIMIT = 400
# The home of users without one on Debian. What root starts with that HOME creates it.
NOT_MISSING = re.compile(r"/nonexist" r"ent\b")
CODE = (".cc", ".h", ".py", ".sh")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def third_party_name(header):
    return next((name for prefix, name in THIRD_PARTY.items()
                 if header == prefix or (prefix.endswith("/") and header.startswith(prefix))), None)


def check_third_party(header, who, uses):
    name = third_party_name(header)
    if name is None:
        if "/" in header and not header.startswith(SYSTEM):
            return f"<{header}> is a library that tests/structure/check_rooms.py does not know"
        return None
    if name not in uses:
        return f"<{header}>: {who} does not name {name} in USES"
    return None


def check_own(header, room, depends, rooms):
    """A quoted include: the vocabulary, the room itself, or a room it depends on."""
    owner, slash, _ = header.partition("/")
    if not slash:
        return f'"{header}" does not name its room'
    if owner == "radosload":
        return None
    if room is None:
        return f'"{header}": include/radosload may not include src/'
    if owner not in rooms:
        return f'"{header}": there is no room {owner}'
    if owner != room and owner not in depends:
        return f'"{header}": room {room} does not depend on {owner}'
    return None


def check_includes(path, room, rooms):
    entry = rooms[room] if room else {"depends": [], "uses": VOCABULARY_USES}
    who = f"room {room}" if room else "include/radosload"
    for bracket, header in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if bracket == "<":
            yield check_third_party(header, who, entry["uses"])
        else:
            yield check_own(header, room, entry["depends"], rooms)


def check_header(path):
    text = path.read_text(encoding="utf-8")
    if not text.startswith("// "):
        yield "a header opens with a paragraph: what it owns, what it may not know"
    if not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield "a header without #pragma once"


def check_length(path):
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > LINE_LIMIT:
        yield f"{lines} lines, {LINE_LIMIT} is the limit: part it by subject"


def check_missing_paths(path):
    if NOT_MISSING.search(path.read_text(encoding="utf-8")):
        yield "a program may create that folder: use nowhere() of tests/support"


def find_cycle(rooms):
    """A list of rooms, each depending on the next and the last on the first; [] without one."""
    done = set()

    def visit(room, path):
        if room in path:
            return path[path.index(room):]
        if room in done or room not in rooms:
            return []
        done.add(room)
        found = (visit(other, path + [room]) for other in rooms[room]["depends"])
        return next((cycle for cycle in found if cycle), [])

    return next((cycle for cycle in (visit(room, []) for room in rooms) if cycle), [])


def check_room(folder, rooms):
    if folder.name not in rooms:
        yield f"src/{folder.name} is not a room: there is no radosload_room for it"
        return
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".cc", ".h"):
            for complaint in filter(None, check_includes(path, folder.name, rooms)):
                yield f"src/{path.relative_to(folder.parent)}: {complaint}"


def check_map(text, rooms):
    """The table in ARCHITECTURE.md: a row per room, `name` first and what it depends on last."""
    told = {name: sorted(re.findall(r"\w+", depends))
            for name, depends in re.findall(r"^\| `(\w+)` \|.*\|([^|]*)\|$", text, re.MULTILINE)}
    for name in sorted(told.keys() - rooms.keys()):
        yield f"ARCHITECTURE.md: there is no room {name}"
    for name in sorted(rooms.keys() - told.keys()):
        yield f"ARCHITECTURE.md: no row for room {name}"
    for name in sorted(rooms.keys() & told.keys()):
        if told[name] != sorted(rooms[name]["depends"]):
            yield f"ARCHITECTURE.md: room {name} depends on {', '.join(rooms[name]['depends'])}"


def check(rooms, source):
    """Every complaint, as a line for a person."""
    yield from check_map((source / "ARCHITECTURE.md").read_text(encoding="utf-8").partition(
        "## The way of a plan")[0], rooms)
    cycle = find_cycle(rooms)
    if cycle:
        yield "a cycle of rooms: " + " -> ".join(cycle + cycle[:1])
    for folder in sorted(p for p in (source / "src").iterdir() if p.is_dir()):
        yield from check_room(folder, rooms)
    for path in sorted((source / "include").rglob("*.h")):
        for complaint in filter(None, check_includes(path, None, rooms)):
            yield f"{path.relative_to(source)}: {complaint}"
    for path in sorted(p for top in ("src", "include", "tests", "tools")
                       for p in (source / top).rglob("*") if p.suffix in CODE):
        complaints = [*check_length(path), *check_missing_paths(path)]
        if path.suffix == ".h":
            complaints += check_header(path)
        for complaint in complaints:
            yield f"{path.relative_to(source)}: {complaint}"


def main(rooms_path, source):
    rooms = json.loads(Path(rooms_path).read_text(encoding="utf-8"))
    complaints = list(check(rooms, Path(source)))
    for complaint in complaints:
        print(complaint)
    print(f"rooms: {len(rooms)}, complaints: {len(complaints)}")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
