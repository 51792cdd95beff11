"""The timeline of a record: its rows follow each other without a gap, and each has the figures of what
ended in it."""

import numpy

import analyser_hdr as hdr
from analyser_cells import errors_of
from analyser_trace import CANCELLED, KINDS

SECOND = 10**9
HOUR = 3600 * SECOND
# A long run keeps no more than so many OSDs in an old row.
OSDS_OF_OLD_ROWS = 24
NEVER = numpy.iinfo("i8").max
EMPTY = {"ops": 0, "bytes": 0, "timed_ops": 0, "late": 0, "errors": {}, "kinds": {}, "osds": {},
         "service_us": dict.fromkeys(("last", "mean", "min", "max")),
         **dict.fromkeys(("mean_us", "mean_service_us", "p50_us", "p99_us", "max_us"))}


def ns(seconds):
    return round(seconds * SECOND)


def check_timeline(differences, record, ops):
    rows = record["timeline"]
    check_sums(differences, record, rows)
    # In real time a row ends a little later than its second, and its operations are those of that moment.
    if "threads=" in record["plan"]["sim"]:
        return
    check_grid(differences, record, rows)
    moments = moments_of(rows, ops)
    # In the order in which they were counted: a row's operations follow each other.
    order = numpy.argsort(moments, kind="stable")
    ops, moments = ops.take(order), moments[order]
    flow = Flow(record, ops.singles(), moments[~ops.pair])
    first = 0
    for number, row in enumerate(rows):
        place = f"timeline[{number}]"
        # What was given up or never sent at the end of the run is in the last row.
        last = number == len(rows) - 1
        behind = len(ops) if last else int(numpy.searchsorted(moments, end_of(row), "right"))
        check_row(differences, place, row, ops.take(slice(first, behind)))
        flow.check(differences, place, row, last)
        first = behind


def end_of(row):
    return ns(row["t_s"]) + ns(row["length_s"])


def moments_of(rows, ops):
    """When each operation was counted: when it ended, or at the end of the run if it never did."""
    moments = ops.rows["complete_ns"].copy()
    for row in rows:
        if row["flow"]["cancelled"]:
            # The drain ended with the row before, and its operations were cancelled after that.
            moments[(ops.rows["rc"] == CANCELLED) & (moments == ns(row["t_s"]))] += 1
    moments[~ops.answered] = NEVER
    return moments


class Flow:
    """What was sent and what was in flight, from row to row."""

    def __init__(self, record, ops, moments):
        self.said = 0
        self.sent = numpy.sort(ops.rows["submit_ns"][ops.measured & ~ops.unsent])
        # Operations of the warm-up may be sent in the measured phase, if they were due before it.
        self.sent_of_warmup = numpy.sort(ops.rows["submit_ns"][~ops.measured])
        # The moments are in order.
        self.ended = moments[ops.answered]
        before = record["counts"]["unmeasured"]
        # Operations of the warm-up that were never answered have no row.
        self.silent = before["submitted"] - before["completed"] - before["failed"] - before["cancelled"]

    def check(self, differences, place, row, last):
        """What is sent at the moment in which a row ends may be in the next one."""
        end = end_of(row)
        self.said += row["flow"]["submitted"]
        least, most = (int(numpy.searchsorted(self.sent, end, side)) for side in ("left", "right"))
        differences.check(f"{place}.flow.submitted", least <= self.said <= most,
                          f"{self.said} up to here in the record, {least} to {most} by the trace")
        ended = len(self.ended) if last else int(numpy.searchsorted(self.ended, end, "right"))
        known = self.said + self.silent - ended
        least, most = (known + int(numpy.searchsorted(self.sent_of_warmup, end, side))
                       for side in ("left", "right"))
        differences.check(f"{place}.in_flight", least <= row["in_flight"] <= most,
                          f"{row['in_flight']} in the record, {least} to {most} by the trace")


def check_grid(differences, record, rows):
    """Seconds from the start of the measured phase, and anew from the start of the drain."""
    drain = [ns(event["t_s"]) for event in record["events"]
             if (event["kind"], event["text"]) == ("phase", "drain")]
    begin = 0
    newest = end_of(rows[-1]) if rows else 0
    for number, row in enumerate(rows):
        place = f"timeline[{number}]"
        start, length = ns(row["t_s"]), ns(row["length_s"])
        differences.same(f"{place}.t_s", start, begin)
        if number < len(rows) - 1 and start + length not in drain:
            age = newest - start
            # A shorter run keeps its seconds, however long its drain is.
            lengths = lengths_at(age) if record["measured_s"] > 3600 else {SECOND}
            differences.check(f"{place}.length_s", length in lengths,
                              f"{length / SECOND} s, at an age of {age / SECOND} s")
        begin = start + length


def lengths_at(age):
    """A row becomes a part of a longer one when that one has the age. The first step is at half an hour
    or an hour."""
    lengths = {SECOND} if age <= HOUR + 10 * SECOND else set()
    if HOUR // 2 <= age <= 2 * HOUR + 60 * SECOND:
        lengths.add(10 * SECOND)
    if age >= 2 * HOUR:
        lengths.add(60 * SECOND)
    return lengths


def check_row(differences, place, row, ops):
    if not len(ops):
        return check_empty_row(differences, place, row)
    singles = ops.singles()
    check_figures(differences, place, row, singles)
    differences.same(f"{place}.late", row["late"], singles.count(singles.late))
    check_service(differences, f"{place}.service_us", row["service_us"], singles)
    check_flow(differences, place, row["flow"], singles)
    kinds = {KINDS[number]: ops.kind(number) for number in ops.kinds()}
    differences.same(f"{place}.kinds", sorted(row["kinds"]), sorted(kinds))
    for name, some in kinds.items():
        check_figures(differences, f"{place}.kinds.{name}", row["kinds"].get(name, {}), some)
    osds = {f"osd.{number}": singles.osd(number) for number in singles.osds()}
    osds = {name: some for name, some in osds.items() if some.kinds()}
    if len(osds) <= OSDS_OF_OLD_ROWS:
        differences.same(f"{place}.osds", sorted(row["osds"]), sorted(osds))
    for name in sorted(set(row["osds"]) & set(osds)):
        check_figures(differences, f"{place}.osds.{name}", row["osds"][name], osds[name])


def check_empty_row(differences, place, row):
    """The same as below, in a tenth of the time: most rows of a long run with few operations are empty."""
    for key, value in EMPTY.items():
        differences.same(f"{place}.{key}", row[key], value)
    for key in ("completed", "failed", "cancelled"):
        differences.same(f"{place}.flow.{key}", row["flow"][key], 0)


def check_figures(differences, place, said, ops):
    """What a row says of all operations, of those of a kind, or of those of an OSD."""
    response = ops.times(ops.timed, "intended_ns")
    service = ops.times(ops.timed, "submit_ns")
    ranks = hdr.Ranks(response, ops.waited("intended_ns"))
    done = ops.good
    true = {"ops": ops.count(done), "bytes": int(ops.rows["bytes"][done].sum()),
            "timed_ops": len(response), "errors": errors_of(ops),
            "mean_us": mean_us(response), "mean_service_us": mean_us(service),
            "p50_us": ranks.exact(0.5), "p99_us": ranks.exact(0.99),
            "max_us": int(response.max()) / 1000 if len(response) else None}
    defaults = {"timed_ops": said.get("ops"), "errors": {}, "mean_service_us": said.get("mean_us")}
    for key, value in true.items():
        differences.same(f"{place}.{key}", said.get(key, defaults.get(key)), value)


def mean_us(times):
    """To the nanosecond, a half away from zero."""
    return (2 * int(times.sum()) + len(times)) // (2 * len(times)) / 1000 if len(times) else None


def check_service(differences, place, said, ops):
    times = ops.times(ops.timed, "submit_ns")
    true = dict.fromkeys(("mean", "min", "max"))
    last = [None]
    if len(times):
        ends = ops.rows["complete_ns"][ops.timed]
        # Several may end at the same moment.
        last = (times[ends == ends.max()] / 1000).tolist()
        true = {"mean": mean_us(times), "min": int(times.min()) / 1000, "max": int(times.max()) / 1000}
    differences.check(f"{place}.last", said["last"] in last, f"{said['last']} is none of {last[:5]}")
    differences.same(place, {key: said[key] for key in true}, true)


def check_flow(differences, place, said, ops):
    true = {"completed": ops.count(ops.timed), "failed": ops.count(ops.failed),
            "cancelled": ops.count(ops.cancelled)}
    differences.same(f"{place}.flow", {key: said[key] for key in true}, true)


def check_sums(differences, record, rows):
    """The rows are the whole run."""
    total = record["totals"]["all"]
    differences.same("timeline, sum of ops", sum(row["ops"] for row in rows),
                     total["finished"]["ops"] + total["drained"]["ops"])
    differences.same("timeline, sum of bytes", sum(row["bytes"] for row in rows),
                     total["finished"]["bytes"] + total["drained"]["bytes"])
    for key, value in record["counts"]["measured"].items():
        differences.same(f"timeline, sum of flow.{key}", sum(row["flow"][key] for row in rows), value)
