"""Sizes as people write them: binary multiples, `8G`, `120M`, `none`."""

import re

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
