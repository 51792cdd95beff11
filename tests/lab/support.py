"""What the lab's tests share: running tools/lab, and looking for what it may have left behind.

The search for leftovers is deliberately written a second time here, without the lab's own code:
a mistake in the one should not hide in the other.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
LAB = TOOLS / "lab"
TINY = Path(__file__).resolve().parent / "tiny.toml"
sys.dont_write_bytecode = True
sys.path[:0] = [str(TOOLS), str(TOOLS.parent / "tests" / "support")]

import own_home  # noqa: E402  (the path has to be known first)
from labkit import throttle  # noqa: E402
from waiting import wait_for  # noqa: E402

# No command of the lab takes longer than this, however busy the machine is.
DEADLINE = 600
# homelab is promised within 45 s.
MARGIN_UP = 3 * 45


def leftovers(folder):
    """Everything on this machine that still belongs to a lab in `folder`, as texts."""
    found = [f"directory {folder}"] if folder.exists() else []
    needle = f"{folder}/ceph.conf".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].rsplit(b"/")[-1].startswith(b"ceph-") and needle in words:
            found.append(f"process {entry.name} {words[0].decode()}")
    for entry in Path("/sys/block").glob("loop*/loop/backing_file"):
        try:
            backing = entry.read_text()
        except OSError:
            continue
        if backing.startswith(f"{folder}/"):
            found.append(f"{entry.parent.parent.name} on {backing.strip()}")
    # A cgroup says nothing about a directory but by its name, so the lab is asked for that.
    groups = Path("/sys/fs/cgroup").glob(f"**/{throttle.group_name(folder)}")
    return found + [f"cgroup {path}" for path in groups]


def clear(base):
    labs = {path.parent for path in base.rglob("state.json")} | set(base.iterdir())
    for folder in sorted(labs):
        subprocess.run([LAB, "down", "--dir", folder], timeout=DEADLINE, capture_output=True)
    shutil.rmtree(base, ignore_errors=True)


class LabCase(unittest.TestCase):
    """A test with a place for labs, which are gone when it ends, whatever happened."""

    lab_path = LAB
    identity = {}  # as whom Ceph's programs run, in words of subprocess.run

    def setUp(self):
        self.base = Path(tempfile.mkdtemp(prefix="labtest-"))
        self.addCleanup(clear, self.base)
        self.dir = self.base / "lab"

    def run_lab(self, *words, folder=None, env=None, **more):
        """The finished command, whatever its status."""
        argv = [str(LAB), *map(str, words), "--dir", str(folder or self.dir)]
        return subprocess.run(argv, timeout=DEADLINE, capture_output=True, text=True,
                              env=own_home.environment(self.base, **(env or {})), **more)

    def lab(self, *words, **more):
        """A command that must succeed; returns (stdout, stderr)."""
        done = self.run_lab(*words, **more)
        self.assertEqual(done.returncode, 0, f"lab {words}:\n{done.stdout}\n{done.stderr}")
        return done.stdout, done.stderr

    def refused(self, *words, status=1, **more):
        """A command that must fail in good order; returns what it said."""
        done = self.run_lab(*words, **more)
        self.assertEqual(done.returncode, status, f"lab {words}:\n{done.stdout}\n{done.stderr}")
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def up(self, folder=None, profile=TINY, *more):
        return self.lab("up", "--profile", profile, *more, folder=folder)

    def status(self, folder=None):
        return json.loads(self.lab("status", "--json", folder=folder)[0])

    def ceph(self, *words, program="ceph", folder=None, text=None):
        """One of Ceph's programs, led to the lab by what `lab env` prints and nothing else."""
        script = f'eval "$({self.lab_path} env --dir {folder or self.dir})" && exec "$@"'
        done = subprocess.run(["sh", "-c", script, "sh", program, *map(str, words)], input=text,
                              timeout=DEADLINE, capture_output=True, text=True, **self.identity)
        self.assertEqual(done.returncode, 0, f"{program} {words}: {done.stderr}")
        return done.stdout

    def ceph_json(self, *words, **more):
        return json.loads(self.ceph(*words, "--format", "json", **more))

    def wait_health(self, wanted="HEALTH_OK", folder=None):
        wait_for(wanted, lambda: self.status(folder)["health"], lambda health: health["status"] == wanted)

    def wait_daemon(self, name, state, folder=None):
        wait_for(f"{name} to be {state}", lambda: self.status(folder)["daemons"][name],
                 lambda daemon: daemon["state"] == state)

    def built(self, folder=None):
        """What only a command changes: health and usage change by themselves."""
        answer = self.status(folder)
        return {key: answer[key] for key in ("fsid", "address", "daemons")}

    def assert_usable(self, pool="two", folder=None):
        self.ceph("-p", pool, "put", "thing", "-", program="rados", text="hello", folder=folder)
        got = self.ceph("-p", pool, "get", "thing", "-", program="rados", folder=folder)
        self.assertEqual(got, "hello")

    def assert_nothing_left(self, folder=None):
        self.assertEqual(leftovers(folder or self.dir), [])

    def kill_daemon(self, name, folder=None):
        """kill -9 behind the lab's back."""
        pid = self.status(folder)["daemons"][name]["pid"]
        os.kill(pid, signal.SIGKILL)
        self.wait_daemon(name, "dead", folder)

    def need_emulation(self, folder=None, throttle=True):
        emulation = self.status(folder)["emulation"]
        if not emulation["loops"] or (throttle and not emulation["throttle"]):
            self.skipTest(f"drives cannot be emulated here: {emulation['why']}")


class SharedLabCase(LabCase):
    """Tests that leave a lab as they found it, and so can do with one between them."""

    profile = TINY

    @classmethod
    def setUpClass(cls):
        cls.base = Path(tempfile.mkdtemp(prefix="labtest-"))
        cls.addClassCleanup(clear, cls.base)
        cls.dir = cls.base / "lab"

    def setUp(self):
        """Up at first; anew when the test before failed half way."""
        self.up(None, self.profile)
        if any(daemon["state"] != "running" for daemon in self.status()["daemons"].values()):
            self.lab("reset")
