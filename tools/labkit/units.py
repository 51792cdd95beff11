"""Sizes and durations as people write them: `8G`, `120M`; `2ms`, `500us`."""

import re

_US = {"us": 1, "ms": 1_000, "s": 1_000_000}
_FACTOR = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_size(text):
    """`4k`, `120M`, `8GiB` or a number of bytes. ValueError for anything else."""
    match = re.fullmatch(r"\s*(\d+)\s*([kmgt]?)(i?b)?\s*", str(text).lower())
    if not match:
        raise ValueError(f"'{text}' is not a size (write 4k, 120M or 8G)")
    return int(match.group(1)) * _FACTOR[match.group(2)]


def format_size(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} TiB"


def parse_duration(text):
    """`500us`, `2ms`, `1.5s`, in microseconds. ValueError for anything else."""
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,6})?)\s*(us|ms|s)\s*", str(text).lower())
    if not match:
        raise ValueError(f"'{text}' is not a duration (write 500us, 2ms or 1s)")
    return round(float(match.group(1)) * _US[match.group(2)])


def format_duration(us):
    for unit in ("s", "ms"):
        if us >= _US[unit]:
            return f"{us / _US[unit]:.4g} {unit}"
    return f"{us} us"
