"""The operations of a trace, and the pairs of a write and its flush, which have no row."""

import numpy

KINDS = ("read", "write", "flush", "discard", "omap-set", "omap-get", "stat", "create", "delete", "list",
         "sync")
WRITE, FLUSH, SYNC = KINDS.index("write"), KINDS.index("flush"), KINDS.index("sync")
CANCELLED, TIMED_OUT, UNANSWERED, UNISSUED = -125, -110, -2009, -2010
LOST = (CANCELLED, TIMED_OUT, UNANSWERED, UNISSUED)
LATE_NS = 1_000_000
UNKNOWN_OSD = -1


class Operations:
    """Some operations of a trace. What finished includes those that the warm-up had sent."""

    def __init__(self, rows, end_ns):
        self.rows, self.end_ns = rows, end_ns
        self.measured = rows["intended_ns"] >= 0
        self.good = rows["rc"] == 0
        self.lost = self.measured & numpy.isin(rows["rc"], LOST)
        self.unsent = rows["rc"] == UNISSUED
        self.answered = ~numpy.isin(rows["rc"], (UNANSWERED, UNISSUED))
        self.pair = rows["op"] == SYNC

    def __len__(self):
        return len(self.rows)

    def take(self, mask):
        return Operations(self.rows[mask], self.end_ns)

    def kind(self, number):
        return self.take(self.rows["op"] == number)

    def osd(self, number):
        return self.take(self.rows["osd"] == number)

    def singles(self):
        """Without pairs, which consist of two operations that are counted already."""
        return self.take(~self.pair)

    def count(self, mask):
        return int(numpy.count_nonzero(mask))

    @property
    def timed(self):
        """The operations behind the latencies."""
        return self.measured & self.good

    @property
    def failed(self):
        return self.measured & self.answered & ~self.good & (self.rows["rc"] != CANCELLED) & ~self.pair

    @property
    def cancelled(self):
        return self.measured & (self.rows["rc"] == CANCELLED) & ~self.pair

    @property
    def late(self):
        """Sent late, and ended: the record does not count as late what was never answered."""
        delay = self.rows["submit_ns"] - self.rows["intended_ns"]
        return self.measured & self.answered & (delay > LATE_NS) & ~self.pair

    def times(self, mask, since):
        chosen = self.rows[mask]
        return chosen["complete_ns"] - chosen[since]

    def waited(self, since):
        """How long lost ones had waited; those that were never sent have no service time."""
        lost = self.lost & ~self.unsent if since == "submit_ns" else self.lost
        return self.times(lost, since)

    def kinds(self):
        """Those that a record has figures of, by number."""
        counted = (self.good & ~self.unsent) | self.lost | self.failed
        return sorted(set(self.rows["op"][counted].tolist()))

    def osds(self):
        return sorted(set(self.rows["osd"].tolist()) - {UNKNOWN_OSD})


def with_pairs(rows):
    """The rows, and one for each pair, with the times of the write and the end of the flush."""
    flushes = rows[rows["op"] == FLUSH]
    if not len(flushes):
        return rows
    writes = rows[(rows["op"] == WRITE) & (rows["rc"] == 0)]
    by_end = {}
    for write in writes:
        by_end.setdefault(_end_of(write), []).append(write)
    # All writes have the same length. That of a write without a row is known only so.
    length = int(rows["bytes"][rows["op"] == WRITE].max(initial=0))
    pairs = [_pair(by_end, flush, length) for flush in flushes]
    # A write that was lost has no flush: the pair is lost with it.
    lost = rows[(rows["op"] == WRITE) & numpy.isin(rows["rc"], LOST) & (rows["intended_ns"] >= 0)].copy()
    lost["op"] = SYNC
    found = [pair for pair in pairs if pair is not None]
    return numpy.concatenate([rows, numpy.array(found, rows.dtype).reshape(-1), lost])


def _end_of(write):
    return int(write["client"]), int(write["osd"]), int(write["complete_ns"])


def _pair(by_end, flush, length):
    """A flush is due when its write is answered. It fails as a pair only if it is lost."""
    key = int(flush["client"]), int(flush["osd"]), int(flush["intended_ns"])
    waiting = by_end.get(key)
    pair = flush.copy()
    pair["op"] = SYNC
    pair["bytes"] = length
    if waiting:
        write = waiting.pop(0)
        for column in ("intended_ns", "submit_ns"):
            pair[column] = write[column]
    else:
        # The warm-up's write was answered before the measured phase, and has no row.
        pair["intended_ns"] = min(int(pair["intended_ns"]), -1)
    good = flush["rc"] == 0
    lost = flush["rc"] in LOST and pair["intended_ns"] >= 0
    return pair if good or lost else None
