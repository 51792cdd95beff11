"""Every JSON document follows its schema, every key that a schema names occurs, and docs/record.md
says what each key of a run and of a series means."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/support"))
import own_home  # noqa: E402
import schema  # noqa: E402

PROGRAM = Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")
RECORDED = SOURCE / "tests/fixtures/documents"
PAGE = SOURCE / "docs/record.md"
LIMIT_S = 100
SIM = ("run", "--target", "sim", "--no-progress", "--seed", "7", "--warmup", "1", "--time", "3")
COMMANDS = ("run", "patterns", "list", "compare", "report", "trace", "cleanup", "status", "osds",
            "scratch", "replicas", "auth", "watch", "mark", "time", "study", "explain", "baseline",
            "probe")
WITHOUT_CLUSTER = (("status",), ("osds",), ("watch",), ("scratch", "list"), ("time", "backfill"),
                   ("cleanup", "--pool", "p"), ("cleanup", "--flags"),
                   ("replicas", "--pool", "p"), ("run", "--pool", "p", "--pattern", "randrw4k"))


class Place:
    """A folder with a store of its own, in which radosload is called."""

    def __init__(self, test):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.test = test
        self.folder = Path(folder.name)
        self.environment = own_home.environment(self.folder)

    def start(self, *words):
        return subprocess.Popen([PROGRAM, *map(str, words)], env=self.environment, text=True,
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, *words, status=(0,)):
        done = subprocess.run([PROGRAM, *map(str, words)], env=self.environment, text=True,
                              cwd=self.folder, capture_output=True, timeout=LIMIT_S, check=False)
        self.test.assertIn(done.returncode, status, f"{words}: {done.stderr}")
        return done

    def document(self, *words, status=(0,)):
        return json.loads(self.call(*words, status=status).stdout)


class Keys:
    """The keys that schemas name, and those that occur in documents, by their place in a schema."""

    def __init__(self):
        self.schemas = schema.schemas()
        self.seen = set()

    def resolve(self, file, reference):
        other, _, pointer = reference.partition("#")
        file = other.removesuffix(".json") or file
        node = self.schemas[file]
        for part in pointer.split("/")[1:]:
            node = node[part]
        return file, pointer or "", node

    def named(self):
        """(place, key) of all keys. A key that only refers to another place stands there."""
        for file, root in self.schemas.items():
            # Of a file that people write: tests/interop/test_study_file.py.
            if file != "study-file":
                yield from self._named(file, "", root)

    def _named(self, file, place, node):
        if isinstance(node, list):
            for i, member in enumerate(node):
                yield from self._named(file, f"{place}/{i}", member)
        if not isinstance(node, dict):
            return
        properties = node.get("properties", {})
        if isinstance(node.get("required"), list):
            yield from (((file, place), key) for key in properties)
        for name, member in node.items():
            yield from self._named(file, f"{place}/{name}", member)

    def add(self, document):
        self._add(*self.resolve(schema.kind_of(document), "#"), document)

    def _add(self, file, place, node, value):
        if "$ref" in node:
            self._add(*self.resolve(file, node["$ref"]), value)
            return
        for i, choice in enumerate(node.get("anyOf", ())):
            if value is not None and choice.get("type") != "null":
                self._add(file, f"{place}/anyOf/{i}", choice, value)
        if isinstance(value, list) and "items" in node:
            for member in value:
                self._add(file, f"{place}/items", node["items"], member)
        if isinstance(value, dict):
            self._add_members(file, place, node, value)

    def _add_members(self, file, place, node, value):
        properties = node.get("properties", {})
        for key, member in value.items():
            if key in properties:
                self.seen.add(((file, place), key))
                self._add(file, f"{place}/properties/{key}", properties[key], member)
                continue
            for pattern, inner in node.get("patternProperties", {}).items():
                if re.search(pattern, key):
                    self._add(file, f"{place}/patternProperties/{pattern}", inner, member)
            if isinstance(node.get("additionalProperties"), dict):
                self._add(file, f"{place}/additionalProperties", node["additionalProperties"],
                          member)


class Documents(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.place = Place(self)

    def follows(self, document, kind):
        self.assertEqual(schema.kind_of(document), kind)
        self.assertEqual(schema.problems(document), [])
        return document

    def runs(self):
        """Runs of all sorts: mixed, failing, with lost operations, open loop, interrupted."""
        get = self.place.document
        yield get(*SIM, "--pattern", "randrw4k", "--json", "--sim", "osds=3,latency=exp:1ms",
                  "--trace", "run.npy", "--label", "rack=3")
        yield get(*SIM, "--pattern", "seq,read=0", "--json", "--sim", "error=EIO:0.2", status=(1,))
        yield get(*SIM, "--pattern", "randread4k", "--json", "--rate", "500", "--sim",
                  "latency=exp:5ms,never=0.01,stall=1s:500ms", "--op-timeout", "100ms", "--drain",
                  "2s", status=(0, 1))
        yield get(*SIM, "--pattern", "etcd-wal", "--json", "--log-file", "radosload.log")
        yield get(*SIM, "--pattern", "randread4k,qd=1", "--json", "--rate", "1500", "--sim",
                  "latency=exp:1ms", status=(0, 1))
        yield get("run", "--target", "null", "--pattern", "randwrite4k", "--no-progress", "--json",
                  "--time", "0", "--ops", "1000", "--warmup", "0s")
        yield get("run", "--target", "sim", "--pattern", "randread4k", "--no-progress", "--json",
                  "--time", "3", "--warmup", "auto")
        yield get("run", "--target", "sim", "--threads", "1", "--sim", "latency=const:10ms",
                  "--pattern", "randread4k,qd=4", "--no-progress", "--json", "--time", "2",
                  "--warmup", "0", "--power-cmd", "echo 50", "--power-idle", "1s")
        with tempfile.TemporaryDirectory(dir=os.environ["RADOSLOAD_BINARY_DIR"]) as folder:
            yield get("run", "--drive", f"{folder}/drive", "--create", "1M", "--no-progress",
                      "--json", "--pattern", "randrw4k", "--time", "1", "--warmup", "0s")
        yield self.interrupted()

    def interrupted(self):
        started = self.place.start("run", "--target", "sim", "--sim", "threads=1", "--pattern",
                                   "randrw4k", "--warmup", "0s", "--time", "1m", "--json")
        try:
            self.assertIn("sec Cur ops", started.stderr.readline())
            time.sleep(1.5)
            self.marked = self.place.document("mark", "restart", "osd.3", "--json")
            started.send_signal(signal.SIGINT)
            out, err = started.communicate(timeout=LIMIT_S)
        finally:
            started.kill()
        self.assertEqual(started.returncode, 130, err)
        return json.loads(out)

    def saved(self):
        """What is computed from saved runs and series."""
        get = self.place.document
        first = get(*SIM, "--pattern", "randrw4k,qd=1:4", "--json")
        yield first, "series"
        broken = ("--sim", "error=EIO:1", "--pattern", "randrw4k,qd=1:4")
        yield get(*SIM, *broken, "--json", status=(1,)), "series"
        second = get(*SIM, "--pattern", "randrw4k,qd=1:4", "--json", "--label", "rack=3")
        yield get("list", "--json"), "list"
        yield get("list", "--json", "--steps"), "list"
        runs = [entry["id"] for entry in get("list", "--json", "--steps")["entries"]
                if entry["type"] == "run"]
        yield get("compare", runs[0], runs[1], "--json"), "compare"
        yield get("compare", "--csv", SOURCE / "docs/examples/drives.csv", "--json"), "verdicts"
        yield (get("compare", first["series_id"], second["series_id"], "--json"),
               "series-compare")
        yield get("report", runs[0], "--json"), "run"
        yield get("explain", runs[0], "--json"), "explain"
        yield from self.studies()
        yield from self.baselines()
        yield from self.drives()
        yield get("report", first["series_id"], "--json"), "series"

    def studies(self):
        get = self.place.document
        path = self.place.folder / "sims.yaml"
        path.write_text(
            "arms: {fast: --sim latency=exp:1ms, slow: --sim latency=exp:2ms}\n"
            "patterns: [randread4k]\noptions: {target: sim, ops: 500, time: 0, warmup: 0}\n"
            "rounds: 3\n", encoding="utf-8")
        lossy = self.place.folder / "lossy.yaml"
        lossy.write_text(
            "arms: {fast: --sim latency=exp:1ms, lossy: '--sim latency=exp:1ms,never=0.02'}\n"
            "patterns: [randread4k]\nrounds: 2\n"
            "options: {target: sim, ops: 500, time: 0, warmup: 0, op-timeout: 50ms}\n", encoding="utf-8")
        yield get("study", lossy, "--no-progress", "--json", status=(1,)), "study"
        yield get("study", path, "--dry-run", "--json"), "study-preview"
        yield get("study", path, "--pilot", "--no-progress", "--json"), "study-preview"
        yield get("list", "--json"), "list"
        yield get("study", "--resume", "last", "--no-progress", "--json"), "study"
        yield get("compare", get("list", "--json")["entries"][0]["id"], "--by", "label=arm",
                  "--json"), "verdicts"

    def baselines(self):
        get = self.place.document
        runs = [get(*SIM, "--pattern", "randread4k", "--json")["run_id"] for _ in range(2)]
        yield get("baseline", "keep", "before", *runs, "--json"), "baselines"
        yield get("baseline", "list", "--json"), "baselines"
        path = self.place.folder / ".local/state/radosload/baselines/before.json"
        kept = json.loads(path.read_text(encoding="utf-8"))
        yield kept, "baseline"
        for run in kept["runs"]:
            run["environment"]["client"]["host"] = "another"
        path.write_text(json.dumps(kept), encoding="utf-8")
        yield get("baseline", "check", "before", "--no-progress", "--json"), "baseline-check"

    def drives(self):
        get = self.place.document
        alone = [get(*SIM, "--pattern", pattern, "--json", "--label", "drive=sda")["run_id"]
                 for pattern in ("randread4k", "randwrite4k")]
        pool = get(*SIM, "--pattern", "randrw4k", "--json")["run_id"]
        yield get("compare", pool, "--against-drives", *alone, "--json"), "drive-share"
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            yield get("--drive", f"{folder}/drive", "--create", "1M", "--drive-profile", "--time",
                      "10ms", "--warmup", "0", "--no-progress", "--json"), "series"

    def without_runs(self):
        get = self.place.document
        yield get("patterns", "--json"), "patterns"
        yield get("patterns", "randrw4k,qd=4", "--json"), "patterns"
        yield get("patterns", "kbench", "--json"), "patterns"
        yield get("auth", "--json"), "auth"
        yield get("probe", "--target", "sim", "--sim", "latency=const:10ms,osds=8,slow=3:2",
                  "--rounds", "60", "--json"), "probe"
        yield self.probed_through_a_jump(), "probe"
        yield get(*SIM, "--pattern", "randrw4k", "--dry-run", "--json"), "preview"
        yield get(*SIM, "--pattern", "kbench", "--dry-run", "--json"), "series-preview"
        yield get("trace", "run.npy", "--json", "--object-size", "4M"), "trace-summary"
        yield self.marked, "mark"

    def probed_through_a_jump(self):
        """A history with a note, as a jump of the wall clock makes it."""
        folder = self.place.folder / "jumped"
        folder.mkdir()
        (folder / "000001-2026-11-26.jsonl").write_text(
            '{"schema":"radosload.probe-history/1","pool":"hdd","namespace":"radosload"}\n'
            '{"at":"2026-11-26T00:00:00Z","notes":["the wall clock jumped by +3600 s"]}\n',
            encoding="utf-8")
        return self.place.document("probe", "show", "--history", folder, "--json")

    def recorded(self):
        """What a cluster is needed for, as one gave it (but for the stray and the counters of the
        pinned run and the members of the session, which were put in by hand). The tests on a
        cluster check the same documents anew."""
        for path in sorted(RECORDED.glob("*.json")):
            yield json.loads(path.read_text(encoding="utf-8"))

    def test_all_follow_their_schemas_and_every_key_occurs(self):
        keys = Keys()
        for run in self.runs():
            keys.add(self.follows(run, "run"))
        for document, kind in [*self.saved(), *self.without_runs()]:
            keys.add(self.follows(document, kind))
        for document in self.recorded():
            keys.add(self.follows(document, schema.kind_of(document)))
        missing = sorted(f"{file}{place}: {key}" for (file, place), key
                         in set(keys.named()) - keys.seen)
        self.assertEqual(missing, [])

    def test_what_a_schema_does_not_name_is_refused(self):
        document = self.place.document("patterns", "--json")
        document["patterns"][0]["more"] = 1
        self.assertIn("'more' was unexpected", "".join(schema.problems(document)))
        del document["patterns"][0]["more"], document["patterns"][0]["name"]
        self.assertIn("'name' is a required property", "".join(schema.problems(document)))


class Options(unittest.TestCase):
    def setUp(self):
        self.place = Place(self)

    def test_every_command_declares_both(self):
        for command in COMMANDS:
            words = self.place.call(command, "--help").stdout
            self.assertIn("--format", words, command)
            self.assertIn("--json", words, command)

    def test_json_is_format_json(self):
        self.place.call(*SIM, "--pattern", "randrw4k", "--trace", "run.npy")
        for words in (("list",), ("patterns",), ("report", "last"), ("compare", "last", "last"),
                      ("trace", "run.npy"), (*SIM, "--pattern", "kbench", "--dry-run")):
            short = self.place.document(*words, "--json")
            long = self.place.document(*words, "--format", "json")
            # Of the process that is asked.
            for document in (short, long):
                for preview in document.get("previews", ()):
                    del preview["environment"]["client"]["pid"]
            self.assertEqual(short, long, words)

    def test_json_beside_another_format_is_refused(self):
        for words in (("list", "--format", "csv"), ("patterns", "--format", "text"),
                      (*SIM, "--pattern", "randrw4k", "--format", "fio-json")):
            done = self.place.call(*words, "--json", status=(2,))
            self.assertIn("contradict each other", done.stderr)
            self.assertEqual(done.stdout, "")
        self.place.document("list", "--json", "--format", "json")

    def test_json_wins_over_the_format_of_a_config_file(self):
        (self.place.folder / "conf").write_text("[list]\nformat = csv\n", encoding="utf-8")
        self.place.environment["RADOSLOAD_CONFIG"] = str(self.place.folder / "conf")
        self.assertTrue(self.place.call("list").stdout.startswith("id,type,"))
        self.assertEqual(self.place.document("list", "--json")["entries"], [])

    def test_errors_go_to_stderr_with_their_status(self):
        for words in WITHOUT_CLUSTER:
            done = self.place.call(*words, "--cluster", "nosuch", "--json", status=(3,))
            self.assertEqual(done.stdout, "", words)
            self.assertIn("radosload: cannot", done.stderr, words)
        for words in (("report", "nosuch"), ("compare", "nosuch", "other"), ("patterns", "nosuch"),
                      ("trace", "nosuch.npy")):
            done = self.place.call(*words, "--json", status=(1, 2))
            self.assertEqual(done.stdout, "", words)
            self.assertIn("radosload: cannot", done.stderr, words)


class Schemas(unittest.TestCase):
    def each_object(self, node, place=""):
        if isinstance(node, list):
            for i, member in enumerate(node):
                yield from self.each_object(member, f"{place}/{i}")
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict) and "additionalProperties" in node:
                yield place, node
            for name, member in node.items():
                yield from self.each_object(member, f"{place}/{name}")

    def test_are_strict_and_say_what_each_key_means(self):
        for name, root in schema.schemas().items():
            Draft202012Validator.check_schema(root)
            self.assertEqual(root["$schema"], "https://json-schema.org/draft/2020-12/schema")
            for place, node in self.each_object(root):
                self.assertIs(node["additionalProperties"], False, f"{name}{place}")
                self.assertIn("required", node, f"{name}{place}")
                for key, value in node["properties"].items():
                    self.assertTrue("description" in value or "$ref" in value,
                                    f"{name}{place}: {key}")


class Page(unittest.TestCase):
    """docs/record.md has a section for each object of the schemas, and a row for each key."""

    def objects(self):
        run, series, plan = (schema.schemas()[name] for name in ("run", "series", "plan"))
        objects = {"run": run, **run["$defs"], "series": series, **series["$defs"], "plan": plan}
        return {name: node for name, node in objects.items() if "properties" in node}

    def rows(self):
        """By section: the key, unit and meaning of each row."""
        sections = {}
        for line in PAGE.read_text(encoding="utf-8").splitlines():
            if line.startswith("##"):
                section = line.lstrip("# ")
                sections[section] = {}
            elif line.startswith("| `"):
                key, _, unit, meaning = (cell.strip() for cell in line.strip("|").split("|"))
                self.assertNotIn(key.strip("`"), sections[section], "two rows")
                sections[section][key.strip("`")] = (unit, meaning)
        return {section: rows for section, rows in sections.items() if rows}

    def test_has_every_key_of_the_schemas_and_no_other(self):
        rows = self.rows()
        objects = self.objects()
        self.assertEqual(set(rows), set(objects))
        for name, node in objects.items():
            self.assertEqual(list(rows[name]), list(node["properties"]), name)

    def test_says_what_the_schemas_say(self):
        for name, node in self.objects().items():
            for key, (unit, meaning) in self.rows()[name].items():
                said = meaning.removeprefix("(may be missing) ")
                self.assertEqual(meaning != said, key not in node["required"], f"{name}: {key}")
                if unit:
                    said += f" Unit: {unit}."
                self.assertEqual(said, node["properties"][key]["description"], f"{name}: {key}")


if __name__ == "__main__":
    unittest.main()
