"""The JSON Schema of a study's file: every shipped study follows it, and mistakes do not."""

import copy
import sys
import unittest
from pathlib import Path

import yaml

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/support"))
import schema  # noqa: E402


def problems(study):
    return [error.message for error in schema.validator("study-file").iter_errors(study)]


class StudyFile(unittest.TestCase):
    def studies(self):
        for path in sorted((SOURCE / "studies").glob("*.yaml")):
            yield path.stem, yaml.safe_load(path.read_text(encoding="utf-8"))

    def test_every_shipped_study_follows_it(self):
        studies = dict(self.studies())
        self.assertEqual(len(studies), 5)
        for name, study in studies.items():
            self.assertEqual(problems(study), [], name)

    def test_every_form_of_a_value_follows_it(self):
        for study in ({"load": "closed"}, {"load": {"rate": "60%"}}, {"load": {"rate": 500}},
                      {"options": "--time 10s"}, {"options": {"keep": True, "label": ["a=1"]}},
                      {"phases": {"before": None, "after": "x"}}, {"sweep": {"qd": [1, 16]}},
                      {"every": "5m", "for": 3600, "level": 0.95, "threshold": "2.5%"},
                      {"timers": ["scrub --deep"], "require-clean": True, "order": "abba"}):
            self.assertEqual(problems(study), [], study)

    def test_mistakes_do_not(self):
        good = dict(self.studies())["wal-vs-db"]
        for key, value in (("round", 5), ("rounds", 0), ("order", "abab"), ("threshold", 5),
                           ("load", {"rat": 1}), ("arms", ["a"]), ("sweep", {"qd": 1})):
            study = copy.deepcopy(good)
            study[key] = value
            self.assertNotEqual(problems(study), [], (key, value))


if __name__ == "__main__":
    unittest.main()
