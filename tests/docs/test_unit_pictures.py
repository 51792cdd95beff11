"""The terminal and the drawing behind the pictures of README and docs/."""

import os
import re
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import support  # noqa: F401  (makes the tools known)

import capture
import svg
from screen import PLAIN, Screen, Style

SVG = "{http://www.w3.org/2000/svg}"


def shown(data, columns=40):
    screen = Screen(columns)
    screen.feed(data)
    return screen.text()


class Screens(unittest.TestCase):
    def test_lines_are_overwritten_and_erased(self):
        self.assertEqual(shown(b"one\r\ntwo\r\n"), ["one", "two", ""])
        self.assertEqual(shown(b"10 %\r\x1b[K20 %"), ["20 %"])
        self.assertEqual(shown(b"long line\rshort"), ["shortline"])
        self.assertEqual(shown(b"a\tb"), ["a       b"])

    def test_a_frame_is_drawn_over_itself(self):
        frame = b"first\r\nsecond\r\n"
        self.assertEqual(shown(frame + b"\x1b[2A\r\x1b[Jthird\r\n"), ["third", ""])

    def test_a_sequence_or_character_may_come_in_parts(self):
        screen = Screen(40)
        for byte in "x\r\n\x1b[1A\x1b[31m\u2588\x1b[0m".encode():
            screen.feed(bytes([byte]))
        self.assertEqual(screen.text(), ["\u2588", ""])
        self.assertEqual(screen.lines[0][0][1], Style(1))

    def test_a_long_line_goes_on_below(self):
        self.assertEqual(shown(b"abcdef", 4), ["abcd", "ef"])

    def test_colours_begin_and_end(self):
        screen = Screen(40)
        screen.feed(b"a\x1b[1;31mb\x1b[0mc\x1b[92md\x1b[39me\x1b[2mf\x1b[22mg")
        styles = [style for _, style in screen.lines[0]]
        self.assertEqual(styles, [PLAIN, Style(1, True), PLAIN, Style(10), PLAIN,
                                  Style(dim=True), PLAIN])

    def test_modes_and_titles_are_not_shown(self):
        self.assertEqual(shown(b"\x1b[?25la\x1b]0;title\x07b\x1b[?25h"), ["ab"])


SOURCE = Path(__file__).resolve().parents[2]


def text_of(picture):
    root = ElementTree.parse(SOURCE / "docs" / "pictures" / picture).getroot()
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def headings(report):
    """What a line of a report begins with: "measured", "Latency in ms:", "slowest"."""
    for line in report:
        if match := re.match(r"  ([a-z]{4,9})  +\S|  ([A-Z]\w*(?: [a-z]+)*)", line):
            yield match[1] or match[2]


class OnDisk(unittest.TestCase):
    """Tests run the blocks of README on a cluster, so they are new; pictures must not be older."""
    # A simulated cluster has no ID, and no routing to verify.
    ONLY_OF_CLUSTERS = frozenset(("cluster", "routing", "verified"))

    def setUp(self):
        self.readme = (SOURCE / "README.md").read_text(encoding="utf-8").splitlines()

    def test_the_first_picture_is_of_the_first_run_in_readme(self):
        commands = [line for line in self.readme if line.startswith("radosload --target sim")]
        self.assertEqual(len(commands), 1)
        self.assertEqual(sum(commands[0] in text for text in text_of("live.svg")), 2)

    def test_columns_do_not_depend_on_how_blanks_are_drawn(self):
        for picture in (SOURCE / "docs" / "pictures").glob("*.svg"):
            for text in text_of(picture.name):
                self.assertNotIn("  ", text, picture.name)

    def test_a_report_in_a_picture_has_the_parts_of_the_report_in_readme(self):
        begin = self.readme.index("## The report")
        shown = "\n".join(text_of("live.svg"))
        found = set(headings(self.readme[begin:self.readme.index("```", begin)])) - self.ONLY_OF_CLUSTERS
        self.assertGreater(len(found), 9)
        for heading in sorted(found):
            self.assertRegex(shown, rf"(?m)^\s*{re.escape(heading)}", "run tools/docs/pictures")


class Pictures(unittest.TestCase):
    def drawn(self, data, columns=40):
        screen = Screen(columns)
        screen.feed(data)
        return ElementTree.fromstring(svg.picture([("caption", screen.snapshot())], columns, "A <title>"))

    def test_each_run_of_one_style_is_a_text_at_its_column(self):
        texts = self.drawn(b"a & b  \x1b[31m<red>\x1b[0m\r\n  next").findall(f".//{SVG}text")
        self.assertEqual([text.text for text in texts], ["caption", "a & b", "<red>", "next"])
        left = [float(text.get("x")) for text in texts[1:]]
        self.assertEqual([round((x - svg.MARGIN) / svg.WIDTH) for x in left], [0, 7, 2])
        self.assertEqual(float(texts[2].get("textLength")), round(5 * svg.WIDTH, 1))
        self.assertEqual(texts[2].get("fill"), svg.PALETTE[1])
        self.assertIsNone(texts[1].get("fill"))
        self.assertLess(int(texts[1].get("y")), int(texts[3].get("y")))

    def test_bars_are_apart_from_letters(self):
        texts = self.drawn("p99 \u2581\u2588 9 ms".encode()).findall(f".//{SVG}text")
        self.assertEqual([text.text for text in texts[1:]], ["p99", "\u2581\u2588", "9 ms"])

    def test_panels_stand_below_each_other_within_the_picture(self):
        line = [("x", PLAIN)]
        root = ElementTree.fromstring(svg.picture([("one", [line] * 3), ("two", [line])], 10, "t"))
        tops = [float(rect.get("y")) for rect in root.iter(f"{SVG}rect")]
        heights = [float(rect.get("height")) for rect in root.iter(f"{SVG}rect")]
        self.assertGreater(tops[1], tops[0] + heights[0])
        self.assertLessEqual(tops[1] + heights[1], float(root.get("height")))


    def test_a_long_command_goes_on_in_a_second_line(self):
        lines = capture.prompt("radosload --pool hdd --time 40s", 24)
        texts = ["".join(character for character, _ in line) for line in lines]
        self.assertEqual(texts, ["$ radosload --pool \\", "    hdd --time 40s"])
        self.assertTrue(all(len(text) <= 24 for text in texts))


def seconds_of(moment):
    return float(moment.removeprefix("film.begin").removeprefix("+").removesuffix("s") or 0)


class Recordings(unittest.TestCase):
    FRAMES = ((0, []), (1, ["$ run"]), (2, ["$ run", "", "10 %"]), (3.5, ["$ run", "", "done"]))

    def setUp(self):
        frames = [(seconds, [[(character, PLAIN) for character in line] for line in lines])
                  for seconds, lines in self.FRAMES]
        self.root = ElementTree.fromstring(svg.recording([("one", frames)], 10, "t", still=5))

    def at(self, seconds):
        """The texts that are visible so long after the film's begin; None: where nothing is played."""
        for group in self.root.iter(f"{SVG}g"):
            moves = group.findall(f"{SVG}set")
            if not moves:
                continue
            visible = group.get("visibility") != "hidden"
            for move in moves:
                begin, end = seconds_of(move.get("begin")), seconds_of(move.get("end"))
                if seconds is not None and begin <= seconds < end:
                    visible = move.get("to") == "visible"
            if visible:
                yield group.find(f"{SVG}text").text

    def test_each_moment_shows_the_lines_of_its_frame(self):
        for moment, frame in ((0.5, 0), (1, 1), (1.9, 1), (2, 2), (3.4, 2), (3.5, 3), (8, 3)):
            self.assertEqual(sorted(self.at(moment)), sorted(filter(None, self.FRAMES[frame][1])), moment)

    def test_a_viewer_that_plays_nothing_shows_the_end(self):
        self.assertEqual(list(self.at(None)), ["$ run", "done"])

    def test_it_begins_again_after_a_while(self):
        film = self.root.find(f".//{SVG}animate")
        self.assertEqual((film.get("dur"), film.get("begin")), ("8.5s", "0s;film.end"))


class Captures(unittest.TestCase):
    def test_a_command_gets_a_terminal_of_the_width_asked_for(self):
        done = self.capture("test -t 1 && stty size", 77)
        self.assertEqual((done.status, done.text), (0, [f"{capture.ROWS} 77"]))

    def test_moments_and_actions_come_when_their_test_holds(self):
        with tempfile.TemporaryDirectory() as folder:
            go_on = os.path.join(folder, "go-on")
            done = self.capture(f"printf 'first\\r'; until test -e {go_on}; do sleep 0.02; done; "
                                "echo second; exit 3", 40,
                                [("before", lambda _, screen: screen.text() == ["first"])],
                                [(lambda _, screen: screen.text() == ["first"],
                                  lambda: open(go_on, "w").close())])
        self.assertEqual((done.status, done.text), (3, ["second"]))
        self.assertEqual("".join(character for character, _ in done.moments["before"][0]), "first")

    def capture(self, command, columns, moments=(), actions=()):
        done = capture.capture(command, dict(os.environ), "/", columns, moments, actions)
        done.text = ["".join(character for character, _ in line) for line in done.end]
        return done


if __name__ == "__main__":
    unittest.main()
