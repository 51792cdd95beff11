"""check_rooms.py is killed by every bad thing it is there for, and by nothing else."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).with_name("check_rooms.py")

ROOMS = {"base": {"depends": [], "uses": ["fmt", "expected"]},
         "cluster": {"depends": ["base"], "uses": ["rados"]},
         "cli": {"depends": ["base", "cluster"], "uses": ["cli11"]}}
HEADER = "// What it owns.\n#pragma once\n"
MAP = """| room | owns | depends on |
| --- | --- | --- |
| `include/radosload` | words | |
| `base` | results | |
| `cluster` | handles | base |
| `cli` | words | base, cluster |
"""
TREE = {
    "ARCHITECTURE.md": MAP,
    "include/radosload/units.h": HEADER + "#include <chrono>\n#include <tl/expected.hpp>\n",
    "src/base/text.h": HEADER + '#include "radosload/units.h"\n',
    "src/base/text.cc": '#include "base/text.h"\n#include <fmt/format.h>\n#include <sys/stat.h>\n',
    "src/cluster/handle.cc": '#include "base/text.h"\n#include <rados/librados.hpp>\n',
    "src/cli/main.cc": '#include "cluster/handle.h"\n#include <CLI/CLI.hpp>\n',
    "tests/unit/base_text_test.cc": '#include "base/text.h"\n',
    "tools/devlib/x.sh": "true\n",
}


def run(tree, rooms):
    """The check's exit status and what it printed about such a tree."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        graph = Path(folder, "rooms.json")
        graph.write_text(json.dumps(rooms), encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", CHECK, graph, folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


class CheckRooms(unittest.TestCase):
    def test_a_good_tree_passes(self):
        self.assertEqual(run(TREE, ROOMS), (0, "rooms: 3, complaints: 0\n"))

    def planted(self, name, text, reason):
        """One bad file is one complaint, about that file, for that reason."""
        status, printed = run({**TREE, name: text}, ROOMS)
        self.assertIn(f"{name}: {reason}", printed)
        self.assertTrue(printed.endswith("complaints: 1\n"), printed)
        self.assertEqual(status, 1)

    def test_an_edge_outside_the_graph_is_refused(self):
        self.planted("src/base/bad.cc", '#include "cluster/handle.h"\n',
                     '"cluster/handle.h": room base does not depend on cluster')
        self.planted("src/cluster/deep/bad.cc", '  #  include "cli/program.h"\n',
                     '"cli/program.h": room cluster does not depend on cli')

    def test_an_edge_of_an_edge_is_not_an_edge(self):
        rooms = {**ROOMS, "cli": {"depends": ["cluster"], "uses": ["cli11"]}}
        tree = {**TREE, "src/cli/bad.cc": '#include "base/text.h"\n'}
        self.assertIn("room cli does not depend on base", run(tree, rooms)[1])

    def test_a_room_that_does_not_exist_is_refused(self):
        self.planted("src/cli/bad.cc", '#include "attic/old.h"\n',
                     '"attic/old.h": there is no room attic')

    def test_a_folder_that_is_no_room_is_refused(self):
        status, printed = run({**TREE, "src/attic/old.cc": ""}, ROOMS)
        self.assertEqual(status, 1)
        self.assertIn("src/attic is not a room", printed)

    def test_an_include_names_its_room(self):
        self.planted("src/base/bad.cc", '#include "text.h"\n', '"text.h" does not name its room')

    def test_a_library_needs_to_be_named(self):
        self.planted("src/base/bad.cc", "#include <rados/librados.h>\n",
                     "<rados/librados.h>: room base does not name rados in USES")
        self.planted("src/cli/bad.cc", "#include <zlib.h>\n",
                     "<zlib.h>: room cli does not name zlib in USES")

    def test_an_unknown_library_is_refused(self):
        self.planted("src/base/bad.cc", "#include <absl/strings/str_cat.h>\n",
                     "<absl/strings/str_cat.h> is a library that")

    def test_the_vocabulary_never_includes_src(self):
        self.planted("include/radosload/bad.h", HEADER + '#include "base/text.h"\n',
                     '"base/text.h": include/radosload may not include src/')

    def test_the_vocabulary_uses_expected_alone(self):
        self.planted("include/radosload/bad.h", HEADER + "#include <fmt/format.h>\n",
                     "<fmt/format.h>: include/radosload does not name fmt in USES")

    def test_a_cycle_is_refused(self):
        rooms = {**ROOMS, "base": {"depends": ["cli"], "uses": ["fmt", "expected"]}}
        status, printed = run(TREE, rooms)
        self.assertEqual(status, 1)
        self.assertIn("a cycle of rooms: base -> cli -> base", printed)
        rooms = {**ROOMS, "base": {"depends": ["base"], "uses": ["fmt", "expected"]}}
        self.assertIn("a cycle of rooms: base -> base", run(TREE, rooms)[1])

    def test_the_map_is_true(self):
        for text, reason in (
                (MAP.replace("| base, cluster |", "| cluster |"), "room cli depends on base, cluster"),
                (MAP.replace("| handles | base |", "| handles | |"), "room cluster depends on base"),
                (MAP.replace("`base`", "`attic`"), "there is no room attic"),
                (MAP.replace("| `cli` | words | base, cluster |\n", ""), "no row for room cli")):
            status, printed = run({**TREE, "ARCHITECTURE.md": text}, ROOMS)
            self.assertEqual(status, 1)
            self.assertIn(f"ARCHITECTURE.md: {reason}\n", printed)

    def test_a_long_file_is_refused(self):
        self.planted("tests/unit/base_long_test.cc", "\n" * 401, "401 lines, 400 is the limit")
        self.planted("tools/devlib/long.sh", "\n" * 401, "401 lines, 400 is the limit")
        status, _ = run({**TREE, "src/base/long.cc": "\n" * 400}, ROOMS)
        self.assertEqual(status, 0)

    def test_a_folder_that_a_program_may_create_is_refused(self):
        text = 'run({"--conf", "/nonexist' 'ent/ceph.conf"});\n'
        self.planted("tests/cli/status_cli_test.cc", text, "a program may create that folder")

    def test_a_header_has_pragma_once(self):
        self.planted("src/base/bad.h", "// What it owns.\n", "a header without #pragma once")

    def test_a_header_opens_with_a_paragraph(self):
        self.planted("src/base/bad.h", "#pragma once\n", "a header opens with a paragraph")


if __name__ == "__main__":
    unittest.main()
