"""tests/fuzz/corpus.py: every kept input is replayed, and an archive that lost its inputs fails. The
replay program is the real one of the target config."""

import hashlib
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
TOOL = SOURCE / "tests" / "fuzz" / "corpus.py"
CORPUS = SOURCE / "tests" / "fuzz" / "corpus"
REPLAY = Path(os.environ.get("RADOSLOAD_BINARY_DIR", SOURCE / "build" / "asan"),
              "tests", "replay_config")
TARGETS = sorted(path.name.removesuffix("_fuzz.cc") for path in TOOL.parent.glob("*_fuzz.cc"))
NAMED = {"one-section": b"[run]\ntime = 2m\n", "empty": b""}
FOUND = (b"[", b"[a]\nx = 1\n", b"\r\n")
# Stands for fuzz_config: the merge adds one input to the first folder, which is the fourth word.
FUZZER = """#!/bin/sh
[ "$1" = -merge=1 ] && printf '[new]' >"$4/{name}"
exit 0
"""


def sha1(data):
    return hashlib.sha1(data).hexdigest()


def write(folder, inputs):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in inputs.items():
        (folder / name).write_bytes(data)


class MadeUpCorpus(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="corpus-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.corpus = self.root / "corpus"
        self.archive = self.corpus / "config.tar.xz"
        self.unpacked = self.root / "unpacked"
        self.inputs = {**NAMED, **{sha1(data): data for data in FOUND}}
        write(self.corpus / "config", NAMED)
        write(self.root / "all", self.inputs)
        self.succeeds("pack", self.root / "all")

    def run_tool(self, command, folder, *more):
        return subprocess.run([sys.executable, "-B", TOOL, "--corpus", self.corpus, command,
                               "config", folder, *more], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False)

    def succeeds(self, command, folder, *more):
        done = self.run_tool(command, folder, *more)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def replay_fails(self, message):
        done = self.run_tool("replay", self.unpacked, REPLAY)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(message, done.stdout)
        self.assertNotIn("Traceback", done.stdout)


class Replay(MadeUpCorpus):
    def test_named_and_packed_inputs_all_run(self):
        printed = self.succeeds("replay", self.unpacked, REPLAY).splitlines()
        self.assertEqual(printed[0], "config: 5 inputs")
        self.assertEqual({Path(line).name for line in printed[1:-1]}, set(self.inputs))
        self.assertEqual(printed[-1], "5 of 5 inputs")

    def test_files_of_an_earlier_run_are_not_counted(self):
        write(self.unpacked, {"left-over": b"["})
        self.assertIn("5 of 5 inputs", self.succeeds("replay", self.unpacked, REPLAY))

    def test_another_count_than_expected_fails(self):
        for expected in ("4", "6"):
            done = subprocess.run([REPLAY, expected, self.root / "all"], stdout=subprocess.PIPE,
                                  text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(f"5 of {expected} inputs", done.stdout)

    def test_status_of_the_program_is_that_of_the_replay(self):
        self.assertEqual(self.run_tool("replay", self.unpacked, "/bin/false").returncode, 1)

    def test_missing_archive_fails(self):
        self.archive.unlink()
        self.replay_fails(f"cannot read {self.archive}")

    def test_archive_of_no_bytes_fails(self):
        self.archive.write_bytes(b"")
        self.replay_fails(str(self.archive))

    def test_archive_without_inputs_fails(self):
        with tarfile.open(self.archive, "w:xz"):
            pass
        self.replay_fails(f"{self.archive} holds no inputs")

    def test_archive_that_was_cut_off_fails(self):
        self.archive.write_bytes(self.archive.read_bytes()[:-20])
        self.replay_fails(f"cannot read {self.archive}")

    def test_archive_with_a_changed_byte_fails(self):
        packed = bytearray(self.archive.read_bytes())
        packed[len(packed) // 2] ^= 1
        self.archive.write_bytes(packed)
        self.replay_fails(f"cannot read {self.archive}")

    def test_input_that_is_not_named_after_its_bytes_fails(self):
        tar = lzma.decompress(self.archive.read_bytes()).replace(b"x = 1", b"x = 2")
        self.archive.write_bytes(lzma.compress(tar))
        self.replay_fails(f"{self.archive} holds '{sha1(FOUND[1])}'")


class Pack(MadeUpCorpus):
    def test_same_inputs_are_the_same_bytes(self):
        first = self.archive.read_bytes()
        self.archive.unlink()
        other = self.root / "other"
        write(other, dict(reversed(self.inputs.items())))
        for path in other.iterdir():
            path.chmod(0o600)
            os.utime(path, (1, 1))
        self.succeeds("pack", other)
        self.assertEqual(self.archive.read_bytes(), first)

    def test_same_inputs_leave_the_archive_as_it_is(self):
        self.archive.write_bytes(lzma.compress(lzma.decompress(self.archive.read_bytes()), preset=0))
        before = self.archive.read_bytes()
        self.succeeds("pack", self.root / "all")
        self.assertEqual(self.archive.read_bytes(), before)

    def test_folder_without_inputs_of_libfuzzer_is_refused(self):
        before = self.archive.read_bytes()
        done = self.run_tool("pack", self.corpus / "config")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("cannot pack", done.stdout)
        self.assertEqual(self.archive.read_bytes(), before)

    def test_what_a_fuzz_run_adds_is_in_the_archive(self):
        tests = self.root / "tests" / "fuzz"
        tests.mkdir(parents=True)
        (tests / "corpus.py").write_bytes(TOOL.read_bytes())
        self.corpus.rename(tests / "corpus")
        self.corpus = tests / "corpus"
        fuzzer = self.root / "build" / "fuzz" / "tests" / "fuzz_config"
        fuzzer.parent.mkdir(parents=True)
        fuzzer.write_text(FUZZER.format(name=sha1(b"[new]")), encoding="utf-8")
        fuzzer.chmod(0o755)
        devlib = SOURCE / "tools" / "devlib"
        subprocess.run(["bash", "-euc", f"PYTHON={sys.executable}; . {devlib}/common.sh; "
                        f". {devlib}/fuzz.sh; fuzz_one config 1"],
                       cwd=self.root, check=True, timeout=60, stdout=subprocess.DEVNULL)
        self.succeeds("unpack", self.unpacked)
        self.assertEqual({path.name for path in self.unpacked.iterdir()},
                         {*self.inputs, sha1(b"[new]")})


class KeptInputs(unittest.TestCase):
    def test_every_target_has_an_archive(self):
        self.assertEqual([path.name for path in sorted(CORPUS.glob("*.tar.xz"))],
                         [f"{target}.tar.xz" for target in TARGETS])

    def test_files_have_names_that_people_gave(self):
        for path in CORPUS.glob("*/*"):
            self.assertNotRegex(path.name, "^[0-9a-f]{40}$")

    def test_archives_are_smaller_than_a_megabyte_together(self):
        self.assertLess(sum(path.stat().st_size for path in CORPUS.glob("*.tar.xz")), 1_000_000)

    def test_archives_hold_names_and_bytes_alone(self):
        for target in TARGETS:
            with tarfile.open(CORPUS / f"{target}.tar.xz") as tar:
                members = tar.getmembers()
            self.assertEqual(members, sorted(members, key=lambda member: member.name))
            for member in members:
                self.assertEqual((member.mtime, member.uid, member.gid, member.uname, member.gname,
                                  member.mode), (0, 0, 0, "", "", 0o644))


if __name__ == "__main__":
    unittest.main()
