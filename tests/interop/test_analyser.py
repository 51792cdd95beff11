"""The record of a run says what its trace says: an analyser that shares nothing with the program
computes every figure anew, and names each that is wrong."""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

import analyser_hdr as hdr
import analyser_scenarios as scenarios
from analyser import differences_of
from analyser_alone import contradictions_in
from analyser_cells import Differences, check_summary
from analyser_trace import KINDS, Operations

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import own_home  # noqa: E402  (the path has to be known first)

PROGRAM = Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")
LIMIT_S = 100
LEAST_SCENARIOS = 40


def call(folder, *words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=folder,
                          timeout=LIMIT_S, check=False, env=own_home.environment(folder))
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return done.stdout


def measured(folder, sim, *words, name="run"):
    """The record of a run, and the rows of its trace."""
    (folder / f"{name}.npy").unlink(missing_ok=True)
    defaults = {"--warmup": "1s", "--seed": "1", "--save": "none"}
    more = [word for option, value in defaults.items() if option not in words for word in (option, value)]
    text = call(folder, "run", "--target", "sim", "--sim", sim, "--no-progress", "--trace", f"{name}.npy",
                "--json", *more, *words)
    return json.loads(text), numpy.load(folder / f"{name}.npy", mmap_mode="r")


class Runs(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def nothing_differs(self, differences):
        self.assertEqual(differences, [], "\n".join(differences[:20]))


def figure_at(figures, path):
    for key in path.split("/"):
        figures = figures.get(key, {})
    return figures


class Scenarios(Runs):
    def check(self, table):
        for name, sim, words, sign in table:
            with self.subTest(name, sim=sim, words=words):
                record, rows = measured(self.folder, sim, *words.split())
                self.assertTrue(figure_at(record["totals"]["all"], sign), sign)
                self.nothing_differs(differences_of(record, rows))
                self.nothing_differs(contradictions_in(record))

    def test_there_are_enough_of_them(self):
        self.assertGreaterEqual(len({name for name, *_ in scenarios.ALL}), LEAST_SCENARIOS)

    def test_closed_loops(self):
        self.check(scenarios.CLOSED)

    def test_open_loops(self):
        self.check(scenarios.OPEN)

    def test_errors(self):
        self.check(scenarios.ERRORS)

    def test_stalls_and_drains(self):
        self.check(scenarios.STALLS)

    def test_lost_operations(self):
        self.check(scenarios.LOST)

    def test_writes_with_their_flushes(self):
        self.check(scenarios.PAIRS)

    def test_patterns(self):
        self.check(scenarios.PATTERNS)

    def test_long_runs_with_aged_timelines(self):
        self.check(scenarios.AGED)


class Several(Runs):
    """Figures that several runs make together, or that other commands show."""

    SIM = "latency=exp:5ms,osds=3,error=EIO:0.02,stall=2s:1500ms"
    WORDS = "--pattern randrw4k,qd=8 --rate 300,poisson --time 4s"

    def two(self):
        return [measured(self.folder, self.SIM, *self.WORDS.split(), "--seed", seed, "--save",
                         f"{name}.json", name=name)
                for name, seed in (("one", "1"), ("two", "2"))]

    def test_traces_read_as_one_have_the_figures_of_all_rows(self):
        (record, one), (_, two) = self.two()
        joint = json.loads(call(self.folder, "trace", "one.npy", "two.npy", "--json"))
        ops = Operations(numpy.concatenate([one, two]), round(1e9 * record["measured_s"]))
        differences = Differences()
        differences.same("rows", joint["rows"], len(ops))
        check_summary(differences, "totals.all", joint["totals"]["all"], ops)
        for kind in ops.kinds():
            check_summary(differences, KINDS[kind], joint["totals"][KINDS[kind]], ops.kind(kind))
        for osd in ops.osds():
            for kind in ops.osd(osd).kinds():
                check_summary(differences, f"osd.{osd}", joint["osds"][f"osd.{osd}"][KINDS[kind]],
                              ops.osd(osd).kind(kind))
        self.nothing_differs(differences.found)

    def test_deviation_of_iops_counts_seconds_without_an_answer(self):
        runs = self.two()
        compared = json.loads(call(self.folder, "compare", "one.json", "two.json", "--json"))
        shown = {row["op"]: row["values"] for row in compared["rows"] if row["metric"] == "iops_stddev"}
        for place, (record, rows) in enumerate(runs):
            ends = numpy.arange(round(record["measured_s"]) + 1) * 10**9
            for name in record["totals"]:
                some = rows[(rows["rc"] == 0) & ((name == "all") | (rows["op"] == kind_number(name)))]
                # A moment in which a second ends belongs to it.
                counts = numpy.histogram(some["complete_ns"] - 1, ends)[0]
                self.assertIn(0, counts, "the stall lasts longer than a second")
                self.assertAlmostEqual(shown[name][place], numpy.std(counts, ddof=1), places=6)
        bench = call(self.folder, "report", "one.json", "--format", "rados-bench")
        printed = float(re.search(r"^Stddev IOPS: +(\S+)", bench, re.MULTILINE)[1])
        self.assertAlmostEqual(printed, shown["all"][0], delta=1e-5 * printed)

    def test_steps_of_a_sweep_are_runs_of_their_own(self):
        words = ["--rate", "300", "--time", "2s"]
        series = json.loads(call(self.folder, "run", "--target", "sim", "--sim", self.SIM, "--pattern",
                                 "randrw4k,qd=8:9", *words, "--warmup", "1s", "--no-progress", "--json"))
        self.assertEqual([step["record"]["plan"]["qd"] for step in series["steps"]], [8, 9])
        for step in series["steps"]:
            depth, seed = step["plan"]["qd"], step["plan"]["seed"]
            alone, rows = measured(self.folder, self.SIM, "--pattern", f"randrw4k,qd={depth}", *words,
                                   "--seed", str(seed))
            self.nothing_differs(contradictions_in(step["record"]))
            # A series has no trace. In virtual time the same seed gives the same operations.
            for key in ("counts", "totals", "osds", "timeline", "histograms", "late_us"):
                self.assertEqual(step["record"][key], alone[key], key)
            self.nothing_differs(differences_of(alone, rows))


def kind_number(name):
    return KINDS.index(name) if name in KINDS else -1


class Mutations(Runs):
    """The analyser names what is wrong with a record, and nothing else."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as place:
            cls.record, rows = measured(
                Path(place), "latency=exp:5ms,lost=0.002,osds=3", "--pattern", "randread4k,qd=32", "--rate",
                "400", "--time", "3s", "--drain", "1s")
            cls.rows = numpy.array(rows)

    def named(self, change):
        wrong = copy.deepcopy(self.record)
        change(wrong)
        return [text.split(":")[0] for text in differences_of(wrong, self.rows)]

    def test_the_record_itself_has_none(self):
        self.nothing_differs(differences_of(self.record, self.rows))

    def test_a_count_off_by_one(self):
        def change(record):
            record["osds"]["osd.1"]["read"]["ops"] += 1
        self.assertEqual(self.named(change), ["osds.osd.1.read.ops"])

    def test_a_lost_operation_that_is_not_counted(self):
        def change(record):
            record["totals"]["read"]["lost"] -= 1
        self.assertEqual(self.named(change), ["totals.read.lost"])

    def test_a_percentile_one_bucket_off(self):
        def change(record):
            latency = record["totals"]["read"]["service_us"]
            latency["p99"] = hdr.highest_in_bucket_of(round(1000 * latency["p99"]) + 1) / 1000
        place = "totals.read.service_us.p99"
        self.assertEqual(self.named(change), [place, place])

    def test_a_bound_that_is_shown_as_a_figure(self):
        def change(record):
            latency = record["totals"]["all"]["response_us"]
            latency["max"] = latency["at_least"].pop("max")
        self.assertEqual(self.named(change), ["totals.all.response_us.max",
                                              "totals.all.response_us.at_least"])

    def test_a_figure_that_is_shown_as_a_bound(self):
        def change(record):
            latency = record["totals"]["all"]["response_us"]
            latency["at_least"]["p90"], latency["p90"] = latency["p90"], None
        self.assertEqual(self.named(change), ["totals.all.response_us.p90",
                                              "totals.all.response_us.at_least"])

    def test_a_row_of_the_timeline_that_is_shifted(self):
        def change(record):
            record["timeline"][1]["t_s"] += 0.5
        found = self.named(change)
        self.assertEqual(found[:2], ["timeline[1].t_s", "timeline[2].t_s"])
        self.assertIn("timeline[1].ops", found)

    def test_an_operation_in_the_wrong_second(self):
        def change(record):
            record["timeline"][0]["ops"] += 1
            record["timeline"][1]["ops"] -= 1
        self.assertEqual(self.named(change), ["timeline[0].ops", "timeline[1].ops"])

    def test_a_sum_of_a_histogram_off_by_a_nanosecond(self):
        def change(record):
            record["histograms"]["osd.2"]["read"]["service_ns"]["sum"] += 1
        self.assertIn("histograms.osd.2.read.service_ns", self.named(change))

    def test_a_slow_operation_that_is_missing(self):
        def change(record):
            del record["slowest"][3]
        self.assertEqual(self.named(change), ["slowest, response times"])

    def test_a_rate_that_was_not_kept(self):
        def change(record):
            record["plan"]["rate"] = "410/s,constant"
        self.assertEqual(set(self.named(change)), {"arrivals"})

    def test_a_row_that_the_trace_lacks(self):
        found = differences_of(self.record, self.rows[1:])
        self.assertIn("totals.all", "".join(found))

    def test_a_record_that_contradicts_itself(self):
        wrong = copy.deepcopy(self.record)
        wrong["totals"]["read"]["response_us"]["p90"] *= 1.01
        self.assertEqual([text.split(":")[0] for text in contradictions_in(wrong)],
                         ["all.read.response.p90, its bucket"])


if __name__ == "__main__":
    unittest.main()
