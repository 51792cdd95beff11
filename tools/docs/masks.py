"""Compares what a document shows with what the program prints now: the words of every line must agree,
while numbers, times, identities and the widths of columns may differ.

What is masked: run ids, fsids, dates and times, numbers with their signs and units, bars and
sparklines, the names of temporary folders. A figure that is missing ("-" in a table) counts as a
number. Lines that are the same after that, one below the other, count once: a table of OSDs or a
histogram may have more rows in another run.
"""

import difflib
import re

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+-]?\d+)?"

RULES = [
    (re.compile(r"\x1b\[[0-9;?]*[A-Za-z]"), ""),
    (re.compile(r"\d{8}-\d{6}(?:\d{3})?-[0-9a-f]{4}"), "RUN"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?|\b\d{8}T\d{6}Z"), "TIME"),
    (re.compile(r"(?<![\w.])(/tmp|/var/tmp|/root|/home)/[\w./-]*/"), "FOLDER/"),
    (re.compile(r"\b(pacific|quincy|reef|squid|tentacle)\b"), "RELEASE"),
    (re.compile(r"\bpid \d+ on \S+"), "pid N on HOST"),
    (re.compile(r"\b(loop|sd|nvme)\w+\b(?=\s|$)"), "DRIVE"),
    (re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}\b"), "HASH"),
    # The unit of a table is that of its largest figure.
    (re.compile(r"\bin (ns|us|ms|s)(?=[:,]|$)"), "in UNIT"),
    # Whether the slowest operations waited to be sent, or failed, depends on which they are.
    (re.compile(r"^( *slowest) +(ns|us|ms|s)\b( +service)?( +outcome)?"), r"\1 UNIT"),
    # Bars and sparklines, which may be as short as nothing.
    (re.compile(r"[\u2500-\u259f\u2800-\u28ff]+"), " "),
    (re.compile(r"(?<=\s)([|#]+|[#*=_.\-]{6,})(?=\s|$)"), " "),
    (re.compile(r"(?<![\w.])(?:[<>x~] ?)?[+-]?" + NUMBER +
                r"( ?(ns|us|ms|s|min|m|h|d|B|KiB|MiB|GiB|TiB|k|M|G|T))?(?![\w])"), "N"),
    (re.compile(r"(?<=\bosd\.)\d+"), "N"),
    # A number within a name belongs to it: randrw4k, node1, p99.9.
    (re.compile(r"(?<![A-Za-z_\d])(?<![A-Za-z_\d][\d.])" + NUMBER + r"(?![A-Za-z_])"), "N"),
    (re.compile(r"(?<=\s)-(?=\s|$)"), "N"),
    # Which OSDs hold replicas of a run, and of what kind they are, differs from pool to pool.
    (re.compile(r"(\bosd\.N\s+)(?:plain|wal|db|db\+wal)(?:\s+N)+(?: ?%)?\s*$"), r"\1KIND N"),
    # A list of numbers, and several of them: acting sets, rows of CSV.
    (re.compile(r"N(,N)+"), "N"),
    (re.compile(r"\bN( and N)+"), "N"),
    # What `replicas` finds about an OSD that is not far off depends on the moment.
    (re.compile(r"(\(N % to N %\)\s+N\s+)[a-z ]+$"), r"\1VERDICT"),
    (re.compile(r"(\(N(?: %)? to N\)\s+N\s+)(?!\s*slow$)[a-z ]+$"), r"\1VERDICT"),
    # An effect is a factor (x2.4), in other tables a share (+12 %).
    (re.compile(r"\bN(?: %)? \(N(?: %)? to N(?: %)?\)"), "EFFECT"),
]
# A line that is indented so far continues the one above it, however wide that was.
CONTINUED = re.compile(r"^ {10,}\S")
# Prose without a label is wrapped at this width; how many lines it takes depends on the figures in it.
COLUMNS = 100
# Which operations are the slowest, and where they waited, depends on the moment everywhere.
OPERATION = re.compile(r"^\s*(\w+ +\S+ .*\d\d:\d\d:\d\d\.\d{6}|\d+\. .*: [\d.]+ \w+.*|where they waited:)$")
# What depends on the moment and on the machine: on a cluster such lines may come and go.
OPTIONAL = re.compile(r"^\s*(note|warning|cause|late|slowest|waiting for|watched|events?|stuck)\b"
                      r"|^time: osd\.\d+: ")  # progress, of what takes seconds
# On a slow cluster a figure of too few operations has none.
INTERVAL = re.compile(r"(?<=\bN) \(N \.\. N\)")


def masked(line):
    for pattern, word in RULES:
        line = pattern.sub(word, line)
    return " ".join(line.split())


def _was_wrapped(before, line):
    """Whether the line's first word had no room any more on the line before, both being prose."""
    if len(before.split()) < 3 or not line.strip() or "  " in before.strip() or "  " in line.strip():
        return False
    return len(before) <= COLUMNS < len(before) + 1 + len(line.split()[0])


def paragraphs(lines):
    """The lines, each with those that continue it."""
    joined = []
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else ""
        if before.strip() and (CONTINUED.match(line) or _was_wrapped(before, line)):
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    return joined


def structure(lines, exact):
    """The masked lines: without blank ones, without repetitions, and unless exact without what is
    optional."""
    found = []
    for line in paragraphs(lines):
        if OPERATION.match(line) or (not exact and OPTIONAL.match(line)):
            continue
        text = masked(line) if exact else INTERVAL.sub("", masked(line))
        if text and found[-1:] != [text]:
            found.append(text)
    return found


def differences(documented, printed, exact=True):
    """What a person has to know when they differ, as lines; empty when they agree."""
    wanted, got = structure(documented, exact), structure(printed, exact)
    if wanted == got:
        return []
    told = difflib.unified_diff(wanted, got, "documented", "printed", lineterm="", n=1)
    return [line for line in told if not line.startswith("@@")]
