"""HdrHistogram's own Python reader and writer, for record_hdr_codec_test.cc to be held against.

hdr.py read-log FILE   one line per interval: tag, count, percentiles
hdr.py write           for three histograms: the encoded text, then count and percentiles
"""
import random
import sys

from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

PERCENTILES = (50, 90, 95, 99, 99.9, 99.99)
HIGHEST = 2**45 - 1


def summary(histogram):
    values = [histogram.get_value_at_percentile(p) for p in PERCENTILES]
    return " ".join(str(v) for v in [histogram.get_total_count(), *values])


def read_log(path):
    reader = HistogramLogReader(path, HdrHistogram(1, HIGHEST, 3))
    while histogram := reader.get_next_interval_histogram():
        print(histogram.get_tag(), summary(histogram))


def write():
    for seed, median in ((1, 11), (2, 15), (3, 25)):
        source = random.Random(seed)
        histogram = HdrHistogram(1, HIGHEST, 3)
        for _ in range(10000):
            histogram.record_value(min(int(source.lognormvariate(median, 1.5)), HIGHEST))
        encoded = histogram.encode()
        print(encoded.decode() if isinstance(encoded, bytes) else encoded)
        print(summary(histogram))


if sys.argv[1] == "read-log":
    read_log(sys.argv[2])
else:
    write()
