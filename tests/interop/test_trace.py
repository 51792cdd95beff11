"""NumPy reads a trace, with nothing else needed, and finds in it the figures of the record."""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import own_home  # noqa: E402  (the path has to be known first)

PROGRAM = Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")
LIMIT_S = 100
# What a histogram is off by.
BUCKET = 0.001
READ, WRITE = 0, 1
COLUMNS = numpy.dtype([
    ("intended_ns", "<i8"), ("submit_ns", "<i8"), ("complete_ns", "<i8"), ("where", "<u8"),
    ("bytes", "<u4"), ("osd", "<i4"), ("pg", "<u4"), ("rc", "<i2"), ("op", "u1"),
    ("client", "u1")])


def words_for(trace, *more):
    return [str(word) for word in (
        PROGRAM, "run", "--target", "sim", "--warmup", "1", "--no-progress", "--save", "none",
        "--trace", trace, *more)]


def call(*words):
    with tempfile.TemporaryDirectory() as home:
        return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              timeout=LIMIT_S, check=False, env=own_home.environment(home))


class Trace(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.trace = self.folder / "run.npy"

    def run_traced(self, sim, *more):
        done = call(*words_for(self.trace, "--sim", sim, "--seed", 7, "--time", 5, "--format",
                               "json", *more))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def near(self, seen, expected):
        self.assertAlmostEqual(seen, expected, delta=BUCKET * abs(expected) + 1)

    def test_numpy_maps_every_operation(self):
        record = self.run_traced("latency=exp:1ms,osds=3,error=EIO:0.1", "--pattern", "randrw4k",
                                 "--clients", 2)
        rows = numpy.load(self.trace, mmap_mode="r")
        self.assertEqual(rows.dtype, COLUMNS)
        before = rows[rows["intended_ns"] < 0]
        self.assertEqual(len(before), record["counts"]["carried"]["submitted"])
        self.assertTrue((before["complete_ns"] > 0).all())
        end = 1e9 * record["measured_s"]
        finished = rows[(rows["rc"] == 0) & (rows["complete_ns"] <= end)]
        self.assertEqual(len(finished), record["totals"]["all"]["finished"]["ops"])
        rows = rows[rows["intended_ns"] >= 0]
        counts = record["counts"]["measured"]
        self.assertEqual(len(rows), counts["completed"] + counts["failed"])
        for name, op in (("read", READ), ("write", WRITE)):
            total = record["totals"][name]
            good = rows[(rows["op"] == op) & (rows["rc"] == 0)]
            self.assertEqual(len(good), total["ops"])
            self.assertEqual(int(good["bytes"].sum()), total["bytes"])
            failed = rows[(rows["op"] == op) & (rows["rc"] == -5)]
            self.assertEqual(len(failed), total["errors"]["EIO"])
        self.assertEqual(set(rows["client"]), {0, 1})
        self.assertEqual(set(rows["osd"]), {0, 1, 2})
        self.assertEqual(set(rows["pg"]), {2**32 - 1})
        self.assertTrue((rows["submit_ns"] >= 0).all())

    def test_percentiles_are_those_of_the_record(self):
        record = self.run_traced("latency=lognormal:1ms:0.8", "--pattern", "randrw4k", "--rate",
                                 "9000,poisson", "--qd", 14)
        rows = numpy.load(self.trace, mmap_mode="r")
        rows = rows[rows["intended_ns"] >= 0]
        for name, op in (("read", READ), ("write", WRITE)):
            good = rows[(rows["op"] == op) & (rows["rc"] == 0)]
            for kind, start in (("service_us", "submit_ns"), ("response_us", "intended_ns")):
                taken = good["complete_ns"] - good[start]
                figures = record["totals"][name][kind]
                for share in ("50", "90", "99", "99.9"):
                    # Of operations that were never sent only a bound is known.
                    known = figures[f"p{share}"] or figures["at_least"][f"p{share}"]
                    self.near(numpy.percentile(taken, float(share), method="inverted_cdf"), 1000 * known)
                self.near(float(taken.mean()), 1000 * figures["mean"])
        self.assertTrue((rows["submit_ns"] > rows["intended_ns"]).any())

    def test_what_numpy_saves_is_read_again(self):
        self.run_traced("latency=exp:1ms,osds=3", "--pattern", "randrw4k")
        rows = numpy.load(self.trace, mmap_mode="r")
        chosen = rows[rows["osd"] == 1]
        numpy.save(self.folder / "osd1.npy", chosen)
        done = call(PROGRAM, "trace", self.folder / "osd1.npy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{len(chosen):,} operations", done.stdout)
        self.assertNotIn("osd.0", done.stdout)

    def test_csv_has_the_columns_of_the_array(self):
        self.run_traced("latency=exp:1ms", "--pattern", "randrw4k", "--qd", 4)
        rows = numpy.load(self.trace, mmap_mode="r")
        done = call(PROGRAM, "trace", self.trace, "--as", "csv")
        table = numpy.genfromtxt(io.StringIO(done.stdout), delimiter=",", names=True,
                                 usecols=(0, 1, 2, 4, 5), dtype="i8")
        for name in ("intended_ns", "submit_ns", "complete_ns", "where", "bytes"):
            self.assertTrue((table[name] == rows[name]).all(), name)

    def test_numpy_reads_what_a_killed_run_left(self):
        words = words_for(self.trace, "--sim", "latency=const:2ms,threads=1", "--pattern",
                          "randread4k,qd=4", "--time", 60)
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=own_home.environment(self.folder)) as process:
            limit = time.monotonic() + LIMIT_S
            seen = 0
            # It may be read at any time: the header never promises what is not there.
            while seen < 1000 and time.monotonic() < limit:
                time.sleep(0.05)
                if self.trace.exists() and self.trace.stat().st_size >= 512:
                    seen = len(numpy.load(self.trace, mmap_mode="r"))
            process.send_signal(signal.SIGKILL)
        rows = numpy.load(self.trace, mmap_mode="r")
        self.assertGreaterEqual(len(rows), 1000)
        self.assertTrue((rows["complete_ns"] - rows["submit_ns"] >= 2_000_000).all())


if __name__ == "__main__":
    unittest.main()
