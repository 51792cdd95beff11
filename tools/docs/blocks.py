"""The code blocks of README and docs/, and the markers that say how each of them is checked.

A fenced block of commands follows a marker, an HTML comment:

    <!-- run: sim -->                      without a cluster, in the test label cli
    <!-- run: lab -->                      on a lab of the profile `fast`, in the label cluster
    <!-- shown only: needs two machines -->  never run; the reason is required

More lines of a marker are fields: `status: 4` (the exit status of the last command, else 0),
`before: COMMAND` and `after: COMMAND` (run, and not shown; may be repeated).

A block of the language `console` holds `$ COMMAND` lines and what they print; a block of `sh` holds
commands alone, whose exit status is checked. Other languages (ini, python) need no marker.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

FENCE = "```"
RUN_LANGUAGES = ("console", "sh")
OTHER_LANGUAGES = ("ini", "python", "json", "text", "yaml")
KINDS = ("sim", "lab")
MARKER = re.compile(r"^<!-- (run|shown only): ?(.*)$")
# Commands that a reader may copy stand in fences, where they are checked.
INDENTED = re.compile(r"^ {4,}(\$ |(radosload|radosload-lab|tools/\w+|ceph|rbd|rados|sudo)\b)")
FIELDS = ("status", "before", "after")


class BadDocument(Exception):
    """A document that does not follow the rules above; the text names file and line."""


@dataclass
class Command:
    text: str
    output: list = field(default_factory=list)
    # Where the output stands in the document: lines first to last - 1, counted from 0.
    first: int = 0
    last: int = 0


@dataclass
class Block:
    file: Path
    line: int  # of the opening fence, counted from 1
    language: str
    kind: str  # "sim", "lab" or "shown"
    reason: str = ""
    status: int = 0
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)
    commands: list = field(default_factory=list)

    @property
    def place(self):
        return f"{self.file.name}:{self.line}"


def _marker(lines, place):
    """A Block with what the marker says, from the lines of its comment."""
    text = "\n".join(lines)
    head, *more = text.removesuffix("-->").rstrip().split("\n")
    word, value = MARKER.match(head).groups()
    value = value.strip()
    if word == "shown only":
        if not value or more:
            raise BadDocument(f"{place}: write 'shown only: REASON' in one line")
        return Block(Path(), 0, "", "shown", reason=value)
    if value not in KINDS:
        raise BadDocument(f"{place}: 'run: {value}' is not one of {', '.join(KINDS)}")
    block = Block(Path(), 0, "", value)
    for line in more:
        name, separator, content = line.partition(":")
        content = content.strip()
        if not separator or name not in FIELDS or not content:
            raise BadDocument(f"{place}: a marker has no field '{line}'")
        if name == "status":
            block.status = int(content)
        else:
            getattr(block, name).append(content)
    return block


def _commands(block, lines, first):
    """Splits the lines of a block, of which the first is line `first` of the document."""
    console = block.language == "console"
    unfinished = False
    for number, line in enumerate(lines, first):
        starts = line.startswith("$ ") if console else bool(line.strip())
        if unfinished:
            block.commands[-1].text += "\n" + line
        elif starts:
            block.commands.append(Command(line.removeprefix("$ ") if console else line))
        elif block.commands:
            block.commands[-1].output.append(line)
        elif line.strip():
            raise BadDocument(f"{block.place}: the block does not begin with '$ COMMAND'")
        if not block.commands:
            continue
        if unfinished or starts:
            block.commands[-1].first = number + 1
            unfinished = line.endswith("\\")
        block.commands[-1].last = number + 1
    if not block.commands:
        raise BadDocument(f"{block.place}: the block has no command")


def parse(path):
    """Every block of the file that is run, or shown for a reason. Raises BadDocument."""
    path = Path(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    blocks = []
    marked = None  # what the last marker said, until its block
    number = 0
    while number < len(lines):
        line = lines[number]
        place = f"{path.name}:{number + 1}"
        if MARKER.match(line):
            begin = number
            while not lines[number].rstrip().endswith("-->"):
                number += 1
                if number == len(lines):
                    raise BadDocument(f"{place}: the comment does not end")
            marked = _marker(lines[begin:number + 1], place)
        elif line.startswith(FENCE):
            end = _end_of_block(lines, number, place)
            blocks += _fenced(path, lines, number, end, marked)
            marked = None
            number = end
        elif INDENTED.match(line) and not _in_list(lines, number):
            raise BadDocument(f"{place}: commands in an indented block are not checked; use a fence")
        elif line.strip() and marked:
            raise BadDocument(f"{place}: a marker is followed by a block, not by text")
        number += 1
    return blocks


def _end_of_block(lines, begin, place):
    for number in range(begin + 1, len(lines)):
        if lines[number].rstrip() == FENCE:
            return number
    raise BadDocument(f"{place}: the block does not end")


def _in_list(lines, number):
    """Whether the indented line continues an item of a list."""
    while number > 0 and (lines[number].startswith(" ") or not lines[number].strip()):
        number -= 1
    return bool(re.match(r"([-*]|\d+\.) ", lines[number]))


def _fenced(path, lines, begin, end, marked):
    place = f"{path.name}:{begin + 1}"
    language = lines[begin].removeprefix(FENCE).strip()
    if language in OTHER_LANGUAGES:
        if marked:
            raise BadDocument(f"{place}: a block of {language} is not run and takes no marker")
        return []
    if language not in RUN_LANGUAGES:
        raise BadDocument(f"{place}: the language '{language}' is not one of "
                          f"{', '.join(RUN_LANGUAGES + OTHER_LANGUAGES)}")
    if not marked:
        raise BadDocument(f"{place}: the block has no marker ('<!-- run: sim -->', "
                          "'<!-- run: lab -->' or '<!-- shown only: REASON -->')")
    marked.file, marked.line, marked.language = path, begin + 1, language
    if marked.kind != "shown":
        _commands(marked, lines[begin + 1:end], begin + 1)
    return [marked]


def documents(source):
    """README and docs/, in the order in which they are read."""
    source = Path(source)
    return [source / "README.md", *sorted((source / "docs").glob("*.md"))]
