"""What a lab remembers in its directory, and the lock that keeps two commands apart.

The state is written before anything is made, and replaced as a whole (write and rename), so that
a lab killed at any moment leaves a readable account behind. It deliberately does not list loop
devices or cgroups: those are found from the directory itself, which cannot be out of date.
"""

import fcntl
import json
import os
import time
from pathlib import Path

from . import files
from .process import Proc
from .say import LabError, note

FILE = "state.json"
# Everything a lab makes in its directory, so that `down` never removes a stranger's file.
NEW_FILE = FILE + ".new"
OWN_ENTRIES = (FILE, NEW_FILE, "ceph.conf", "keyring", "monmap", "seed.keyring", "probe.img",
               "mon.a", "mgr.x", "mds.a", "mgr-modules", "log", "run", "crash")
VERSION = 1
_STRANGE = "check the --dir; if it is the lab's, end its daemons and remove the folder by hand"


class State:
    """A dictionary that is saved as a whole."""

    def __init__(self, folder, values):
        self._path = Path(folder) / FILE
        self.values = {"radosload_lab": VERSION, **values}

    @classmethod
    def load(cls, folder):
        """The saved state, or None when there is no lab in that directory."""
        try:
            files.check_owner(folder, os.stat(folder))
            values = json.loads(files.read(Path(folder) / FILE))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise LabError(f"cannot read {folder}/{FILE}", error, _STRANGE) from None
        if not isinstance(values, dict) or values.get("radosload_lab") != VERSION:
            raise LabError(f"{folder}/{FILE} is not the state of a lab of this version", "",
                           _STRANGE)
        return cls(folder, values)

    def save(self, **changes):
        self.values.update(changes)
        new = self._path.with_name(NEW_FILE)
        new.unlink(missing_ok=True)  # of a save that was killed
        files.write(new, json.dumps(self.values, indent=1).encode(), os.O_EXCL)
        new.replace(self._path)

    def __getitem__(self, key):
        return self.values[key]

    def get(self, key, default=None):
        """Of what labs of earlier versions do not have."""
        return self.values.get(key, default)

    def daemon(self, name):
        """The process recorded for `osd.3`, `mon.a`...; None when it was stopped."""
        entry = self.values["daemons"].get(name)
        return Proc(*entry) if entry else None

    def set_daemon(self, name, proc):
        self.values["daemons"][name] = list(proc) if proc else None
        self.save()


class Lock:
    """An exclusive lock on the directory itself: no lock file that somebody has to remove.

    After waiting, the directory may have been removed and made anew by another command; then the
    lock held is one on a directory that no longer has a name, and is taken again.
    """

    def __init__(self, folder, create=False, seconds=300, quiet=False):
        self._folder, self._create, self._seconds = Path(folder), create, seconds
        self._fd, self._quiet = None, quiet

    def __enter__(self):
        deadline = time.monotonic() + self._seconds
        while True:
            self._fd = self._open()
            if self._fd is None:
                return self
            self._acquire(deadline)
            if self._still_there():
                return self
            os.close(self._fd)

    def __exit__(self, *_):
        if self._fd is not None:
            os.close(self._fd)

    @classmethod
    def is_held(cls, folder):
        """Whether a lab command is at work in the directory at this moment."""
        try:
            with cls(folder, seconds=0, quiet=True):
                return False
        except LabError:
            return True

    def _open(self):
        try:
            if self._create:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fd = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LabError(f"cannot use {self._folder} for a lab", error.strerror,
                           "choose another directory with --dir") from None
        try:
            files.check_owner(self._folder, os.fstat(fd))
        except LabError:
            os.close(fd)
            raise
        return fd

    def _acquire(self, deadline):
        told = self._quiet
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                pass
            if not told:
                note(f"another lab command is at work in {self._folder}; waiting for it")
                told = True
            if time.monotonic() > deadline:
                os.close(self._fd)
                raise LabError(f"waited {self._seconds} s for another lab command in "
                               f"{self._folder}", "", "end it, then run this again")
            time.sleep(0.05)

    def _still_there(self):
        try:
            return os.path.samestat(os.fstat(self._fd), os.stat(self._folder))
        except FileNotFoundError:
            return False
