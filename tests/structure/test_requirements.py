"""What pip installs for the tests: known by hashes, and built by nothing that is not."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FILES = ("tests/requirements.txt", "tests/requirements-source.txt")
# Stands for Python: makes an environment that holds itself, and notes how it is called.
STUB = """#!/bin/sh
echo "$*" >>{log}
if [ "$2" = venv ]; then mkdir -p "$4/bin" && cp "$0" "$4/bin/python3"; fi
"""


def requirements(name):
    lines = (SOURCE / name).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


class Requirements(unittest.TestCase):
    def test_each_has_an_exact_version_and_a_hash(self):
        for name in FILES:
            self.assertTrue(requirements(name))
            for line in requirements(name):
                self.assertRegex(line, r"^[\w-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}")

    def test_what_builds_archives_is_among_the_wheels(self):
        wheels = {re.match(r"[\w-]+", line)[0] for line in requirements(FILES[0])}
        self.assertLessEqual({"setuptools", "pbr"}, wheels)

    def test_setup_takes_nothing_without_a_hash(self):
        with tempfile.TemporaryDirectory(prefix="setup-") as folder:
            log, python = Path(folder) / "log", Path(folder) / "python"
            python.write_text(STUB.format(log=log))
            python.chmod(0o755)
            script = (f"set -eu; ROOT={SOURCE}; say() {{ :; }}; die() {{ exit 9; }}; "
                      f". {SOURCE}/tools/devlib/setup.sh; PYTHON={python}; VENV={folder}/venv; "
                      "setup_python")
            subprocess.run(["bash", "-c", script], check=True, timeout=60)
            installs = [line for line in log.read_text().splitlines() if "pip install" in line]
        self.assertEqual(len(installs), len(FILES))
        for line, name in zip(installs, FILES):
            self.assertIn("--require-hashes --no-deps", line)
            self.assertIn(f"--requirement {SOURCE}/{name}", line)
        self.assertIn("--only-binary :all:", installs[0])
        self.assertIn("--no-build-isolation", installs[1])


if __name__ == "__main__":
    unittest.main()
