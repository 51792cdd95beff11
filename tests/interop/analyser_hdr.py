"""The buckets of HdrHistogram with three significant digits, and what can be ranked in them."""

import base64
import math
import struct
import zlib

import numpy

# Buckets are one nanosecond wide up to 2,048 ns; above, each doubling is divided into 1,024.
LINEAR_BITS = 11
HIGHEST = 2**45 - 1
QUANTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99.9": 0.999, "p99.99": 0.9999}
PARTS = 1_000_000
COOKIES = (0x1C849314, 0x1C849313)  # deflated, and plain inside
PLAIN_HEADER = struct.Struct(">IIIIQQd")


def buckets_of(values):
    """The bucket of each of the times, in ns."""
    values = numpy.minimum(numpy.asarray(values, "i8"), HIGHEST)
    # frexp is exact below 2^53: the exponent is the number of bits.
    bits = numpy.frexp(numpy.maximum(values, 1).astype(float))[1]
    octave = numpy.maximum(bits - LINEAR_BITS, 0).astype("i8")
    return (octave << (LINEAR_BITS - 1)) + (values >> octave)


def widths_of(values):
    """How wide the bucket of each of the times is, in ns."""
    bits = numpy.frexp(numpy.maximum(numpy.asarray(values, "i8"), 1).astype(float))[1]
    return 1 << numpy.maximum(bits - LINEAR_BITS, 0).astype("i8")


def highest_in_bucket_of(value):
    width = int(widths_of(value))
    return value // width * width + width - 1


def counts_of(values):
    """How many of the times each bucket holds, without the empty ones."""
    found, counts = numpy.unique(buckets_of(values), return_counts=True)
    return dict(zip(found.tolist(), counts.tolist()))


def decoded(text):
    """The counts in the text form of a histogram: HdrHistogram V2, deflated, base64."""
    raw = base64.b64decode(text, validate=True)
    cookie, length = struct.unpack_from(">II", raw)
    plain = zlib.decompress(raw[8:8 + length])
    inner, size, offset, digits, lowest, highest, ratio = PLAIN_HEADER.unpack_from(plain)
    if (cookie, inner) != COOKIES or (offset, digits, lowest, highest, ratio) != (0, 3, 1, HIGHEST, 1):
        raise ValueError("no histogram of three digits from 1 ns to 2^45 ns")
    return _counts_in(plain[PLAIN_HEADER.size:PLAIN_HEADER.size + size])


def _counts_in(payload):
    counts, bucket, place = {}, 0, 0
    while place < len(payload):
        number, shift = 0, 0
        while True:
            byte = payload[place]
            place += 1
            # Seven bits a byte; the ninth carries eight.
            number |= (byte if shift == 56 else byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 or shift == 63:
                break
        value = (number >> 1) ^ -(number & 1)
        if value > 0:
            counts[bucket] = value
        # A negative number skips so many empty buckets.
        bucket += max(1, -value)
    return counts


def needed(quantile):
    """How many operations a percentile needs: with fewer, its 95 % interval has no upper end."""
    farther = max(quantile, 1 - quantile)
    return math.ceil(math.log(0.025) / math.log(farther))


def rank_of(quantile, count):
    """Nearest rank, from 1, in whole numbers: 0.999 of 1,000 is 999, and not 1,000 by rounding."""
    return max(1, -(-round(quantile * PARTS) * count // PARTS))


class Ranks:
    """Times of answered operations, and how long lost ones had waited; both in ns."""

    def __init__(self, answered, lost):
        self.answered = numpy.sort(numpy.asarray(answered, "i8"))
        self.lost = numpy.asarray(lost, "i8")
        self.all = numpy.sort(numpy.concatenate([self.answered, self.lost]))

    def percentile(self, quantile):
        """None with too few operations; otherwise whether it is known, and its lower bound."""
        if len(self.all) < needed(quantile):
            return None
        rank = rank_of(quantile, len(self.all))
        # If each lost operation had been answered when it was given up ...
        low = int(self.all[rank - 1])
        # ... and if none of them ever had been.
        high = int(self.answered[rank - 1]) if rank <= len(self.answered) else None
        known = high is not None and buckets_of(low) == buckets_of(high)
        most = self.answered[-1] if known else self.all[-1]
        return bool(known), min(highest_in_bucket_of(low), int(most)), low

    def exact(self, quantile):
        """What a row shows, in µs: nothing where too little is known."""
        found = self.percentile(quantile)
        return found[1] / 1000 if found and found[0] else None
