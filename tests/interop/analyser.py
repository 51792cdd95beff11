"""Computes the figures of a run from its trace, with nothing of the program, and compares the record."""

import math

import numpy

import analyser_hdr as hdr
from analyser_cells import Differences, check_histogram, check_histograms, check_summary, error_name
from analyser_rows import SECOND, check_timeline, ns
from analyser_trace import CANCELLED, FLUSH, KINDS, UNANSWERED, Operations, with_pairs


def differences_of(record, rows):
    """All places in which the record says otherwise than the rows of its trace; none: it is right."""
    differences = Differences()
    ops = Operations(with_pairs(rows), ns(record["measured_s"]))
    check_counts(differences, record, ops.singles())
    check_totals(differences, record, ops)
    check_osds(differences, record, ops)
    check_lateness(differences, record, ops.singles())
    check_slowest(differences, record, ops.singles())
    check_arrivals(differences, record, ops.singles())
    check_timeline(differences, record, ops)
    return differences.found


def check_counts(differences, record, ops):
    counts = record["counts"]
    differences.same("counts.measured", counts["measured"], flow_of(ops, ops.measured & ~ops.unsent))
    differences.same("counts.carried", counts["carried"], flow_of(ops, ~ops.measured))
    differences.same("counts.unissued", counts["unissued"], ops.count(ops.unsent))
    # The rows know those of the measured phase; those of the warm-up are in no row.
    before = counts["unmeasured"]
    silent = before["submitted"] - before["completed"] - before["failed"] - before["cancelled"]
    unanswered = ops.count(ops.rows["rc"] == UNANSWERED)
    differences.same("counts.unfinished", counts["unfinished"], unanswered + silent)
    # A cancellation counts as an answer here.
    ended = ops.rows["complete_ns"][ops.answered]
    last = int(ended.max(initial=ops.end_ns))
    differences.same("last_answer_s", ns(record["last_answer_s"]), last)


def flow_of(ops, some):
    cancelled = some & (ops.rows["rc"] == CANCELLED)
    return {"submitted": ops.count(some), "completed": ops.count(some & ops.good),
            "failed": ops.count(some & ops.answered & ~ops.good & ~cancelled),
            "cancelled": ops.count(cancelled)}


def check_totals(differences, record, ops):
    kinds = {KINDS[number]: ops.kind(number) for number in ops.kinds()}
    totals, histograms = record["totals"], record["histograms"]["all"]
    differences.same("totals", sorted(totals), sorted([*kinds, "all"]))
    differences.same("histograms.all", sorted(histograms), sorted(kinds))
    check_summary(differences, "totals.all", totals["all"], ops.singles())
    for name, some in kinds.items():
        if name in totals and name in histograms:
            check_summary(differences, f"totals.{name}", totals[name], some)
            check_histograms(differences, f"histograms.all.{name}", histograms[name], some)


def check_osds(differences, record, ops):
    cells = {(f"osd.{osd}", KINDS[kind]): ops.osd(osd).kind(kind)
             for osd in ops.osds() for kind in ops.osd(osd).kinds()}
    said = [(osd, kind) for osd, kinds in record["osds"].items() for kind in kinds]
    differences.same("osds", sorted(said), sorted(cells))
    for osd, kind in sorted(set(said) & set(cells)):
        some = cells[osd, kind]
        check_summary(differences, f"osds.{osd}.{kind}", record["osds"][osd][kind], some)
        check_histograms(differences, f"histograms.{osd}.{kind}", record["histograms"][osd][kind], some)


def check_lateness(differences, record, ops):
    """Of all that was sent and ended. A flush is sent after its write, and has no time of its own."""
    if record["plan"]["rate"] is None:
        return differences.same("late_us", record["late_us"], None)
    sent = ops.take(ops.measured & ops.answered & (ops.rows["op"] != FLUSH))
    delays = sent.rows["submit_ns"] - sent.rows["intended_ns"]
    ranks = hdr.Ranks(delays, [])
    true = None
    if len(delays):
        true = {"p50": ranks.exact(0.5), "p99": ranks.exact(0.99), "max": int(delays.max()) / 1000}
    differences.same("late_us", record["late_us"], true)
    check_histogram(differences, "lateness", record, "lateness", delays)


def check_slowest(differences, record, ops):
    """Of those that were sent, in the order of their response times. Which of several equal ones are
    listed is not defined, so each entry is looked for."""
    ops = ops.take(ops.measured & ~ops.unsent)
    response = numpy.sort(ops.rows["complete_ns"] - ops.rows["intended_ns"])[::-1]
    said = record["slowest"]
    wanted = min(record["plan"]["slowest"], len(response))
    differences.same("slowest, response times", [round(1000 * slow["response_us"]) for slow in said],
                     response[:wanted].tolist())
    known = {}
    # Only rows that are slow enough, since a trace may be long.
    limit = response[wanted - 1] if wanted else 0
    for row in ops.rows[ops.rows["complete_ns"] - ops.rows["intended_ns"] >= limit]:
        known[slow_of_row(row)] = known.get(slow_of_row(row), 0) + 1
    for number, slow in enumerate(said):
        key = slow_of_record(slow)
        known[key] = known.get(key, 0) - 1
        differences.check(f"slowest[{number}]", known[key] >= 0, f"the trace has no operation {key}")


def slow_of_row(row):
    outcome = "ok" if row["rc"] == 0 else "unanswered" if row["rc"] == UNANSWERED else error_name(row["rc"])
    osd = f"osd.{row['osd']}" if row["osd"] >= 0 else None
    sent, end = int(row["submit_ns"]), int(row["complete_ns"])
    return KINDS[row["op"]], osd, sent, end - sent, end - int(row["intended_ns"]), outcome


def slow_of_record(slow):
    return (slow["op"], slow["osd"], ns(slow["t_s"]), round(1000 * slow["service_us"]),
            round(1000 * slow["response_us"]), slow["outcome"])


def check_arrivals(differences, record, ops):
    """Whether the operations were due at the rate and by the law of the plan."""
    if record["plan"]["rate"] is None or record["ended_by"] != "time":
        return
    rate, _, law = record["plan"]["rate"].partition("/s,")
    own = ops.take(ops.measured & (ops.rows["op"] != FLUSH))
    due = numpy.sort(own.rows["intended_ns"])
    expected = float(rate) * ops.end_ns / SECOND
    if law == "constant":
        differences.check("arrivals", abs(len(due) - expected) <= 1, f"{len(due)}, not {expected}")
        gaps = numpy.diff(due) - SECOND / float(rate)
        differences.check("arrivals", not len(gaps) or abs(gaps).max() < 1, "the gaps are not equal")
        return
    differences.check("arrivals", abs(len(due) - expected) <= 5 * math.sqrt(expected) + 1,
                      f"{len(due)}, not about {expected}")
    for client in set(own.rows["client"].tolist()):
        check_poisson(differences, numpy.sort(own.rows["intended_ns"][own.rows["client"] == client]))


def check_poisson(differences, due):
    """Kolmogorov-Smirnov: an exponential law is further away in one of 3,000 cases."""
    gaps = numpy.sort(numpy.diff(due))
    if len(gaps) < 100:
        return
    law = 1 - numpy.exp(-gaps / gaps.mean())
    places = numpy.arange(len(gaps) + 1) / len(gaps)
    distance = max(abs(law - places[1:]).max(), abs(law - places[:-1]).max())
    differences.check("arrivals", distance * math.sqrt(len(gaps)) < 2.1, "the gaps are not exponential")
