"""Draws what a terminal shows as an SVG picture: each run of characters of one style is a text of fixed
width, so columns stay below each other in whatever monospaced font the reader has."""

import re
from itertools import groupby
from xml.sax.saxutils import escape

WIDTH = 7.8  # of a character, at this size of font:
SIZE = 13
LINE = 17
MARGIN = 14
BAR = 26  # the caption above a panel
BACKGROUND, FOREGROUND, CAPTION, FRAME = "#1b1f27", "#d7dae0", "#2a303b", "#8b93a3"
PALETTE = ("#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0",
           "#7f8794", "#ff7a85", "#a9d88b", "#f2d08a", "#7cc3ff", "#d999ee", "#6fd0dc", "#ffffff")


def _run(characters, style, column, y):
    text = "".join(characters)
    look = f' fill="{PALETTE[style.colour]}"' if style.colour >= 0 else ""
    look += ' font-weight="bold"' if style.bold else ""
    look += ' opacity=".65"' if style.dim else ""
    # Some browsers draw several blanks as one, in spite of white-space, so no text has two in a row.
    return "".join(
        f'<text x="{MARGIN + (column + part.start()) * WIDTH:.1f}" y="{y}" '
        f'textLength="{len(part[0]) * WIDTH:.1f}"{look}>{escape(part[0])}</text>'
        for part in re.finditer(r"\S+(?: \S+)*", text))


def _line(line, y):
    """The texts of a line. Characters that a font may lack are apart from the others."""
    drawn, column = [], 0
    for (style, _), cells in groupby(line, lambda cell: (cell[1], ord(cell[0]) < 128)):
        characters = [character for character, _ in cells]
        drawn.append(_run(characters, style, column, y))
        column += len(characters)
    return "".join(drawn)


def _panel(caption, rows, top, width):
    """The frame of a panel and its caption, and the height of both."""
    height = BAR + MARGIN + rows * LINE + MARGIN // 2
    return (f'<rect x=".5" y="{top + .5}" width="{width - 1}" height="{height - 1}" rx="7" '
            f'fill="{BACKGROUND}" stroke="{CAPTION}"/>'
            f'<path d="M1 {top + BAR}V{top + 8}q0-7 7-7H{width - 8}q7 0 7 7V{top + BAR}z" '
            f'fill="{CAPTION}"/>'
            f'<text x="{width / 2}" y="{top + 18}" text-anchor="middle" fill="{FRAME}">'
            f"{escape(caption)}</text>"), height


def _baseline(top, row):
    return top + BAR + MARGIN + SIZE + row * LINE - 4


def _document(parts, width, height, title):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title>"
            f'<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="{SIZE}" '
            f'fill="{FOREGROUND}">'
            + "\n".join(part for part in parts if part) + "</g></svg>\n")


def _width(columns):
    return round(2 * MARGIN + columns * WIDTH)


def picture(panels, columns, title):
    """panels: (caption, lines of (character, Style)), one below the other."""
    width = _width(columns)
    parts, top = [], 0
    for caption, lines in panels:
        frame, height = _panel(caption, len(lines), top, width)
        parts.append(frame)
        parts += [_line(line, _baseline(top, row)) for row, line in enumerate(lines)]
        top += height + 8
    return _document(parts, width, top - 8, title)


def recording(terminals, columns, title, still=12):
    """terminals: (caption, frames); frames: (seconds, lines), in the order of time, of which the first
    is at 0. Plays in a loop, with the last frames shown for `still` seconds more. A viewer that plays
    nothing shows the last frames."""
    width = _width(columns)
    end = max(frames[-1][0] for _, frames in terminals)
    parts, top = [f'<rect width="0" height="0"><animate id="film" attributeName="x" from="0" to="0" '
                  f'dur="{end + still:.1f}s" begin="0s;film.end"/></rect>'], 0
    for caption, frames in terminals:
        rows = max(len(lines) for _, lines in frames)
        frame, height = _panel(caption, rows, top, width)
        parts.append(frame)
        for row in range(rows):
            parts += [_shown(_line(line, _baseline(top, row)), begin, until)
                      for line, begin, until in _spans(frames, row)]
        top += height + 8
    return _document(parts, width, top - 8, title)


def _spans(frames, row):
    """(line, from when, until when) of a row; until None: to the end."""
    spans = []
    for seconds, lines in frames:
        line = lines[row] if row < len(lines) else []
        if spans and spans[-1][0] == line:
            continue
        if spans:
            spans[-1][2] = seconds
        spans.append([line, seconds, None])
    return [span for span in spans if span[0]]


def _shown(drawn, begin, until):
    if not drawn or (begin == 0 and until is None):
        return drawn
    if until is None:
        return (f'<g>{drawn}<set attributeName="visibility" to="hidden" begin="film.begin" '
                f'end="film.begin+{begin:.1f}s"/></g>')
    return (f'<g visibility="hidden">{drawn}<set attributeName="visibility" to="visible" '
            f'begin="film.begin+{begin:.1f}s" end="film.begin+{until:.1f}s"/></g>')
