"""README and docs/ follow their rules: blocks have markers, links lead somewhere, README is short. The
checks that see to it are tested with documents that break each rule."""

import re
import unittest

import support
from support import SOURCE

import blocks
import masks

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
# Parts of the source that the packages do not install; documents there may name them.
SOURCE_ONLY = ("ARCHITECTURE.md", "CHANGELOG.md", "tests/PROMISES.md", "tools/bench/README.md",
               "tools/labkit/README.md", "LICENSE")


def anchors(path):
    """Those that a reader on the web gets from the headings."""
    text = re.sub(r"```.*?\n```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        yield plain.strip().replace(" ", "-")


def bad_links(path, source):
    """Links of a document that lead nowhere, or to what is not installed beside it."""
    text = re.sub(r"```.*?\n```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in LINK.findall(text):
        if re.match(r"https?://", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            yield f"{path.name}: no file {target}"
            continue
        inside = file.relative_to(source.resolve()).as_posix()
        if not inside.startswith(("docs/", "README.md")) and inside not in SOURCE_ONLY:
            yield f"{path.name}: {target} is not installed"
        if anchor and anchor not in anchors(file):
            yield f"{path.name}: no heading {target}"


class Documents(support.DocumentCase):
    def test_every_block_has_a_marker_and_commands(self):
        kinds = [block.kind for path in blocks.documents(SOURCE) for block in blocks.parse(path)]
        self.assertEqual(set(kinds), {"sim", "lab", "shown"})

    def test_readme_has_at_most_150_lines(self):
        lines = (SOURCE / "README.md").read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(len(lines), 150)
        for number, line in enumerate(lines, 1):
            self.assertLessEqual(len(line), 200, f"README.md:{number}")

    def test_the_first_block_of_readme_has_the_demo_and_the_tests_with_their_minutes(self):
        readme = (SOURCE / "README.md").read_text(encoding="utf-8")
        block = readme.split("\n```")[1]
        for command in ("demo", "test"):
            self.assertRegex(block, rf"(?m)^tools/dev {command} .*\d minutes\b")

    def test_every_link_leads_to_a_file_and_a_heading(self):
        bad = [text for path in blocks.documents(SOURCE) for text in bad_links(path, SOURCE)]
        self.assertEqual(bad, [])

    def test_every_page_is_in_the_index(self):
        index = (SOURCE / "docs" / "README.md").read_text(encoding="utf-8")
        for path in (SOURCE / "docs").glob("*.md"):
            if path.name != "README.md":
                self.assertIn(f"]({path.name})", index)

    def test_pictures_are_small_and_named_by_a_document(self):
        text = "".join(path.read_text(encoding="utf-8") for path in blocks.documents(SOURCE))
        pictures = list((SOURCE / "docs" / "pictures").glob("*.svg"))
        self.assertTrue(pictures)
        for picture in pictures:
            film = "<animate" in picture.read_text(encoding="utf-8")
            self.assertLess(picture.stat().st_size, 120_000 if film else 60_000, picture.name)
            self.assertIn(f"pictures/{picture.name}", text)

    def test_a_link_to_a_missing_file_or_heading_is_found(self):
        page = SOURCE / "docs" / "security.md"
        self.assertEqual(list(bad_links(page, SOURCE)), [])
        path = self.document("# One\n[a](two.md) [b](#one) [c](#two) ![d](e.svg) [e](other.txt)\n")
        (path.parent / "other.txt").touch()
        path = path.rename(path.parent / "README.md")
        self.assertEqual(list(bad_links(path, path.parent)),
                         ["README.md: no file two.md", "README.md: no heading #two",
                          "README.md: no file e.svg", "README.md: other.txt is not installed"])


class Rules(support.DocumentCase):
    def refused(self, text, why):
        with self.assertRaises(blocks.BadDocument) as raised:
            blocks.parse(self.document(text))
        self.assertIn(why, str(raised.exception))
        self.assertIn("page.md:", str(raised.exception))

    def test_a_block_without_a_marker_is_refused(self):
        self.refused("```console\n$ radosload\n```\n", "page.md:1: the block has no marker")

    def test_commands_in_an_indented_block_are_refused(self):
        self.refused("text\n\n    radosload status\n", "page.md:3: commands in an indented block")
        self.refused("text\n\n    $ ls\n", "page.md:3: commands in an indented block")

    def test_shown_only_needs_a_reason(self):
        self.refused("<!-- shown only: -->\n```sh\nls\n```\n", "REASON")

    def test_an_unknown_kind_field_or_language_is_refused(self):
        self.refused("<!-- run: moon -->\n```sh\nls\n```\n", "'run: moon'")
        self.refused("<!-- run: sim\nstat: 4\n-->\n```sh\nls\n```\n", "no field 'stat: 4'")
        self.refused("<!-- run: sim -->\n```bash\nls\n```\n", "'bash'")

    def test_a_marker_without_its_block_is_refused(self):
        self.refused("<!-- run: sim -->\ntext\n", "followed by a block")

    def test_a_block_that_does_not_end_or_has_no_command_is_refused(self):
        self.refused("<!-- run: sim -->\n```sh\nls\n", "does not end")
        self.refused("<!-- run: sim -->\n```console\noutput\n```\n", "does not begin")
        self.refused("<!-- run: sim -->\n```sh\n\n```\n", "no command")

    def test_commands_outputs_and_fields_are_read(self):
        path = self.document("# Page\n<!-- run: lab\nstatus: 4\nbefore: one\nbefore: two\n-->\n"
                             "```console\n$ first \\\n  --more\nout 1\n\nout 2\n$ second\n```\n")
        (block,) = blocks.parse(path)
        self.assertEqual((block.kind, block.status, block.before, block.line),
                         ("lab", 4, ["one", "two"], 7))
        self.assertEqual([command.text for command in block.commands],
                         ["first \\\n  --more", "second"])
        self.assertEqual(block.commands[0].output, ["out 1", "", "out 2"])


class Masks(unittest.TestCase):
    REPORT = ["radosload 0.1.0, run 20261121-040012-9f3a, 2026-11-21T04:00:12Z", "",
              "  where     pool hdd", "            ops  IOPS    p99  p99.9",
              "  read    7,500   300   2 ms      -", "  note      too few operations (p99 takes",
              "            3,688)", "  osd.1  node1  ▁▃█▃  12 %"]

    def same(self, documented, printed, exact=True):
        self.assertEqual(masks.differences(documented, printed, exact), [])

    def differ(self, documented, printed, exact=True):
        self.assertNotEqual(masks.differences(documented, printed, exact), [])

    def test_slow_operations_and_units_of_tables_depend_on_the_moment(self):
        self.same(["  Latency in ms:", "  slowest   ms  object  offset       sent (UTC)",
                   "  write   81.6  a.1      3,137  18:32:55.564781", "  where they waited:",
                   "    1. in the queue of osd.1: 71.5 ms"],
                  ["  Latency in us:", "  slowest    s  object  offset       sent (UTC)",
                   "  read    72.0  a.2        393  18:32:55.574428"])
        self.differ(["  read  72.0  a.2  393"], ["  slow  72.0  a.2  393"])

    def test_which_operations_are_slow_decides_on_columns(self):
        usual = ["  slowest   ms  OSD    object  offset       sent (UTC)"]
        self.same(usual, ["  slowest   ms  outcome  OSD    object  offset       sent (UTC)"])
        self.same(usual, ["  slowest   ms  service  outcome  OSD    object  offset       sent (UTC)"])
        self.differ(usual, ["  slowest   ms  object  offset       sent (UTC)"])
        self.differ(usual, ["  slowest   ms  reason  OSD    object  offset       sent (UTC)"])

    def test_other_figures_times_ids_and_widths_are_the_same(self):
        self.same(self.REPORT,
                  ["radosload 0.2.0, run 20270101-000000-0000, 2027-01-01T00:00:00Z", "",
                   "  where     pool hdd", "           ops   IOPS   p99   p99.9",
                   "  read      75  1,300  2.5 us  <3 s", "  note      too few operations",
                   "            (p99 takes 4)", "  osd.13  node1  █▁▁▃█▃  1 %"])

    def test_another_word_a_missing_and_an_additional_line_are_differences(self):
        for number, line in enumerate(self.REPORT):
            if line:
                shorter = self.REPORT[:number] + self.REPORT[number + 1:]
                self.differ(self.REPORT, shorter)
                self.differ(shorter, self.REPORT)
            changed = re.sub(r"[a-z]{3,}", "other", line, count=1)
            if changed != line:
                self.differ(self.REPORT, [*self.REPORT[:number], changed, *self.REPORT[number + 1:]])

    def test_names_keep_their_digits(self):
        self.differ(["pattern randrw4k"], ["pattern randrw8k"])
        self.differ(["p99"], ["p50"])
        self.differ(["host node1"], ["host node2"])

    def test_rows_of_one_form_may_be_more_or_fewer(self):
        self.same(["osd.1  2 ms", "osd.2  3 ms"], ["osd.7  2 s"])

    def test_bars_may_have_any_length(self):
        self.same(["  0.5 -  1 ms  ###    6  0.06 %", "    1 -  2 ms         0  0.00 %"],
                  ["  0.5 -  1 ms  |      6  0.06 %"])
        self.same(["  IOPS  \u2581\u2583 \u2588  max 400"], ["  IOPS  #### ##   max 1"])

    def test_notes_may_come_and_go_on_a_cluster_only(self):
        without = [line for line in self.REPORT if "note" not in line and "3,688" not in line]
        self.same(self.REPORT, without, exact=False)
        self.differ(self.REPORT, without, exact=True)

    def test_progress_comes_only_with_what_takes_long(self):
        self.same(["time: osd.0: benchmark, 2 s", "time bench, OSDs 0"], ["time bench, OSDs 3"], exact=False)
        self.differ(["time: osd.0: benchmark, 2 s"], [], exact=True)

    def test_an_interval_may_be_missing_on_a_cluster_only(self):
        whole, bare = ["osd.0  2  300 (290 .. 310)  4 ms (3 ms .. 5 ms)"], ["osd.0  2  300  4 ms"]
        self.same(whole, bare, exact=False)
        self.differ(whole, bare, exact=True)
        self.differ(["osd.0  300 (290 .. 310)"], ["osd.0  300 (290 to 310)"], exact=False)

    def test_prose_may_be_wrapped_elsewhere(self):
        before = "osd.0 is slow: " + "word " * 16 + "(38 to"
        self.assertEqual(len(before), 101)
        self.same([before[1:], "105)."], [before[1:].replace("38", "3") + " 10)."])
        self.differ(["osd.0 is slow (38 to", "105)."], ["osd.0 is slow (38 to 105)."])

    def test_the_verdict_on_an_osd_that_is_not_far_off_may_vary(self):
        self.same(["osd.1  -8 % (-31 % to +23 %)  701 ms  not told apart"],
                  ["osd.1  +1 % (-3 % to +2 %)  -  like the others"])
        self.same(["osd.0  x34 (x22 to x52)  34 ms  slow"], ["osd.0  x2.1 (+80 % to x4)  9 ms  slow"])
        self.same(["osd.1  -8 % (-31 % to +23 %)  7 ms  inconclusive"],
                  ["osd.1  +9 % (-31 % to x2.1)  7 ms  not identifiable"])
        self.same(["osd.1  x0.99 (x0.83 to x1.18)  694 ms  like the others"],
                  ["osd.1  x0.97 (x0.48 to x1.95)  9 ms  inconclusive"])
        self.differ(["osd.0  x34 (x22 to x52)  34 ms  slow"], ["osd.0  x34 (x22 to x52)  34 ms  fast"])

    def test_numbers_are_masked_whole(self):
        self.assertEqual(masks.masked("acting osd.1: 2 PGs on 1,2,0 and 1,3,2"), "acting osd.N: N PGs on N")
        self.assertEqual(masks.masked("-415,-415,1406,read,12,,0,"), "N,read,N,,N,")
        self.assertEqual(masks.masked("12,345 > 1,2"), "N N")
        self.assertEqual(masks.masked("x96 (x44 to x208)  +13 %  > 8 s  1.5 GiB  osd.3"),
                         "EFFECT N % N N osd.N")


if __name__ == "__main__":
    unittest.main()
