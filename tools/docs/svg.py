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


def picture(panels, columns, title):
    """panels: (caption, lines of (character, Style)), one below the other."""
    width = round(2 * MARGIN + columns * WIDTH)
    parts, top = [], 0
    for caption, lines in panels:
        height = BAR + MARGIN + len(lines) * LINE + MARGIN // 2
        parts.append(f'<rect x=".5" y="{top + .5}" width="{width - 1}" height="{height - 1}" rx="7" '
                     f'fill="{BACKGROUND}" stroke="{CAPTION}"/>'
                     f'<path d="M1 {top + BAR}V{top + 8}q0-7 7-7H{width - 8}q7 0 7 7V{top + BAR}z" '
                     f'fill="{CAPTION}"/>'
                     f'<text x="{width / 2}" y="{top + 18}" text-anchor="middle" fill="{FRAME}">'
                     f"{escape(caption)}</text>")
        for number, line in enumerate(lines):
            parts.append(_line(line, top + BAR + MARGIN + SIZE + number * LINE - 4))
        top += height + 8
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top - 8}" '
            f'viewBox="0 0 {width} {top - 8}" role="img" aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title>"
            f'<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="{SIZE}" '
            f'fill="{FOREGROUND}">'
            + "\n".join(part for part in parts if part) + "</g></svg>\n")
