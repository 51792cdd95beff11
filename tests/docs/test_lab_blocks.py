"""The blocks of README and docs/ that need a cluster show what the program prints on the lab that
this test has."""

import os
import unittest

import support

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

    def test_ctest_hands_out_a_lab_by_its_number(self):
        self.assertEqual(labs.lab_from_ctest("1", "id:2,slots:1"), "2")
        self.assertEqual(labs.lab_from_ctest(None, None), "")
        with self.assertRaises(RuntimeError):
            labs.lab_from_ctest("1", "slots:1")


if __name__ == "__main__":
    unittest.main()
