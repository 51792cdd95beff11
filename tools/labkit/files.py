"""Files of a lab, and the checks that its directory is the caller's own and nobody else's.

A lab may lie where others can write (below /tmp), and may be taken down by root. So nothing is
read or written through a symbolic link that somebody put there, and no command works in a
directory of another user.
"""

import errno
import os
import stat

from .say import LabError


def check_owner(folder, status):
    """Refuse a lab's directory, given its `stat`, that another user has or can write to."""
    if status.st_uid != os.geteuid():
        raise LabError(f"cannot use {folder} for a lab", "it belongs to another user",
                       "run this as that user, or choose another --dir")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise LabError(f"cannot use {folder} for a lab", "other users can write to it",
                       f"chmod go-w {folder}")


def write(path, data, mode=os.O_TRUNC):
    """Write bytes to a file of ours. `mode` is O_TRUNC, O_APPEND or O_EXCL."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | mode, 0o600),
              "wb") as file:
        file.write(data)


def open_log(path):
    """Opened to append to."""
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC,
                        0o600), "ab")


def is_own(path):
    """Whether it is a plain file of the caller's, and no link to one."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()


def read(path):
    """The bytes of a plain file of the caller's; OSError for anything else."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file")
        if status.st_uid != os.geteuid():
            raise OSError(errno.EPERM, "it belongs to another user")
        return file.read()
