"""What the tests of the documents share: the tools under test, and documents made for a test."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "tools" / "docs"), str(SOURCE / "tests" / "support")]

import blocks  # noqa: E402  (the path has to be known first)
import runs  # noqa: E402


def program():
    return Path(os.environ["RADOSLOAD_BINARY_DIR"], "src/radosload")


class DocumentCase(unittest.TestCase):
    def document(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "page.md")
        path.write_text(text, encoding="utf-8")
        return path

    def check_all(self, kind, lab=None):
        """Every block of that kind in README and docs/ shows what the program prints."""
        paths = [path for path in blocks.documents(SOURCE)
                 if any(block.kind == kind for block in blocks.parse(path))]
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(document=path.name):
                stale = runs.complaints(path, kind, program(), lab)
                self.assertEqual(stale, [], "tools/docs/refresh rewrites them:\n" + "\n\n".join(stale))
