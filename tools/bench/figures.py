"""What the benchmarks share: medians of ratios with intervals, what rados bench says."""

import random
import re
import statistics
import sys

RESAMPLES = 10000


def interval(values):
    """Median, and a 95 % bootstrap interval around it."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values)))
                     for _ in range(RESAMPLES))
    return statistics.median(values), medians[RESAMPLES // 40], medians[-RESAMPLES // 40]


def byte_count(text):
    units = {"k": 1 << 10, "M": 1 << 20}
    return int(text[:-1]) * units[text[-1]] if text[-1] in units else int(text)


def bench_figure(text, label):
    """The number behind the label in what rados bench prints at its end."""
    found = re.search(rf"^{re.escape(label)}\s*:\s*([\d.]+)", text, re.MULTILINE)
    if found is None:
        sys.exit(f"rados bench printed no '{label}':\n{text}")
    return float(found[1])
