"""Whether looking at operations in flight shows in the figures: latencies with the route sampler and
without, and with it again, which shows the noise. Needs root: the sampler is kept off by a read-only
/tmp in a mount namespace, where it finds no place for its socket.

usage: sampler_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 1,64]
                       [--rounds 20] [--seconds 3]                   CEPH_CONF names the cluster
"""

import os
import sys

from variants import command_for, compare, cpu_of, record_of, without_store, words_of

KEPT_OFF = ["unshare", "--mount", "sh", "-c",
            'mount -t tmpfs -o ro tmpfs /tmp && exec "$0" "$@"']
# At depth 1 a short run may have none whenever the sampler looks; it looked nevertheless.
NONE_IN_FLIGHT = "no operation was in flight when samples were taken"
NOWHERE = {"XDG_RUNTIME_DIR": "/dev/null/nowhere", "TMPDIR": "/dev/null/nowhere"}


def main():
    words = words_of(depths="1,64")

    def with_it(depth):
        record = record_of(command_for(words, depth))
        if record["routing"]["unsampled"] not in (None, "", NONE_IN_FLIGHT):
            sys.exit(f"nothing was sampled: {record['routing']['unsampled']}")
        return record

    def without_it(depth):
        record = record_of(KEPT_OFF + command_for(words, depth), env=os.environ | NOWHERE)
        if record["routing"]["unsampled"] in (None, "", NONE_IN_FLIGHT):
            sys.exit("the sampler was not kept off")
        return record

    def latency(name):
        return lambda record: record["totals"]["all"]["service_us"][name]

    variants = {"without": without_it, "with": with_it, "with again": with_it}
    figures = {name: latency(name) for name in ("p50", "p99", "p99.9", "max")}
    figures["CPU per operation"] = cpu_of
    without_store(lambda: compare(words, variants, "without", figures))


if __name__ == "__main__":
    main()
