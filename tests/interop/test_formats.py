"""CSV and the text format of Prometheus, read by strict readers that are not ours, hold the figures
of the record."""

import csv
import io
import json
import math
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import own_home  # noqa: E402  (the path has to be known first)

PROGRAM = Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")
LIMIT_S = 100
SIM = ("run", "--target", "sim", "--no-progress", "--seed", "7", "--warmup", "1", "--time", "3")

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')

SUFFIXES = {"summary": ("", "_sum", "_count"), "histogram": ("_bucket", "_sum", "_count")}


class Exposition:
    """A strict reader of the text format 0.0.4: what Prometheus overlooks is an error, too."""

    def __init__(self, text):
        if not text.endswith("\n") or "\r" in text or "\n\n" in text:
            raise ValueError("lines do not end as they must")
        self.help, self.type, self.samples = {}, {}, {}
        current = None
        for line in text[:-1].split("\n"):
            if line.startswith("#"):
                current = self.comment(line, current)
            else:
                self.sample(line, current)

    def comment(self, line, current):
        mark, what, name, rest = line.split(" ", 3)
        if mark != "#" or what not in ("HELP", "TYPE") or not NAME.fullmatch(name):
            raise ValueError(f"no comment that is known: {line}")
        into = self.help if what == "HELP" else self.type
        if name in into or (what == "TYPE" and current != name) or not rest:
            raise ValueError(f"stands twice, or not below its HELP: {line}")
        if what == "TYPE" and rest not in ("gauge", "counter", "summary", "histogram", "untyped"):
            raise ValueError(f"no such type: {line}")
        into[name] = rest
        return name

    def sample(self, line, metric):
        name = NAME.match(line)[0]
        suffix = name.removeprefix(metric)
        allowed = SUFFIXES.get(self.type[metric], ("",))
        if not name.startswith(metric) or suffix not in allowed:
            raise ValueError(f"stands among the samples of {metric}: {line}")
        labels, at = {}, len(name)
        if line[at] == "{":
            at += 1
            while line[at] != "}":
                found = LABEL.match(line, at)
                if not found or found[1] in labels or found[1].startswith("__"):
                    raise ValueError(f"a label is wrong: {line}")
                labels[found[1]] = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), found[2])
                at = found.end()
                if line[at] == ",":
                    at += 1
                elif line[at] != "}":
                    raise ValueError(f"no comma between labels: {line}")
            at += 1
        if not re.fullmatch(r" [-+]?(\d+\.?\d*([eE][-+]?\d+)?|Inf)| NaN", line[at:]):
            raise ValueError(f"no value: {line}")
        if ("quantile" in labels) != (self.type[metric] == "summary" and suffix == ""):
            raise ValueError(f"a quantile without a summary, or the reverse: {line}")
        if ("le" in labels) != (self.type[metric] == "histogram" and suffix == "_bucket"):
            raise ValueError(f"a bound without a bucket, or the reverse: {line}")
        key = (name, frozenset(labels.items()))
        if key in self.samples:
            raise ValueError(f"stands twice: {line}")
        self.samples[key] = float(line[at:])

    def get(self, name, **labels):
        return self.samples[(name, frozenset(labels.items()))]


def number(field):
    return float(field) if field else None


class Formats(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.environment = own_home.environment(self.folder)

    def call(self, *words, status=(0,)):
        done = subprocess.run([PROGRAM, *map(str, words)], env=self.environment, text=True,
                              cwd=self.folder, capture_output=True, timeout=LIMIT_S, check=False)
        self.assertIn(done.returncode, status, done.stderr)
        return done.stdout

    def table(self, *words, status=(0,)):
        rows = list(csv.DictReader(io.StringIO(self.call(*words, "--format", "csv",
                                                         status=status), newline=""),
                                   strict=True, restkey="more"))
        for row in rows:
            self.assertNotIn("more", row)
            self.assertNotIn(None, row.values())
        return rows

    def last(self):
        return json.loads(self.call("report", "last", "--json"))

    def with_pool(self, pool):
        """The file of a run whose pool has that name."""
        self.call(*SIM, "--pattern", "randrw4k", "--save", "run.json",
                  "--overwrite")
        record = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        record["plan"]["pool"] = pool
        (self.folder / "odd.json").write_text(json.dumps(record), encoding="utf-8")
        return "odd.json"


class Csv(Formats):
    def test_a_run_has_a_row_for_each_second(self):
        rows = self.table(*SIM, "--pattern", "randrw4k", "--sim", "latency=exp:1ms,error=EIO:0.1",
                          status=(1,))
        record = self.last()
        self.assertEqual([float(row["t_s"]) for row in rows], [0, 1, 2])
        for row, second in zip(rows, record["timeline"]):
            self.assertEqual(row["run_id"], record["run_id"])
            self.assertEqual(float(row["t_s"]), second["t_s"])
            self.assertEqual(int(row["errors"]), sum(second["errors"].values()))
            self.assertAlmostEqual(float(row["iops"]), second["ops"] / second["length_s"])
            for kind, figures in second["kinds"].items():
                self.assertEqual(int(row[f"{kind}_ops"]), figures["ops"])
                for name in ("p50_us", "p99_us"):
                    self.assertEqual(number(row[f"{kind}_{name}"]), figures[name])
        self.assertEqual(rows, self.table("report", "last"))

    def test_fields_with_commas_and_quotes_are_quoted(self):
        sweep = "randread4k,qd=1:2"
        self.call(*SIM, "--pattern", sweep)
        series = json.loads(self.call("report", self.entries()[0]["id"], "--json"))
        series["steps"][0]["name"] = 'one, "two"'
        (self.folder / "odd.json").write_text(json.dumps(series), encoding="utf-8")
        self.assertEqual(self.table("report", "odd.json")[0]["name"], 'one, "two"')

    def test_an_unknown_value_is_empty(self):
        row = self.table(*SIM, "--pattern", "randread4k,qd=1", "--sim", "latency=const:500ms")[0]
        self.assertEqual((row["ops"], row["p99_us"]), ("2", ""))

    def test_a_series_has_a_row_for_each_step(self):
        rows = self.table(*SIM, "--pattern", "randrw4k,qd=1:4")
        series = json.loads(self.call("report", self.entries()[0]["id"], "--json"))
        self.assertEqual([row["qd"] for row in rows], ["1", "4"])
        for row, step in zip(rows, series["steps"]):
            total = step["record"]["totals"]
            self.assertEqual((row["state"], row["name"]), ("done", step["name"]))
            self.assertAlmostEqual(float(row["iops"]), total["all"]["iops"])
            self.assertAlmostEqual(float(row["read_p99_us"]), total["read"]["response_us"]["p99"])
        self.assertEqual(rows, self.table("report", series["series_id"]))

    def test_a_step_without_a_record_has_empty_figures(self):
        self.call(*SIM, "--pattern", "randrw4k,qd=1:4")
        series = json.loads(self.call("report", self.entries()[0]["id"], "--json"))
        series["steps"][1].update(state="failed", reason="no such pool", record=None)
        (self.folder / "odd.json").write_text(json.dumps(series), encoding="utf-8")
        done, failed = self.table("report", "odd.json")
        self.assertEqual((failed["state"], failed["qd"]), ("failed", "4"))
        figures = list(done)[list(done).index("run_id"):]
        self.assertEqual({failed[name] for name in figures}, {""})
        self.assertTrue(done["write_p99_us"])

    def entries(self):
        return json.loads(self.call("list", "--json"))["entries"]

    def test_a_list_has_a_row_for_each_run_and_series(self):
        self.call(*SIM, "--pattern", "randrw4k")
        self.call(*SIM, "--pattern", "randread4k,qd=1:2")
        rows = self.table("list")
        self.assertEqual({row["type"] for row in rows}, {"run", "series"})
        for row, entry in zip(rows, self.entries(), strict=True):
            self.assertEqual((row["id"], row["pattern"]), (entry["id"], entry["pattern"]))
            self.assertEqual(number(row["iops"]), entry["iops"])
            self.assertEqual(row["steps"], str(entry.get("steps", "")))
        # What was asked for holds a comma and a colon.
        self.assertIn("randread4k,qd=1:2", [row["pattern"] for row in rows])


class Prometheus(Formats):
    def figures(self, *words, status=(0,)):
        return Exposition(self.call(*words, "--format", "prometheus", status=status))

    def test_holds_the_figures_of_the_record(self):
        seen = self.figures(*SIM, "--pattern", "randrw4k", "--sim",
                            "latency=exp:1ms,error=EIO:0.1", status=(1,))
        record = self.last()
        common = {"pool": "", "pattern": "randrw4k"}
        for kind in ("read", "write"):
            total, labels = record["totals"][kind], {**common, "op": kind}
            self.assertAlmostEqual(seen.get("radosload_operations_per_second", **labels),
                                   total["iops"])
            self.assertEqual(seen.get("radosload_operations", **labels), total["ops"])
            self.assertEqual(seen.get("radosload_failed_operations", **labels),
                             sum(total["errors"].values()))
            self.assertEqual(seen.get("radosload_errors", **labels, error="EIO"),
                             total["errors"]["EIO"])
            for name, key in (("0.5", "p50"), ("0.99", "p99"), ("0.999", "p99.9")):
                self.assertAlmostEqual(
                    seen.get("radosload_response_seconds", **labels, quantile=name),
                    total["response_us"][key] / 1e6)
            mean = (seen.get("radosload_response_seconds_sum", **labels) /
                    seen.get("radosload_response_seconds_count", **labels))
            self.assertTrue(math.isclose(mean, total["response_us"]["mean"] / 1e6, rel_tol=1e-3))
        self.assertEqual(seen.get("radosload_run_measured_seconds", **common), 3)
        self.assertEqual(seen.get("radosload_run_complete", **common), 1)
        self.assertEqual(set(seen.help), set(seen.type))
        again = self.figures("report", "last")
        self.assertEqual(again.samples, seen.samples)

    def test_a_run_without_an_answer_is_valid(self):
        seen = self.figures(*SIM, "--pattern", "randread4k", "--sim", "error=EIO:1", status=(1,))
        labels = {"pool": "", "pattern": "randread4k", "op": "read"}
        self.assertEqual(seen.get("radosload_response_seconds_count", **labels), 0)

    def test_any_name_of_a_pool_is_a_label(self):
        seen = self.figures("report", self.with_pool('a "b" \\ c{d="e"} 1'))
        pools = {dict(labels)["pool"] for _, labels in seen.samples}
        self.assertEqual(pools, {'a "b" \\ c{d="e"} 1'})
        self.assertEqual(len(self.figures("report", self.with_pool("a\nb")).samples),
                         len(seen.samples))

    def test_has_the_labels_of_the_run(self):
        seen = self.figures(*SIM, "--pattern", "randread4k", "--label", "rack=3", "--label",
                            "osd-kind=a \"b\" \\ c", "--label", "osd.kind=db")
        for _, labels in seen.samples:
            labels = dict(labels)
            self.assertEqual(labels["label_rack"], "3")
            self.assertEqual({labels["label_osd_kind"], labels["label_osd_kind_2"]},
                             {"a \"b\" \\ c", "db"})

    def test_is_for_single_runs(self):
        self.call(*SIM, "--pattern", "randrw4k,qd=1:2", "--format", "prometheus", status=(2,))

    def test_the_reader_refuses_what_is_not_valid(self):
        head = "# HELP a b\n# TYPE a gauge\n"
        Exposition(head + 'a{x="1"} 1\n')
        for wrong in ("a 1\na 1\n", 'a{x="1" y="2"} 1\n', "a{x=1} 1\n", "b 1\n", "a\n", "a 1",
                      'a{quantile="0.5"} 1\n', "a one\n", 'a{x="\n"} 1\n'):
            with self.assertRaises((ValueError, IndexError, KeyError, TypeError), msg=wrong):
                Exposition(head + wrong)


class ProbeMetrics(Formats):
    """What 'radosload probe --listen' serves."""

    def scraped(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = ("probe", "--target", "sim", "--sim", "latency=const:1ms,osds=6,threads=1",
                 "--interval", "200ms", "--force", "--listen", str(port))
        with subprocess.Popen([PROGRAM, *words], env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as probing:
            try:
                return self.first_text(f"http://127.0.0.1:{port}/metrics")
            finally:
                probing.terminate()

    def first_text(self, address):
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(address, timeout=10) as answer:
                    text = answer.read().decode()
                    self.assertIn("version=0.0.4", answer.headers["Content-Type"])
                if text:
                    return text
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.1)
        return self.fail("no metrics")

    def test_are_valid_and_named_as_promtool_wants_them(self):
        seen = Exposition(self.scraped())
        self.assertEqual(set(seen.help), set(seen.type))
        self.assertEqual(seen.get("radosload_probe_osds", pool="sim"), 6)
        for name, kind in seen.type.items():
            # The rules of 'promtool check metrics' that can be broken here.
            self.assertEqual(name.endswith("_total"), kind == "counter", name)
            self.assertNotRegex(name, "milliseconds|_us$|_ms$|(_bucket|_sum|_count|_info)$")
        labels = {"pool": "sim", "device_class": "sim", "op": "read"}
        buckets = sorted((float(dict(found)["le"].replace("+Inf", "inf")), value)
                         for (name, found), value in seen.samples.items()
                         if name == "radosload_probe_response_seconds_bucket"
                         and dict(found)["op"] == "read")
        self.assertEqual(buckets[0][0], 50e-6)
        self.assertEqual([value for _, value in buckets], sorted(value for _, value in buckets))
        self.assertEqual(buckets[-1],
                         (math.inf, seen.get("radosload_probe_response_seconds_count", **labels)))


if __name__ == "__main__":
    unittest.main()
