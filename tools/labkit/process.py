"""Processes the lab started, and how it knows that they are its own.

Two proofs are needed before anything is signalled. The first is the pid together with the
start time that /proc reports, since a pid alone may have been handed to somebody else. The second
is a marker in the process's environment that names the lab's directory. The marker also finds
what was never recorded: a process forked in the moment before the lab itself was killed.
"""

import os
import signal
import subprocess
import time
from collections import namedtuple

from . import files
from .say import LabError

MARKER = "RADOSLOAD_LAB_DAEMON_OF"

# start: clock ticks after boot, field 22 of /proc/PID/stat.
Proc = namedtuple("Proc", "pid start")


def read_stat(pid, proc_root="/proc"):
    """(state letter, start time) of a process, or None when there is none."""
    try:
        with open(f"{proc_root}/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            text = stat.read()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The command in parentheses may itself hold spaces and parentheses.
    fields = text[text.rindex(")") + 2:].split()
    return fields[0], int(fields[19])


def identify(pid):
    stat = read_stat(pid)
    return Proc(pid, stat[1]) if stat else None


def is_marked(pid, lab_dir, proc_root="/proc"):
    """Whether the process carries this lab's marker (and sees the same root directory: in a
    chroot the same path is another directory). Anybody can put our marker into an environment, so
    it must be the caller's process as well. None: not ours to know, it is another user's."""
    try:
        if os.stat(f"{proc_root}/{pid}").st_uid != os.geteuid():
            return False
        with open(f"{proc_root}/{pid}/environ", "rb") as environ:
            if f"{MARKER}={lab_dir}".encode() not in environ.read().split(b"\0"):
                return False
        return os.path.samestat(os.stat(f"{proc_root}/{pid}/root/"), os.stat("/"))
    except (FileNotFoundError, ProcessLookupError):
        return False
    except PermissionError:
        return None


def state_of(proc, lab_dir, proc_root="/proc"):
    """`running`, `paused` or `gone`. A zombie is gone: only its parent has yet to notice."""
    stat = read_stat(proc.pid, proc_root) if proc else None
    if not stat or stat[1] != proc.start or stat[0] in "ZX":
        return "gone"
    if is_marked(proc.pid, lab_dir, proc_root) is False:
        return "gone"
    return "paused" if stat[0] in "Tt" else "running"


def find_marked(lab_dir):
    """Every living process that carries this lab's marker, recorded or not."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    procs = (identify(pid) for pid in pids if is_marked(pid, lab_dir))
    return [proc for proc in procs if proc and state_of(proc, lab_dir) != "gone"]


def is_service(pid, program, ident, proc_root="/proc"):
    """Whether the process is that daemon's program in the foreground, not its --mkfs."""
    try:
        with open(f"{proc_root}/{pid}/cmdline", "rb") as cmdline:
            words = cmdline.read().decode(errors="replace").split("\0")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
    return (program in words and "-f" in words
            and ("--id", ident) in zip(words, words[1:], strict=False))


def clean_environment():
    """Ours without anything that could lead Ceph to another cluster (CEPH_CONF, CEPH_ARGS...)."""
    return {k: v for k, v in os.environ.items() if not k.startswith("CEPH_")}


def spawn(argv, lab_dir, log_path, enter_group=None, more_environment=None):
    """Start a program in a session of its own (a Ctrl-C at the terminal is not meant for it).

    `enter_group` is a cgroup.procs file. The program is inside the group from its first
    instruction, which moving it there afterwards could not promise.
    """
    if enter_group:
        argv = ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', enter_group, *argv]
    environment = {**clean_environment(), MARKER: str(lab_dir), **(more_environment or {})}
    try:
        with files.open_log(log_path) as log:
            return subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log, cwd=lab_dir, start_new_session=True)
    except FileNotFoundError:
        raise LabError(f"cannot start {argv[0]}", "not installed", "run tools/dev setup") from None


def send(proc, lab_dir, number):
    """Signal a process if it is still the one we started. Returns whether it was.

    The descriptor is taken before the check: whoever gets the same pid afterwards is another
    process to it, and gets no signal."""
    try:
        fd = os.pidfd_open(proc.pid)
    except ProcessLookupError:
        return False
    try:
        if state_of(proc, lab_dir) == "gone":
            return False
        signal.pidfd_send_signal(fd, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(fd)
    return True


def wait_gone(procs, lab_dir, seconds):
    """Wait until all have ended; returns those that have not."""
    deadline = time.monotonic() + seconds
    while True:
        procs = [proc for proc in procs if state_of(proc, lab_dir) != "gone"]
        if not procs or time.monotonic() > deadline:
            return procs
        time.sleep(0.02)


def kill_all(lab_dir, seconds=30):
    """End everything this lab ever started. Returns how many there were."""
    seen = set()
    deadline = time.monotonic() + seconds
    while procs := find_marked(lab_dir):
        seen.update(procs)
        for proc in procs:
            send(proc, lab_dir, signal.SIGKILL)
        left = wait_gone(procs, lab_dir, max(0, deadline - time.monotonic()))
        if left:
            pids = " ".join(str(proc.pid) for proc in left)
            raise LabError("cannot end the lab's processes", f"still there after SIGKILL: {pids}",
                           "they wait for a drive; see `dmesg`, then run down again")
    return len(seen)


def tail(path, lines=8):
    """The last lines of a log, for an error message."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-lines:]).rstrip()
    except OSError:
        return ""
