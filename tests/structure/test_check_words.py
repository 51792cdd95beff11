"""check_words.py finds every phrase of its table where a user reads it, and nothing elsewhere."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).with_name("check_words.py")


def phrases():
    spec = importlib.util.spec_from_file_location("check_words", CHECK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.PHRASES


def run(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"src/base/good.cc": 'auto a = "cannot open {}";\n',
                           "README.md": "Plain words.\n", **files}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", CHECK, folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


class CheckWords(unittest.TestCase):
    def planted(self, name, text, complaint):
        status, printed = run({name: text})
        self.assertIn(complaint, printed)
        self.assertIn("complaints: 1\n", printed)
        self.assertEqual(status, 1)

    def passes(self, name, text):
        status, printed = run({name: text})
        self.assertIn("complaints: 0\n", printed)
        self.assertEqual(status, 0)

    def test_plain_words_pass(self):
        self.assertEqual(run({}), (0, "words: 2 files, complaints: 0\n"))

    def test_each_phrase_of_the_table_is_found(self):
        files = {f"src/base/bad{number}.cc": f'auto a = "{sentence}";\n'
                 for number, (_, _, sentence) in enumerate(phrases())}
        status, printed = run(files)
        self.assertEqual(status, 1)
        for number, (_, plain, _) in enumerate(phrases()):
            lines = [line for line in printed.splitlines()
                     if line.startswith(f"src/base/bad{number}.cc:1: ")]
            self.assertTrue(any(line.endswith(f"write {plain}") for line in lines), plain)

    def test_strings_are_checked_in_sources_headers_and_includes(self):
        self.planted("src/base/bad.cc", 'f("somebody has it open");\n',
                     "src/base/bad.cc:1: 'somebody': write 'another client'")
        self.planted("src/base/bad.h", '\nf("Whoever asks");\n', "src/base/bad.h:2: 'Whoever'")
        self.planted("include/radosload/bad.h", 'f("the run goes on");\n', "'goes on'")

    def test_a_phrase_over_two_literals_is_found(self):
        self.planted("src/base/bad.cc", 'f("x");\nf("the run goes "\n  "on");\n',
                     "src/base/bad.cc:2: 'goes on'")

    def test_raw_strings_and_strings_with_quotes_are_checked(self):
        self.planted("src/base/bad.cc", 'f(R"(a "quoted" nobody)");\n', "'nobody'")
        self.planted("src/base/bad.cc", 'f(R"x(one\nnobody)x");\n', "src/base/bad.cc:2: 'nobody'")
        self.planted("src/base/bad.cc", r'f("a \" nobody");', "'nobody'")
        self.planted("src/base/bad.cc", "if (c == '\"') f(\"nobody\");\n", "'nobody'")

    def test_an_escape_is_no_letter_of_a_word(self):
        self.planted("src/base/bad.cc", r'f("first\nnobody");', "'nobody'")

    def test_quotes_in_comments_begin_no_string(self):
        self.passes("src/cli/note.cc", '// a " quote\nint nobody;\n/* " */ int whoever; // "\nf("//x");\n')

    def test_comments_of_all_rooms_are_checked(self):
        self.planted("src/cli/note.cc", "/* whoever\n asks */\n", "src/cli/note.cc:1: 'whoever'")
        self.planted("src/new_room/part/note.cc", "// nobody\n", "src/new_room/part/note.cc:1: 'nobody'")
        self.planted("src/base/note.cc", "int a;\n// Nobody reads it.\n", "src/base/note.cc:2: 'Nobody'")
        self.planted("include/radosload/note.h", "int a;  // it is not ours\n", "note.h:1: 'not ours'")
        self.planted("src/plan/note.h", "// The run goes\n// on.\n", "src/plan/note.h:1: 'goes on'")
        self.passes("src/base/note.cc", "int a;  // it goes\nint b;  // on\n")

    def test_all_documents_schemas_and_studies_are_checked(self):
        for name in ("ARCHITECTURE.md", "CHANGELOG.md", "tests/PROMISES.md"):
            self.planted(name, "one\n\nwhoever asks\n", f"{name}:3: 'whoever'")
        self.planted("schema/x.json", '{"description":\n "What was asked for."}\n', "schema/x.json:2: ")
        self.planted("studies/x.yaml", "# it goes on\n", "studies/x.yaml:1: 'goes on'")

    def test_names_in_code_are_not_checked(self):
        self.passes("src/base/note.cc", "int nobody = whoever();\n")

    def test_parts_of_words_are_not_found(self):
        self.passes("src/base/note.cc", 'f("no onerous step; hours; it is no longer there");\n')

    def test_there_is_no_such_pool_is_plain(self):
        self.passes("src/base/note.cc", 'f("there is no pool named {}");\n')

    def test_documents_are_checked(self):
        self.planted("README.md", "# Title\n\nThe run\ngoes\non.\n", "README.md:4: 'goes on'")
        self.planted("docs/deep/page.md", "| nobody |\n", "docs/deep/page.md:1: 'nobody'")

    def test_code_in_documents_is_not_checked(self):
        self.passes("docs/page.md", "Use `--nobody`.\n\n```\nthe run goes on\n```\n")

    def test_what_follows_a_code_block_is_checked_at_its_line(self):
        self.planted("docs/page.md", "```\nwhoever\n```\n\nfor nobody\n", "docs/page.md:5: 'nobody'")

    def test_other_files_are_not_checked(self):
        self.passes("docs/page.txt", "nobody\n")
        self.passes("tests/x.cc", 'f("nobody");\n')


if __name__ == "__main__":
    unittest.main()
