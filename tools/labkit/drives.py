"""Emulated drives: sparse files behind loop devices that say whether they rotate.

Ceph reads the kernel's rotational flag and chooses the device class and its own tuning by it, so
a loop device with that flag set is a hard disk as far as an OSD can see. A loop device is ours
when the file behind it is one of our drives, by its inode; nothing has to be remembered for that.
"""

import errno
import fcntl
import os
import re
import stat
import struct
from pathlib import Path

from . import files
from .say import LabError, wait_until

# include/uapi/linux/loop.h
_LOOP_CONFIGURE, _LOOP_CLR_FD, _LOOP_CTL_GET_FREE = 0x4C0A, 0x4C01, 0x4C82
_LOOP_GET_STATUS64 = 0x4C05
_FLAG_DIRECT_IO = 16
_LOOP_MAJOR = 7
# What a lab puts behind loop devices, seen from its directory. A lab in a directory below ours, or
# any other file there, is not our business.
_OWN_FILE = re.compile(r"(osd\.[0-9]+/block(\.wal|\.db)?|probe)\.img")
_INFO_BEFORE_FLAGS, _INFO_SIZE = 52, 232  # offset of lo_flags in, and size of, struct loop_info64


def make_file(path, size):
    files.write(path, b"")
    os.truncate(path, size)


def attach(path):
    """Put a file behind a free loop device; returns the device's path."""
    backing = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        while True:
            device = _free_device()
            if _configure(device, backing):
                return device
    finally:
        os.close(backing)


def _free_device():
    with open("/dev/loop-control", "rb+", buffering=0) as control:
        number = fcntl.ioctl(control, _LOOP_CTL_GET_FREE)
    device = f"/dev/loop{number}"
    if not os.path.exists(device):  # a container's /dev does not grow by itself
        os.mknod(device, stat.S_IFBLK | 0o600, os.makedev(_LOOP_MAJOR, number))
    return device


def _configure(device, backing):
    """False when somebody else was quicker and took the device."""
    loop = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    try:
        for flags in (_FLAG_DIRECT_IO, 0):  # not every file system can do direct I/O
            try:
                fcntl.ioctl(loop, _LOOP_CONFIGURE, _loop_config(backing, flags))
                return True
            except OSError as error:
                if error.errno == errno.EBUSY:
                    return False
                if error.errno != errno.EINVAL or not flags:
                    raise
    finally:
        os.close(loop)


def _loop_config(backing, flags):
    """struct loop_config: fd, block size (0: the default), loop_info64, reserved."""
    info = bytearray(_INFO_SIZE)
    struct.pack_into("=I", info, _INFO_BEFORE_FLAGS, flags)
    return struct.pack("=II", backing, 0) + bytes(info) + bytes(64)


def detach(device, expected=None):
    """With `expected`, a file's (device, inode), only while that file is behind it."""
    loop = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    try:
        if expected is None or _file_behind(loop) == expected:
            fcntl.ioctl(loop, _LOOP_CLR_FD)
    except OSError as error:
        if error.errno != errno.ENXIO:  # gone by itself in the meantime
            raise
    finally:
        os.close(loop)


def set_rotational(device, rotational, sys_block="/sys/block"):
    flag = Path(sys_block) / Path(device).name / "queue" / "rotational"
    flag.write_text("1" if rotational else "0", encoding="ascii")


def is_direct(device):
    return (Path("/sys/block") / Path(device).name / "loop/dio").read_text().strip() == "1"


def number_of(device):
    """`MAJ:MIN`, as the block cgroups want it."""
    rdev = os.stat(device).st_rdev
    return f"{os.major(rdev)}:{os.minor(rdev)}"


def _file_behind(loop):
    """(device, inode) of the file behind an open loop device."""
    return struct.unpack_from("=QQ", fcntl.ioctl(loop, _LOOP_GET_STATUS64, bytes(_INFO_SIZE)))


def file_behind(device):
    """(device, inode) of the file behind a loop device; None when nothing is, or we may not ask."""
    try:
        loop = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return _file_behind(loop)
    except OSError:
        return None
    finally:
        os.close(loop)


def _is_ours(folder, path, deleted, behind):
    """Whether `behind`, a file's (device, inode), is the file of that path as we see it. In another
    chroot or mount namespace the same path is another file. One that was removed has no path any
    more; its file system must be the one that the lab's directory is on, or was."""
    try:
        status = os.stat(path, follow_symlinks=False)
        return not deleted and behind == (status.st_dev, status.st_ino)
    except FileNotFoundError:
        there = next(p for p in (Path(folder), *Path(folder).parents) if p.is_dir())
        return deleted and bool(behind) and behind[0] == there.stat().st_dev
    except OSError:
        return False


def attached_files(folder, sys_block="/sys/block", ask=file_behind):
    """{backing file: (loop device, file behind it)} of the lab in `folder`."""
    found = {}
    for entry in Path(sys_block).glob("loop*/loop/backing_file"):
        try:
            text = entry.read_text(encoding="utf-8").rstrip("\n")
        except OSError:  # detached while we looked
            continue
        # The kernel adds this when the file was removed under the device.
        path = text.removesuffix(" (deleted)")
        if not _OWN_FILE.fullmatch(path.removeprefix(f"{folder}/")):
            continue
        device = f"/dev/{entry.parent.parent.name}"
        behind = ask(device)
        if _is_ours(folder, path, path != text, behind):
            found[path] = (device, behind)
    return found


def attached(folder):
    """{backing file: device} for the loop devices of the lab in `folder`."""
    return {path: device for path, (device, _) in attached_files(folder).items()}


def detach_all(folder):
    """Detach every loop device of this lab. Returns how many there were."""
    count = len(attached(folder))

    def none_left():
        for device, behind in attached_files(folder).values():
            detach(device, behind)
        left = attached(folder)
        none_left.seen = "still in use: " + " ".join(sorted(left.values()))
        return not left

    wait_until("the loop devices to be released", 20, none_left,
               "see who has them open (`fuser -v DEVICE`), then run down again")
    return count


def why_no_loop_devices(folder):
    """None when emulated drives can be made here, else the reason why not."""
    probe = Path(folder) / "probe.img"
    device = None
    try:
        make_file(probe, 1 << 20)
        device = attach(probe)
        for rotational in (True, False):
            set_rotational(device, rotational)
        return None
    except OSError as error:
        hint = " (modprobe loop?)" if error.errno in (errno.ENOENT, errno.ENODEV) else ""
        return f"{error.filename or '/dev/loop-control'}: {error.strerror}{hint}"
    finally:
        if device:
            detach(device)
        probe.unlink(missing_ok=True)


def check_space(folder, nominal, least):
    """A warning text when the sparse files could outgrow the file system; LabError when even
    an empty lab would not fit."""
    vfs = os.statvfs(folder)
    free = vfs.f_bavail * vfs.f_frsize
    if free < least:
        raise LabError(f"not enough room in {folder}", f"{free >> 20} MiB free, "
                       f"{least >> 20} MiB needed for an empty lab", "choose another --dir")
    if free < nominal:
        return (f"the drives are sparse files of {nominal >> 30} GiB together, but only "
                f"{free >> 30} GiB are free in {folder}: do not fill the pools")
    return None
