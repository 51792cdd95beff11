"""Programs that read fio's output read ours, and show the figures of the record: fio's own tools,
fio-plot, and the rules of CBT. The runs are computed ones, so they are the same every time."""

import csv
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import own_home  # noqa: E402  (the path has to be known first)

PROGRAM = Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")
PYTHON = os.environ["RADOSLOAD_TEST_PYTHON"]
SECONDS = 100
# Half a bucket of 0.1 % on either side, and rounding to whole units where a tool does so.
BUCKET = 0.0011

RUNS = {
    "mixed": ("latency=lognormal:1ms:0.5,osds=3", "5", ("--pattern", "randrw4k", "--qd", "8")),
    # One at a time is hardly enough for that rate: operations wait until they are sent.
    "open": ("latency=exp:1ms", "5",
             ("--pattern", "randread4k", "--qd", "1", "--rate", "700,poisson")),
    "errors": ("latency=exp:1ms,error=EIO:0.1", "5", ("--pattern", "randwrite4k", "--qd", "4")),
    "etcd": ("latency=exp:1ms", "5", ("--pattern", "etcd-wal")),
    "slow": ("latency=uniform:10s:30s", "90", ("--pattern", "randread4k", "--qd", "4")),
}


def call(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=SECONDS, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words[0]}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def finished(run, op):
    """How many operations the record's rate stands for: what finished in the measured phase."""
    totals = run.record["totals"].get(op)
    return round(totals["iops"] * run.record["measured_s"]) if totals else 0


class Run:
    """The three outputs of one run, each in a folder of its name."""

    def __init__(self, folder, sim, time, words):
        self.folder = folder
        self.report, saved = folder / "run.json", folder / "record" / "record.json"
        saved.parent.mkdir(parents=True)
        done = subprocess.run(
            [PROGRAM, "--target", "sim", "--sim", sim, "--seed", "7", "--time", time,
             "--warmup", "0", "--no-progress", "--format", "fio-json", "--save", saved,
             "--fio-logs", folder, *words],
            capture_output=True, text=True, timeout=SECONDS, check=False,
            env=own_home.environment(folder))
        if done.returncode not in (0, 1):
            raise AssertionError(done.stderr)
        self.report.write_text(done.stdout, encoding="utf-8")
        self.fio = json.loads(done.stdout)
        self.job = self.fio["jobs"][0]
        self.record = json.loads(saved.read_text(encoding="utf-8"))

    def log(self, kind):
        (path,) = self.folder.glob(f"*_{kind}.1.log")
        return path

    def rows(self, kind):
        text = self.log(kind).read_text(encoding="utf-8")
        return [[int(word) for word in line.split(",")] for line in text.splitlines()]

    def seconds(self, op, figure):
        """Of the measured phase's whole seconds, as the record has them."""
        def of(kind):
            # Without a mean of the service times it is that of the response times.
            return kind.get(figure, kind["mean_us"]) if kind else 0

        return [of(row["kinds"].get(op)) for row in self.record["timeline"]
                if row["t_s"] < self.record["measured_s"] and row["length_s"] >= 0.5]


class Fio(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.drawing = {**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": cls.place.name}
        cls.runs = {name: Run(Path(cls.place.name, name), *run) for name, run in RUNS.items()}

    def near(self, value, expected, share=BUCKET):
        self.assertAlmostEqual(float(value), float(expected), delta=share * abs(expected) + 1e-9)

    # ---- fio's own tools ----

    def csv_of(self, run):
        """(nanoseconds, count, share so far) of every bin, by direction and kind of latency."""
        target = run.folder / "clat.csv"
        tool = [sys.executable, "/usr/bin/fio_jsonplus_clat2csv", run.report, target]
        call(*tool)
        self.assertIn("validated", call(*tool, "--validate"))
        with open(run.folder / "clat_job0.csv", encoding="utf-8") as file:
            lines = [[word.strip() for word in line] for line in csv.reader(file)]
        head, rows = lines[0], lines[1:]

        def column(name):
            place = head.index(f"{name}_count")
            return [(int(row[0]), int(row[place]), float(row[place + 2]))
                    for row in rows if row[place]]
        return column

    def test_clat2csv_shows_the_percentiles_of_the_record(self):
        for name, op in (("mixed", "read"), ("mixed", "write"), ("open", "read"),
                         ("etcd", "write")):
            run = self.runs[name]
            column = self.csv_of(run)
            for latency, times in (("clat_ns", "service_us"), ("lat_ns", "response_us")):
                bins = column(f"{op}_{latency}")
                total = run.record["totals"][op]
                self.assertEqual(sum(count for _, count, _ in bins), total["ops"])
                for key, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)):
                    value = next(ns for ns, _, up_to in bins if up_to >= share - 1e-12)
                    if total[times][key] is not None:
                        self.near(value, total[times][key] * 1000)

    def test_clat2csv_comes_to_an_end_with_latencies_longer_than_fio_counts(self):
        bins = self.csv_of(self.runs["slow"])("read_clat_ns")
        self.assertEqual(bins[-1][0], 17112760320)
        self.assertEqual(sum(count for _, count, _ in bins),
                         self.runs["slow"].record["totals"]["read"]["ops"])

    def test_fiologparser_sums_up_the_seconds(self):
        packed = Path("/usr/share/doc/fio/fiologparser.py.gz")
        excluded = any("path-exclude=/usr/share/doc" in path.read_text(encoding="utf-8")
                       for path in Path("/etc/dpkg/dpkg.cfg.d").glob("*"))
        if excluded and not packed.exists():
            self.skipTest("this machine keeps no documentation, where Debian has the tool")
        tool = Path(self.place.name, "fiologparser.py")
        tool.write_bytes(gzip.decompress(packed.read_bytes()))
        for name, op in (("open", "read"), ("errors", "write")):
            run = self.runs[name]
            lines = call(sys.executable, tool, "-s", run.log("iops")).splitlines()
            shown = [float(line.split(", ")[1]) for line in lines]
            self.assertEqual(len(shown), 5)
            for value, ops in zip(shown, run.seconds(op, "ops")):
                self.near(value, ops, 1e-3)
            mean = float(call(sys.executable, tool, run.log("clat")))
            self.near(mean, run.record["totals"][op]["service_us"]["mean"] * 1000, 0.05)

    def test_fio2gnuplot_averages_the_rates_of_the_record(self):
        for name, op in (("open", "read"), ("errors", "write")):
            run = self.runs[name]
            for option, unit in (("-b", "mib_per_s"), ("-i", "iops")):
                out = run.folder / f"gnuplot{option}"
                said = call(sys.executable, "/usr/bin/fio2gnuplot", option, "-d", out,
                            cwd=run.folder)
                self.assertIn("per job format", said)
                figures = dict(line.split("=") for line in
                               (out / "result.global").read_text(encoding="utf-8").splitlines())
                rate = run.record["totals"][op][unit] * (1024 if unit == "mib_per_s" else 1)
                self.assertEqual(figures["values_count"], "5")
                # Whole units a second, and the last operations come in after the last second.
                self.near(figures["avg"], rate, 0.01)

    # ---- fio-plot ----

    def fio_plot(self, run, rw, depth, direction):
        reader = Path(__file__).with_name("read_with_fio_plot.py")
        return json.loads(call(PYTHON, "-B", reader, run.folder, rw, depth, direction,
                               env=self.drawing))

    def test_fio_plot_reads_the_figures_of_the_record(self):
        for name, rw, depth, op in (("mixed", "randrw", 8, "write"),
                                    ("open", "randread", 1, "read"),
                                    ("etcd", "write", 1, "write")):
            run = self.runs[name]
            seen = self.fio_plot(run, rw, depth, op)
            total = run.record["totals"][op]
            (bar,) = seen["bars"]
            self.near(bar["iops"], total["iops"], 1e-5)
            self.near(bar["lat"], total["response_us"]["mean"] * 1000, 1e-5)
            self.assertEqual([value for _, value in seen["lines"]["iops"]],
                             run.seconds(op, "ops"))
            for kind, mean in (("lat", "mean_us"), ("clat", "mean_service_us")):
                for (_, value), us in zip(seen["lines"][kind], run.seconds(op, mean)):
                    self.near(value, us * 1000, 1e-5)

    def test_fio_plot_draws_bars_and_lines(self):
        run = self.runs["mixed"]
        tool = Path(PYTHON).with_name("fio-plot")
        for chart, more in (("-l", ("-f", "read")), ("-g", ("-t", "iops", "lat"))):
            image = run.folder / f"plot{chart}.png"
            call(tool, "-i", run.folder, "-T", "radosload", chart, "-r", "randrw", "-d", "8",
                 "-n", "1", "-o", image, *more, env=self.drawing)
            self.assertTrue(image.read_bytes().startswith(b"\x89PNG"))

    # ---- CBT ----

    def test_the_logs_keep_to_the_rules_of_cbt(self):
        """It gives the columns names, adds up what has the same time and direction, and joins the
        sums of rates and latencies by their time."""
        for name, run in self.runs.items():
            times = {}
            for kind in ("iops", "bw", "lat", "clat", "slat"):
                rows = run.rows(kind)
                self.assertLessEqual(max(map(len, rows)), 5, name)
                moments = [(row[0], row[2]) for row in rows]
                self.assertEqual(len(set(moments)), len(moments), f"{name} {kind}: added up twice")
                self.assertEqual(moments, sorted(moments), name)
                times[kind] = {time for time, _ in moments}
            self.assertEqual(times["iops"], times["bw"])
            if name != "slow":  # where seconds pass without an answer
                self.assertLessEqual(times["iops"], times["clat"])

    def test_the_report_keeps_to_the_rules_of_cbt(self):
        for run in self.runs.values():
            options = run.fio["global options"]
            self.assertRegex(re.sub(r"\D$", "", options["bs"]), r"^\d+$")
            self.assertEqual(options["numjobs"], "1")
            self.assertEqual("rwmixread" in options, "rwmixwrite" in options)
            float(run.job["sys_cpu"]), float(run.job["usr_cpu"])
            operations = timed = latency = 0
            for direction in ("read", "write"):
                part = run.job[direction]
                for key in ("io_bytes", "bw_bytes", "total_ios"):
                    self.assertIs(type(part[key]), int)
                self.assertIs(type(part["iops"]), float)
                operations += part["total_ios"]
                timed += part["clat_ns"]["N"]
                latency += part["clat_ns"]["N"] * part["clat_ns"]["mean"]
            self.assertEqual(operations, sum(finished(run, op) for op in ("read", "write")))
            totals = run.record["totals"]
            mean = totals["write" if "flush" in totals else "all"]["service_us"]["mean"]
            self.near(latency / timed, mean * 1000, 1e-5)

    # ---- what scripts pick out ----

    def test_the_line_that_users_of_etcd_read_is_write_and_flush(self):
        run = self.runs["etcd"]
        seen = run.job["sync"]["lat_ns"]["percentile"]["99.000000"]
        self.near(seen, run.record["totals"]["sync"]["response_us"]["p99"] * 1000)
        self.assertGreater(seen, run.job["write"]["clat_ns"]["percentile"]["99.000000"])
        self.assertEqual(run.job["sync"]["total_ios"], finished(run, "sync"))

    def test_failures_are_not_swallowed(self):
        run = self.runs["errors"]
        self.assertEqual(run.job["error"], 5)  # EIO
        self.assertEqual(run.job["total_err"], run.record["totals"]["write"]["errors"]["EIO"])
        self.assertEqual(self.runs["mixed"].job["error"], 0)

    def test_in_an_open_loop_the_wait_is_between_clat_and_lat(self):
        run = self.runs["open"]
        wait = run.job["read"]["lat_ns"]["mean"] - run.job["read"]["clat_ns"]["mean"]
        self.assertGreater(wait, 500_000)
        for lat, slat, clat in zip(run.rows("lat"), run.rows("slat"), run.rows("clat")):
            self.assertAlmostEqual(lat[1], slat[1] + clat[1], delta=2)
