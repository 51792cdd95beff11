"""Writes the script of HTML pages as C++: dygraphs, without the note that names its source map, and
charts.js, with the hash by which the page permits them and nothing else.

usage: embed_charts.py DYGRAPHS_FOLDER CHARTS_JS OUTPUT_CC
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

CHUNK = 8000  # compilers limit the length of one literal


def without_map(text):
    return re.sub(r"^(//# sourceMappingURL=.*|/\*# sourceMappingURL=.*\*/)\s*\Z", "", text,
                  flags=re.MULTILINE).rstrip()


def literals(text):
    """Octal escapes for all that is not plain: they end after three digits, whatever follows."""
    def escaped(byte):
        letter = chr(byte)
        return letter if 32 <= byte < 127 and letter not in '"\\?' else f"\\{byte:03o}"
    data = text.encode()
    return "\n".join('    "' + "".join(map(escaped, data[at:at + CHUNK])) + '"'
                     for at in range(0, len(data), CHUNK))


def main(folder, ours, output):
    script = without_map(Path(folder, "dygraph.min.js").read_text(encoding="utf-8"))
    script += "\n" + Path(ours).read_text(encoding="utf-8")
    style = without_map(Path(folder, "dygraph.min.css").read_text(encoding="utf-8"))
    # A browser would read these as the end of the element, or rewrite them before it hashes it.
    for mark in ("</script", "<script", "<!--", "\r", "\0"):
        if mark in script.lower():
            sys.exit(f"embed_charts.py: a script with {mark!r} in it cannot be embedded")
    for mark in ("</style", "@import", "url("):
        if mark in style.lower():
            sys.exit(f"embed_charts.py: a style with {mark!r} in it cannot be embedded")
    source = f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    functions = "\n\n".join(
        f"std::string_view {name}() {{\n  return {{\n{literals(text)},\n    {len(text.encode())}}};\n}}"
        for name, text in (("chart_script", script), ("chart_script_source", source),
                           ("chart_style", style)))
    Path(output).write_text(f'#include "html/charts.h"\n\nnamespace radosload::html {{\n\n'
                            f"{functions}\n\n}}  // namespace radosload::html\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
