"""A terminal as a grid of characters with colours: what a program that writes to a terminal leaves on it.
Understands what radosload and ordinary tools send: line feeds, moving the cursor, erasing, colours."""

import codecs
import re
from dataclasses import dataclass

SEQUENCE = re.compile(r"\x1b(?:\[([0-9;?]*)([A-Za-z])|\][^\x07]*\x07|[()][A-Z0-9])")
# The beginning of a sequence whose rest has not come in yet.
UNFINISHED = re.compile(r"\x1b(?:\[[0-9;?]*|\][^\x07]*|[()])?$")


@dataclass(frozen=True)
class Style:
    colour: int = -1  # 0 to 15; -1: that of the terminal
    bold: bool = False
    dim: bool = False


PLAIN = Style()


class Screen:
    def __init__(self, columns):
        self.columns = columns
        self.lines = [[]]  # of (character, Style)
        self.row = self.column = 0
        self.style = PLAIN
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data):
        text = self._rest + self._decoder.decode(data)
        unfinished = UNFINISHED.search(text)
        self._rest = text[unfinished.start():] if unfinished else ""
        text = text[:len(text) - len(self._rest)]
        at = 0
        while at < len(text):
            found = SEQUENCE.match(text, at)
            if found:
                if found[2]:
                    self._command(found[2], found[1])
                at = found.end()
            else:
                self._character(text[at])
                at += 1

    def text(self):
        """The lines as text, without blanks at their ends."""
        return ["".join(character for character, _ in line).rstrip() for line in self.lines]

    def snapshot(self):
        """A copy of the lines, without empty ones at the end."""
        copy = [list(line) for line in self.lines]
        while copy and not "".join(character for character, _ in copy[-1]).strip():
            copy.pop()
        return copy

    def _character(self, character):
        if character == "\n":
            self._go(self.row + 1, self.column)
        elif character == "\r":
            self.column = 0
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character == "\t":
            self.column = (self.column // 8 + 1) * 8
        elif character >= " ":
            if self.column >= self.columns:
                self._go(self.row + 1, 0)
            line = self.lines[self.row]
            line += [(" ", PLAIN)] * (self.column + 1 - len(line))
            line[self.column] = (character, self.style)
            self.column += 1

    def _go(self, row, column):
        self.row, self.column = max(0, row), max(0, column)
        while len(self.lines) <= self.row:
            self.lines.append([])

    def _command(self, name, words):
        if words.startswith("?"):
            return  # modes of the terminal
        numbers = [int(word or 0) for word in words.split(";")]
        count = max(1, numbers[0])
        if name == "m":
            for number in numbers:
                self._set_style(number)
        elif name in "AF":
            self._go(self.row - count, 0 if name == "F" else self.column)
        elif name in "BE":
            self._go(self.row + count, 0 if name == "E" else self.column)
        elif name == "C":
            self.column += count
        elif name == "D":
            self.column = max(0, self.column - count)
        elif name == "G":
            self.column = count - 1
        elif name in "JK":
            self._erase(name, numbers[0])

    def _erase(self, name, what):
        line = self.lines[self.row]
        if what == 0:
            del line[self.column:]
        elif what == 2:
            line.clear()
        if name == "J" and what == 0:
            del self.lines[self.row + 1:]

    def _set_style(self, number):
        old = self.style
        if number == 0:
            self.style = PLAIN
        elif number == 1:
            self.style = Style(old.colour, True, old.dim)
        elif number == 2:
            self.style = Style(old.colour, old.bold, True)
        elif number == 22:
            self.style = Style(old.colour, False, False)
        elif 30 <= number <= 37:
            self.style = Style(number - 30, old.bold, old.dim)
        elif 90 <= number <= 97:
            self.style = Style(number - 82, old.bold, old.dim)
        elif number == 39:
            self.style = Style(-1, old.bold, old.dim)
