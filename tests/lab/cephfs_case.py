"""What the tests of runs on a file system share: a lab with an MDS, and the file system as an administrator
has it."""

import json
import subprocess
import sys

from study_case import StudyCase
from support import DEADLINE

import schema
from waiting import wait_for

try:
    import cephfs
except ImportError as why:  # a failure, not a skip: ceph-common brings it
    raise AssertionError("the package python3-cephfs is missing") from why

SHORT = ["--warmup", "0", "--no-progress"]
# Time: longer than any test waits. For runs that end when each file was used once, or that the test ends.
UNTIL_ENDED = ["--time", "1h"]


class FileSystemCase(StudyCase):
    profile = "fast"

    def up(self, folder=None, profile="fast", *more):
        return super().up(folder, profile, "--mds", *more)

    def setUp(self):
        super().setUp()
        self.wait_for_mds()

    def wait_for_mds(self):
        wait_for("the MDS to be active", self.mds, lambda states: states == ["up:active"])

    def mds(self):
        return [daemon["state"] for one in self.ceph_json("fs", "dump")["filesystems"]
                for daemon in one["mdsmap"]["info"].values()]

    def measure(self, *words, status=0):
        """The record of a run on the file system."""
        out = self.radosload("run", "--fs", "cephfs", *words, *SHORT, "--json", status=status)
        record = json.loads(out)
        self.assertEqual(schema.problems(record), [])
        return record

    def refused_run(self, *words, status=3, more=()):
        """What a run says that measures nothing."""
        argv = self.words(["run", "--fs", "cephfs", *words, *SHORT, *more])
        done = subprocess.run(argv, timeout=DEADLINE, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, f"{words}:\n{done.stdout}\n{done.stderr}")
        return done.stderr

    def start(self, *words):
        """A run that makes files until it is ended."""
        length = [] if "--time" in words else UNTIL_ENDED  # Time: the test chose it.
        process = subprocess.Popen(
            self.words(["run", "--fs", "cephfs", "--pattern", "fs-create,objects=500000",
                        *length, *words, *SHORT, "--json"]),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def finish(self, process, status):
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, status, f"{out[-3000:]}\n{err}")
        return json.loads(out) if out else None, err

    def wait_for_load(self, files=100):
        """Until the run has made so many files more."""
        before = self.client_io()
        wait_for(f"{files} files", lambda: self.client_io() - before, lambda made: made >= files)

    def client_io(self):
        dump = json.loads(self.ceph("daemon", f"{self.dir}/run/mds.a.asok", "perf", "dump"))
        return dump["mds_server"]["req_create_latency"]["avgcount"] - self.created

    created = 0

    def count_from_here(self):
        self.created = 0
        self.created = self.client_io()

    def mounted(self):
        """The file system as an administrator has it; for one `with`."""
        return Mounted(self.dir / "ceph.conf")

    def runs(self):
        with self.mounted() as system:
            return names_in(system, "/radosload")

    def assert_nothing_noted(self):
        self.assertEqual(self.runs(), [])
        noted = self.ceph("-p", "cephfs_data", "-N", "radosload", "ls", program="rados")
        self.assertNotIn("manifest", noted)

    def clean_up(self, *words):
        return self.radosload("cleanup", "--fs", "cephfs", "--yes", *words)


class Mounted:
    def __init__(self, conf):
        self._system = cephfs.LibCephFS(conffile=str(conf))

    def __enter__(self):
        self._system.mount()
        return self._system

    def __exit__(self, *_):
        self._system.sync_fs()  # else leaving waits until the MDS writes its journal
        self._system.shutdown()


def names_in(system, path):
    try:
        with system.opendir(path) as folder:
            names = []
            while entry := system.readdir(folder):
                names.append(entry.d_name.decode())
    except cephfs.ObjectNotFound:
        return []
    return sorted(set(names) - {".", ".."})
