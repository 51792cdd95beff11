"""The processes of a cluster on this machine, and the processors they may use."""

import os
import sys
from pathlib import Path


def daemons_of(conf, kinds=("ceph-osd",)):
    """The folders in /proc of the daemons that were started with this configuration."""
    conf = os.path.abspath(conf)  # as the lab starts them
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        if Path(words[0].decode(errors="replace")).name in kinds and conf.encode() in words:
            found.append(folder)
    if not found:
        sys.exit(f"no {' or '.join(kinds)} with the configuration {conf} runs on this machine")
    return found


def keep_apart(conf):
    """The daemons on the first processor, this process and those it starts on the others: then no
    daemon takes the processor from a client, or its caches."""
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        sys.exit("--apart takes two processors, and this process may use one")
    for daemon in daemons_of(conf, ("ceph-mon", "ceph-mgr", "ceph-osd")):
        for thread in (daemon / "task").iterdir():
            os.sched_setaffinity(int(thread.name), {first})
    os.sched_setaffinity(0, others)
