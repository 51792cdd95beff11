"""packaging/ beside what it has to agree with: the version, the lists of packages, the units."""

import os
import re
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
DEBIAN = SOURCE / "packaging" / "debian"


def read(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def listed(name):
    """The packages of tools/packages/NAME.txt."""
    lines = (line.partition("#")[0].split() for line in read(f"tools/packages/{name}.txt").split("\n"))
    return {words[0] for words in lines if words}


def stanzas():
    """{package or "source": {field: value}} of debian/control."""
    found = {}
    for stanza in (DEBIAN / "control").read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+):((?:.*\n?)(?:[ \t].*\n?)*)", stanza, re.MULTILINE))
        found[fields.get("Package", "source").strip()] = fields
    return found


def names(field):
    """The packages in a field of relations, without versions, profiles and variables."""
    entries = (entry.strip() for entry in field.split(","))
    return {entry.split()[0] for entry in entries if entry and not entry.startswith("$")}


class Packaging(unittest.TestCase):
    def test_the_version_is_that_of_the_program(self):
        program = re.search(r"project\(radosload VERSION ([\d.]+)", read("CMakeLists.txt"))[1]
        changelog = re.match(r"radosload \(([^)]+)\) unstable;", read("packaging/debian/changelog"))
        self.assertIsNotNone(changelog, "`tools/dev deb` replaces this very form")
        self.assertEqual(changelog[1], program)

    def test_the_lab_asks_for_what_setup_installs_for_it(self):
        depends = names(stanzas()["radosload-lab"]["Depends"])
        # What is essential is there without being asked for, which lintian insists on.
        self.assertEqual(depends, listed("lab") - {"util-linux"})

    def test_what_the_build_asks_for_is_what_setup_installs(self):
        wanted = names(stanzas()["source"]["Build-Depends"])
        self.assertIn("librados-dev", wanted)
        missing = wanted - listed("build") - listed("lab") - listed("deb") - {"debhelper-compat"}
        self.assertEqual(missing, set())
        self.assertIn("debhelper", listed("deb"))

    def test_every_library_is_asked_for(self):
        # What one release alone has are tools for checking.
        lines = (line.split() for line in read("tools/packages/build.txt").split("\n"))
        libraries = {words[0] for words in lines if len(words) == 1 and words[0].endswith("-dev")}
        self.assertEqual(libraries - names(stanzas()["source"]["Build-Depends"]), set())

    def test_what_is_embedded_is_asked_for_and_named(self):
        self.assertIn("libjs-dygraphs", names(stanzas()["source"]["Build-Depends"]))
        self.assertIn("libjs-dygraphs", read("packaging/debian/copyright"))

    def test_installing_without_packages_finds_every_file_built(self):
        target = re.search(r"--target (\w+)\nsudo cmake --install ", read("docs/installing.md"))[1]
        build = Path(os.environ["RADOSLOAD_BINARY_DIR"])
        graph = subprocess.run(["ninja", "-C", build, "-t", "graph", target], text=True,
                               capture_output=True, check=True, timeout=60).stdout
        built = {str(build / path) for path in re.findall(r'\[label="([^"]+)"\]', graph)}
        script = (build / "packaging" / "cmake_install.cmake").read_text(encoding="utf-8")
        installed = re.findall(rf'FILES "({re.escape(str(build))}/[^"]+)"', script)
        self.assertIn(str(build / "src" / "radosload"), installed)
        for path in installed:
            there = any(name.startswith(path) for name in built) if path.endswith("/") else path in built
            self.assertTrue(there or Path(path).is_symlink(), f"{target} does not build {path}")

    def test_every_override_is_explained(self):
        for path in DEBIAN.glob("*.lintian-overrides"):
            before = ""
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.startswith("#"):
                    self.assertTrue(before.startswith("# "), f"{path.name}: {line}")
                before = line


if __name__ == "__main__":
    unittest.main()
