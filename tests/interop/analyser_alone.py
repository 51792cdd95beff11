"""What a record must agree on with itself, for records that have no trace: of a step of a series."""

import numpy

import analyser_hdr as hdr
from analyser_cells import MIB, SINCE, Differences
from analyser_rows import check_sums



def contradictions_in(record):
    """All places in which a figure is not that of the record's own histograms and counts."""
    differences = Differences()
    for scope, kinds in record["histograms"].items():
        cells = record["totals"] if scope == "all" else record["osds"][scope]
        for kind, histograms in kinds.items():
            check_cell(differences, f"{scope}.{kind}", cells[kind], histograms, record["measured_s"])
    check_all(differences, record)
    check_sums(differences, record, record["timeline"])
    return differences.found


def check_cell(differences, place, cell, histograms, measured_s):
    finished = cell["finished"]
    differences.near(f"{place}.iops", cell["iops"], finished["ops"] / measured_s)
    differences.near(f"{place}.mib_per_s", cell["mib_per_s"], finished["bytes"] / MIB / measured_s)
    for name in SINCE:
        own = name if name in histograms else "service"
        answered = counts_in(histograms, own)
        lost = counts_in(histograms, f"lost_{name}")
        exact = histograms[f"{own}_ns"]
        latency = cell[f"{name}_us"]
        differences.same(f"{place}.{name} histogram", sum(answered.values()), cell["ops"])
        if cell["ops"]:
            differences.near(f"{place}.{name}.mean", latency["mean"], exact["sum"] / cell["ops"] / 1000)
            differences.same(f"{place}.{name}.min", latency["min"], exact["min"] / 1000)
        check_percentiles(differences, f"{place}.{name}", latency, answered, lost)
    differences.same(f"{place}.lost", sum(lost.values()), cell["lost"])


def counts_in(histograms, name):
    return hdr.decoded(histograms[name]) if name in histograms else {}


def check_percentiles(differences, place, said, answered, lost):
    """By buckets: a figure is known if its rank is in one bucket both times, and lies in that bucket."""
    low, high = numpy.array(expanded(answered, lost)), numpy.array(expanded(answered, {}))
    for key, quantile in hdr.QUANTILES.items():
        value, bound = said[key], said.get("at_least", {}).get(key)
        if len(low) < hdr.needed(quantile):
            differences.same(f"{place}.{key}", (value, bound), (None, None))
            continue
        rank = hdr.rank_of(quantile, len(low))
        known = rank <= len(high) and high[rank - 1] == low[rank - 1]
        shown, other = (value, bound) if known else (bound, value)
        differences.same(f"{place}.{key}, the other figure", other, None)
        if shown is None:
            differences.same(f"{place}.{key}", shown, "a figure")
        else:
            bucket = int(hdr.buckets_of(round(1000 * shown)))
            differences.same(f"{place}.{key}, its bucket", bucket, int(low[rank - 1]))


def expanded(counts, more):
    """A bucket for each operation, in order."""
    buckets = [*counts, *more]
    return numpy.sort(numpy.repeat(buckets, [*counts.values(), *more.values()])) if buckets else []


def check_all(differences, record):
    totals = record["totals"]
    singles = [cell for name, cell in totals.items() if name not in ("all", "sync")]
    for key in ("ops", "bytes", "cancelled", "lost", "late"):
        differences.same(f"totals.all.{key}", totals["all"][key], sum(cell[key] for cell in singles))
    measured = record["counts"]["measured"]
    differences.same("counts.measured.completed", measured["completed"], totals["all"]["ops"])
    differences.same("counts.measured.failed", measured["failed"], sum(totals["all"]["errors"].values()))
    differences.same("counts.measured.cancelled", measured["cancelled"], totals["all"]["cancelled"])
    for kind, cell in totals.items():
        of_osds = [kinds[kind] for kinds in record["osds"].values() if kind in kinds]
        if kind != "all":
            differences.same(f"osds, sum of {kind}", sum(osd["ops"] for osd in of_osds), cell["ops"])
