"""Reads the table of planted bugs and finds the place of each in the sources by its text, so that a
function that was moved or formatted again keeps its bugs. Texts are compared word by word: white space
between words counts as equal, and a text never begins or ends within a word."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

TABLE = "tests/planted/bugs.toml"
NEEDED = {"what", "program", "test", "find", "plant"}
OPTIONAL = {"file"}
WORD = re.compile(r"\w+|[^\w\s]")


class Misfit(Exception):
    """Why a bug cannot be planted, and what to do about it."""


@dataclass
class Place:
    file: str
    line: int
    begin: int
    end: int

    def __str__(self):
        return f"{self.file}:{self.line}"


@dataclass
class Bug:
    name: str
    what: str
    program: str
    test: str
    changes: list  # of (text to find, text that replaces it)
    file: str | None


def read_bugs(source):
    try:
        table = tomllib.loads((source / TABLE).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise Misfit(f"{TABLE} is not valid TOML: {error}") from error
    return [bug_of(name, entry) for name, entry in table.items()]


def bug_of(name, entry):
    if not isinstance(entry, dict):
        raise Misfit(f"{name} belongs to no bug: a bug begins with its name in brackets")
    for key in sorted(NEEDED - entry.keys()):
        raise Misfit(f"{name} does not have '{key}'")
    for key in sorted(entry.keys() - NEEDED - OPTIONAL):
        raise Misfit(f"{name} has '{key}', which means nothing")
    finds, plants = (entry[key] if isinstance(entry[key], list) else [entry[key]]
                     for key in ("find", "plant"))
    if len(finds) != len(plants):
        raise Misfit(f"{name} has {len(finds)} texts to find and {len(plants)} to plant")
    for find, plant in zip(finds, plants):
        if not find.strip():
            raise Misfit(f"{name} has an empty text to find")
        if WORD.findall(find) == WORD.findall(plant):
            raise Misfit(f"{name} plants what it finds, so it changes nothing")
    return Bug(name=name, what=entry["what"], program=entry["program"], test=entry["test"],
               changes=list(zip(finds, plants)), file=entry.get("file"))


def pattern_of(text):
    words = WORD.findall(text)
    # Only between two names is white space needed: 'a b' is not 'ab', but 'f( a )' is 'f(a)'.
    parts = [re.escape(words[0])]
    for before, word in zip(words, words[1:]):
        parts.append(r"\s+" if is_name(before) and is_name(word) else r"\s*")
        parts.append(re.escape(word))
    begin = r"(?<!\w)" if is_name(words[0]) else ""
    end = r"(?!\w)" if is_name(words[-1]) else ""
    return re.compile(begin + "".join(parts) + end)


def is_name(word):
    return re.match(r"\w", word) is not None


class Sources:
    """The files in which bugs can be planted: src and include."""

    def __init__(self, root):
        self.texts = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
                      for top in ("src", "include") for path in sorted((root / top).rglob("*"))
                      if path.suffix in (".cc", ".h")}

    def places(self, text, file=None):
        """Where the text stands: in this file, or in all."""
        pattern = pattern_of(text)
        longest = max(WORD.findall(text), key=len)  # most files do not have it, and need no pattern
        texts = self.texts if file is None else {file: self.texts.get(file, "")}
        return [Place(name, content.count("\n", 0, found.start()) + 1, *found.span())
                for name, content in texts.items() if longest in content
                for found in pattern.finditer(content)]

    def place_of(self, bug, text):
        """The one place of a text: in the file that is named for the bug, otherwise anywhere."""
        places = (bug.file and self.places(text, bug.file)) or self.places(text)
        first_line = text.strip().partition("\n")[0]
        if not places:
            raise Misfit(f"{bug.name}: its text '{first_line}' is not in src or include any more. If the "
                         f"code was changed, put its new text into {TABLE}; if it is gone, "
                         "remove the bug")
        if len(places) > 1:
            raise Misfit(f"{bug.name}: its text '{first_line}' is in {len(places)} places: "
                         f"{', '.join(map(str, places))}. Make the text in {TABLE} longer until one "
                         "place has it, or name the file if only one place is in it")
        return places[0]

    def planted(self, bug):
        """The files that the bug changes, with their texts after that."""
        changes = [(self.place_of(bug, find), plant.strip()) for find, plant in bug.changes]
        changed = {place.file: self.texts[place.file] for place, _ in changes}
        for place, plant in sorted(changes, key=lambda change: change[0].begin, reverse=True):
            text = changed[place.file]
            changed[place.file] = text[:place.begin] + plant + text[place.end:]
        return changed
