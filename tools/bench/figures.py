"""What the benchmarks share: medians of ratios with bootstrap intervals."""

import random
import statistics

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
