"""Compares the figures of some operations with what a record says of them: counts, rates, latencies,
percentiles and histograms."""

import errno

import numpy

import analyser_hdr as hdr

MIB = 1 << 20
NAMES = {-2001: "HOLE", -2002: "SHORT_READ", -2003: "STALE", -2004: "CORRUPT", -2005: "LOST_WRITE",
         -2006: "NEVER_SENT", -2007: "MISDIRECTED", -2008: "TORN"}
SINCE = {"service": "submit_ns", "response": "intended_ns"}


class Differences:
    """What a record says otherwise than the trace: the place, the record's value and the true one."""

    def __init__(self):
        self.found = []

    def same(self, place, said, true):
        if said != true:
            self.found.append(f"{place}: {said} in the record, {true} by the trace")

    def near(self, place, said, true, within=1e-12):
        """Two floating-point results of the same sum in different orders, or a known error."""
        if said is None or true is None:
            return self.same(place, said, true)
        if abs(said - true) > within * max(1, abs(true)):
            self.found.append(f"{place}: {said} in the record, {true} by the trace")

    def check(self, place, holds, text):
        if not holds:
            self.found.append(f"{place}: {text}")


def errors_of(ops):
    found, counts = numpy.unique(ops.rows["rc"][ops.failed], return_counts=True)
    return {error_name(rc): count for rc, count in zip(found.tolist(), counts.tolist())}


def error_name(rc):
    return NAMES.get(rc) or errno.errorcode[-rc]


def amount_of(ops, mask):
    return {"ops": ops.count(mask), "bytes": int(ops.rows["bytes"][mask].sum())}


def check_summary(differences, place, said, ops):
    """One cell of totals or osds."""
    within = ops.rows["complete_ns"] <= ops.end_ns
    finished = amount_of(ops, ops.good & within)
    true = {"ops": ops.count(ops.timed), "bytes": int(ops.rows["bytes"][ops.timed].sum()),
            "finished": finished, "drained": amount_of(ops, ops.good & ~within),
            "errors": errors_of(ops), "cancelled": ops.count(ops.cancelled),
            "lost": ops.count(ops.lost), "late": ops.count(ops.late)}
    for key, value in true.items():
        differences.same(f"{place}.{key}", said[key], value)
    measured_s = ops.end_ns / 1e9
    rates = {"iops": finished["ops"], "mib_per_s": finished["bytes"] / MIB}
    for key, amount in rates.items():
        differences.near(f"{place}.{key}", said[key], amount / measured_s if measured_s else 0)
    for name, since in SINCE.items():
        check_latency(differences, f"{place}.{name}_us", said[f"{name}_us"],
                      ops.times(ops.timed, since), ops.waited(since))


def check_latency(differences, place, said, answered, lost):
    moments = {"mean": None, "min": None}
    if len(answered):
        moments = {"mean": int(answered.sum()) / len(answered) / 1000, "min": int(answered.min()) / 1000}
    for key, value in moments.items():
        differences.near(f"{place}.{key}", said[key], value)
    check_deviation(differences, f"{place}.stddev", said["stddev"], answered)
    known, at_least = ranked(hdr.Ranks(answered, lost))
    for key, value in known.items():
        differences.same(f"{place}.{key}", said[key], value)
    differences.same(f"{place}.at_least", said.get("at_least", {}), at_least)
    check_bounds(differences, place, said, hdr.Ranks(answered, lost))


def ranked(ranks):
    """The percentiles and the maximum in µs that are known, and lower bounds of the others."""
    known = dict.fromkeys([*hdr.QUANTILES, "max"])
    at_least = {}
    found = {key: ranks.percentile(quantile) for key, quantile in hdr.QUANTILES.items()}
    if len(ranks.all):
        found["max"] = (not len(ranks.lost), int(ranks.all[-1]), None)
    for key, value in found.items():
        if value is not None:
            (known if value[0] else at_least)[key] = value[1] / 1000
    return known, at_least


def check_bounds(differences, place, said, ranks):
    """Without a bucket's layout: a percentile is not below the operation of its rank, and not above it
    by more than a part in 1,024."""
    for key, quantile in hdr.QUANTILES.items():
        value = said[key] if said[key] is not None else said.get("at_least", {}).get(key)
        found = ranks.percentile(quantile)
        if value is None or found is None or found[2] > hdr.HIGHEST:
            continue
        true = found[2] / 1000
        differences.check(f"{place}.{key}", true <= value <= true * (1 + 2**-10),
                          f"{value} is not within a bucket of {true}")


def check_deviation(differences, place, said, answered):
    """The record has it from the buckets. That moves each operation by half a bucket at most, and the
    deviation by no more than the root mean square of these."""
    if not len(answered):
        return differences.same(place, said, None)
    true = float(numpy.std(answered))
    error = float(numpy.sqrt(numpy.mean((hdr.widths_of(answered) / 2.0) ** 2)))
    differences.check(place, abs(1000 * said - true) <= error + 1e-6 * true,
                      f"{said} in the record, {true / 1000} by the trace")


def check_histograms(differences, place, said, ops):
    for name, since in SINCE.items():
        times = ops.times(ops.timed, since)
        # A response time that is always the service time has no histogram of its own.
        check_histogram(differences, place, said, name, times,
                        "service" if name == "response" else None)
        check_histogram(differences, place, said, f"lost_{name}", ops.waited(since))


def check_histogram(differences, place, said, name, times, instead=None):
    text = said.get(name)
    if text is None and instead is not None:
        name, text = instead, said.get(instead)
    counts = hdr.decoded(text) if text else {}
    differences.same(f"{place}.{name}", counts, hdr.counts_of(times) if len(times) else {})
    exact = {"sum": int(times.sum()), "min": 0, "max": 0}
    if len(times):
        exact.update(min=int(times.min()), max=int(times.max()))
    said_exact = said.get(f"{name}_ns", {"sum": 0, "min": 0, "max": 0})
    differences.same(f"{place}.{name}_ns", said_exact, exact)
