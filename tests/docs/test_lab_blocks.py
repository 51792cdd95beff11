"""The blocks of README and docs/ that need a cluster show what the program prints on the lab that
this test has."""

import os
import subprocess
import unittest

import support
import yaml

import labs
import runs


@unittest.skipIf(os.environ.get("RADOSLOAD_TEST_CONF"), "the documents show the lab's pools and OSDs")
class LabBlocks(support.DocumentCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = labs.Lab(os.environ["RADOSLOAD_BINARY_DIR"])
        cls.addClassCleanup(cls.lab.close)

    def test_every_block_shows_what_the_program_prints(self):
        self.check_all("lab", self.lab.folder)

    def test_a_stale_line_is_found(self):
        text = "<!-- run: lab -->\n```console\n$ radosload status\n{}\n```\n"
        ((_, _, lines),) = runs.run_document(self.document(text.format("")), "lab",
                                             support.program(), self.lab.folder)
        good = self.document(text.format("\n".join(lines)))
        self.assertEqual(runs.complaints(good, "lab", support.program(), self.lab.folder), [])
        stale = self.document(text.format("\n".join([*lines, "  a line of an older release"])))
        found = runs.complaints(stale, "lab", support.program(), self.lab.folder)
        self.assertEqual(len(found), 1, found)
        self.assertIn("a line of an older release", found[0])

    def test_the_job_for_kubernetes_is_one_load_with_one_report(self):
        """Its pods, as processes of this machine: fewer objects, a shorter time, the lab's user."""
        text = (support.SOURCE / "docs" / "examples" / "session-job.yaml").read_text(encoding="utf-8")
        job = yaml.safe_load(text)["spec"]
        (container,) = job["template"]["spec"]["containers"]
        words = container["command"]
        self.assertEqual(words[words.index("--members") + 1], str(job["parallelism"]))
        self.assertEqual(job["completions"], job["parallelism"])
        here = {"radosload": str(support.program()), "10m": "2s", "load": "admin",
                "randrw4k,qd=256,size=4G": "randrw4k,qd=16,size=64M"}
        self.assertLessEqual(set(here), set(words))
        command = [here.get(word, word) for word in words]
        env = {**os.environ, "CEPH_CONF": str(self.lab.folder / "ceph.conf")}
        pods = [subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for _ in range(job["parallelism"])]
        ended = [pod.communicate(timeout=120) for pod in pods]
        self.assertEqual([pod.returncode for pod in pods], [0] * len(pods), ended)
        reports = [out for out, _ in ended if out]
        self.assertEqual(len(reports), 1, ended)
        self.assertIn("nightly, 4 members", reports[0])

    def test_ctest_hands_out_a_lab_by_its_number(self):
        self.assertEqual(labs.lab_from_ctest("1", "id:2,slots:1"), "2")
        self.assertEqual(labs.lab_from_ctest(None, None), "")
        with self.assertRaises(RuntimeError):
            labs.lab_from_ctest("1", "slots:1")


if __name__ == "__main__":
    unittest.main()
