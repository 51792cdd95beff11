"""Limits on drives through the block cgroup, version 1 or 2.

One group per lab holds all its OSDs; a limit belongs to a device, and each device to one OSD, so
no finer grouping is needed. A limit counts for reads and for writes separately, as the kernel
has it. The roots are parameters, so that both versions can be tested on a fake tree.
"""

import hashlib
import os
from pathlib import Path

from .say import LabError, wait_until


def group_name(lab_dir):
    """Found again from the directory alone. The root's inode tells a chroot's directory of the
    same name from ours."""
    root = os.stat("/")
    key = f"{lab_dir} {root.st_dev}:{root.st_ino}".encode()
    return "radosload-lab-" + hashlib.sha256(key).hexdigest()[:12]


class Throttle:
    """What both versions share: one group below the hierarchy's root."""

    version = 0

    def __init__(self, root, name):
        self._root, self._group = Path(root), Path(root) / name

    @property
    def procs_file(self):
        return str(self._group / "cgroup.procs")

    def create(self):
        self._group.mkdir(exist_ok=True)

    def remove(self):
        """Remove the group. Returns whether there was one."""
        if not self._group.exists():
            return False

        def removed():
            try:
                self._group.rmdir()
            except FileNotFoundError:
                pass
            except OSError as error:  # EBUSY until the kernel has let go of the last process
                removed.seen = error.strerror
                return False
            return True

        wait_until(f"the cgroup {self._group} to be removed", 10, removed)
        return True

    def set(self, number, iops=None, bps=None):
        """Limit the device MAJ:MIN; None lifts a limit."""
        try:
            self._write(number, iops, bps)
        except OSError as error:
            raise LabError(f"cannot limit device {number} through {self._group}", error.strerror,
                           "see whether the kernel has BLK_DEV_THROTTLING") from None


class ThrottleV1(Throttle):
    version = 1

    def _write(self, number, iops, bps):
        for what, value in (("iops", iops), ("bps", bps)):
            for way in ("read", "write"):
                # 0 is how version 1 spells "no limit".
                (self._group / f"blkio.throttle.{way}_{what}_device").write_text(
                    f"{number} {value or 0}\n", encoding="ascii")


class ThrottleV2(Throttle):
    version = 2

    def create(self):
        # A group has io.max only when its parent hands the io controller down.
        control = self._root / "cgroup.subtree_control"
        if "io" not in control.read_text(encoding="ascii").split():
            control.write_text("+io", encoding="ascii")
        super().create()

    def _write(self, number, iops, bps):
        iops, bps = iops or "max", bps or "max"
        (self._group / "io.max").write_text(
            f"{number} rbps={bps} wbps={bps} riops={iops} wiops={iops}\n", encoding="ascii")


def find(lab_dir, mountinfo=None):
    """The hierarchy of this machine that can limit block devices, or None."""
    if mountinfo is None:
        mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    second = None
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        mount_point = left.split()[4].replace("\\040", " ")
        kind, _, options = right.split(" ", 2)
        if kind == "cgroup" and "blkio" in options.split(","):
            return ThrottleV1(mount_point, group_name(lab_dir))
        if kind == "cgroup2" and "io" in _controllers(mount_point):
            second = ThrottleV2(mount_point, group_name(lab_dir))
    return second


def _controllers(mount_point):
    try:
        return (Path(mount_point) / "cgroup.controllers").read_text(encoding="ascii").split()
    except OSError:
        return []


def probe(lab_dir, mountinfo=None):
    """(throttle, None), or (None, the reason why drives cannot be slowed here)."""
    throttle = find(lab_dir, mountinfo)
    if not throttle:
        return None, "no block cgroup (blkio or io) is mounted"
    try:
        throttle.create()
    except OSError as error:
        return None, f"cgroup v{throttle.version}: {error.filename}: {error.strerror}"
    return throttle, None
