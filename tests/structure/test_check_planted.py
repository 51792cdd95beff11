"""The planted bugs of tests/planted can be planted in the sources as they are, and the script that
plants them refuses what would prove nothing. Planting them all takes minutes: tools/dev planted."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tests/planted/check.py"

SOURCE = "int one() {\n  return 1;\n}\n"
TEST = "TEST(One, IsOne) {}\n"
PATCH = """What: One is two.
Program: unit_base
Killed by: One.IsOne

--- a/src/one.cc
+++ b/src/one.cc
@@ -1,3 +1,3 @@
 int one() {
-  return 1;
+  return 2;
 }
"""


def check(source):
    return subprocess.run([sys.executable, "-B", CHECK, source, source / "build", "--fits"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def check_tree(source=SOURCE, test=TEST, patch=PATCH):
    with tempfile.TemporaryDirectory() as folder:
        files = {"src/one.cc": source, "tests/unit/base_one_test.cc": test,
                 "tests/planted/one.patch": patch}
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(Path(folder))


class CheckPlanted(unittest.TestCase):
    def test_the_bugs_fit(self):
        done = check(ROOT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_good_patch_is_accepted(self):
        done = check_tree()
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_patch_that_does_not_fit_is_refused(self):
        done = check_tree(source=SOURCE.replace("1", "one"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not apply", done.stdout)

    def test_a_test_that_does_not_exist_is_refused(self):
        done = check_tree(test=TEST.replace("IsOne", "IsAnother"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no test One.IsOne", done.stdout)

    def test_a_patch_without_a_head_is_refused(self):
        done = check_tree(patch=PATCH.replace("What", "Why"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not begin with", done.stdout)


if __name__ == "__main__":
    unittest.main()
