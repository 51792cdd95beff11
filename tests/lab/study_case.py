"""What the tests of studies on labs share: the program, and a run store of their own."""

import json
import os
import subprocess
from pathlib import Path

from support import DEADLINE, SharedLabCase

STUDIES = Path(__file__).resolve().parents[2] / "studies"
PROGRAM = Path(os.environ.get("RADOSLOAD_BINARY_DIR", "build/asan"), "src/radosload").absolute()


class StudyCase(SharedLabCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.state = cls.base / "state"

    def words(self, words):
        """Led to the lab by its config file alone."""
        return ["env", "-u", "CEPH_ARGS", f"CEPH_CONF={self.dir}/ceph.conf",
                f"HOME={self.base}", f"XDG_STATE_HOME={self.state}", str(PROGRAM), *map(str, words)]

    def radosload(self, *words, status=0, deadline=DEADLINE):
        done = subprocess.run(self.words(words), timeout=deadline, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, f"{words}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def study(self, *words, deadline=DEADLINE):
        """The document of a study that is carried out to its end."""
        return json.loads(self.radosload("study", *words, "--json", "--no-progress",
                                         deadline=deadline))

    def kill_in_cell(self, number, *words):
        """kill -9 while that cell is measured."""
        process = subprocess.Popen(self.words(words), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        with process:
            seen = []
            for line in process.stderr:
                seen.append(line)
                if line.startswith(f"cell {number} of"):
                    break
            process.kill()
        self.assertIn(f"cell {number} of", seen[-1], "".join(seen))

    def verdict(self, document, metric, scope):
        found = [one for one in document["verdicts"]
                 if (one["metric"], one["scope"]) == (metric, scope)]
        self.assertEqual(len(found), 1, document["verdicts"])
        return found[0]

    def assert_faster(self, document, metric, scopes=("this-kind", "these-osds"), higher=True):
        for scope in scopes:
            with self.subTest(scope):
                one = self.verdict(document, metric, scope)
                self.assertEqual(one["verdict"], "faster", one)
                self.assertEqual(one["ratio"] > 1, higher, one)
