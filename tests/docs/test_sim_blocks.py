"""The blocks of README and docs/ that need no cluster show what the program prints."""

import unittest

import support

import blocks
import runs


class SimBlocks(support.DocumentCase):
    GOOD = ("<!-- run: sim -->\n```console\n$ radosload --target sim --pattern randrw4k,qd=4 "
            "--time 1\n{}\n```\n")

    def printed(self):
        path = self.document(self.GOOD.format(""))
        ((_, _, lines),) = runs.run_document(path, "sim", support.program())
        return lines

    def test_every_block_shows_what_the_program_prints(self):
        self.check_all("sim")

    def test_a_stale_line_and_a_missing_one_are_found(self):
        lines = self.printed()
        good = self.document(self.GOOD.format("\n".join(lines)))
        self.assertEqual(runs.complaints(good, "sim", support.program()), [])
        stale = [line.replace("pattern ", "workload ") for line in lines]
        self.assertNotEqual(stale, lines)
        for wrong in (stale, lines[:-1], [*lines, "  further   words"]):
            found = runs.complaints(self.document(self.GOOD.format("\n".join(wrong))), "sim",
                                    support.program())
            self.assertEqual(len(found), 1, found)
            self.assertIn("page.md:2: $ radosload", found[0])

    def test_another_exit_status_is_found(self):
        text = "<!-- run: sim\nstatus: {} -->\n```sh\nradosload --nonsense\n```\n"
        self.assertEqual(runs.complaints(self.document(text.format(2)), "sim", support.program()), [])
        (found,) = runs.complaints(self.document(text.format(3)), "sim", support.program())
        self.assertIn("ended with status 2, not 3", found)

    def test_refreshed_text_is_the_same_again_and_keeps_the_rest(self):
        path = self.document("before\n" + self.GOOD.format("old\nlines\n") + "after\n")
        text = runs.rewritten(path, runs.run_document(path, "sim", support.program()))
        self.assertTrue(text.startswith("before\n<!-- run: sim -->\n```console\n$ radosload"))
        self.assertTrue(text.endswith("\n```\nafter\n"))
        self.assertNotIn("old", text)
        path.write_text(text, encoding="utf-8")
        self.assertEqual(runs.complaints(path, "sim", support.program()), [])
        self.assertEqual(len(blocks.parse(path)), 1)


if __name__ == "__main__":
    unittest.main()
