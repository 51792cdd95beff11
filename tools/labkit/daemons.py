"""Starting and ending one lab's ceph-mon, ceph-mgr, ceph-osd and ceph-mds processes.

A daemon is known by its Ceph name (`mon.a`, `mgr.x`, `osd.3`). Its process is recorded in the
state as soon as it exists; what a kill leaves unrecorded is found by its marker.
"""

import signal

from . import flush, process
from .say import LabError

MON, MGR, MDS = "mon.a", "mgr.x", "mds.a"


def osd_name(osd_id):
    return f"osd.{osd_id}"


class Daemons:
    def __init__(self, folder, state, throttle=None):
        self._dir, self._state, self._throttle = folder, state, throttle

    def names(self):
        return list(self._state["daemons"])

    def status(self, name):
        """`running`, `paused`, `stopped` (by the lab), or `dead` (it ended by itself)."""
        proc = self._process(name)
        if not proc:
            return "dead" if self._state.daemon(name) else "stopped"
        return process.state_of(proc, self._dir)

    def pid(self, name):
        proc = self._process(name)
        return proc.pid if proc else None

    def _process(self, name):
        """The daemon's living process: the recorded one, or one that was started by a command
        that was killed before it could record it."""
        if proc := self._state.daemon(name):
            return proc if process.state_of(proc, self._dir) != "gone" else None
        kind, _, ident = name.partition(".")
        return next((found for found in process.find_marked(self._dir)
                     if process.is_service(found.pid, f"ceph-{kind}", ident)), None)

    def log(self, name):
        return self._dir / "log" / f"{name}.log"

    def output(self, name):
        """Where what the daemon writes to stdout and stderr goes."""
        return self._dir / "log" / f"{name}.out"

    def run(self, name, *arguments, deadline_of=None):
        """Start the daemon's program (a service, or with --mkfs a job); not recorded."""
        kind, _, ident = name.partition(".")
        argv = [f"ceph-{kind}", "--conf", str(self._dir / "ceph.conf"), "--id", ident, *arguments]
        group = self._throttle.procs_file if self._throttle and kind == "osd" else None
        more = flush.environment(self._dir / name) if kind == "osd" and "--mkfs" not in argv else {}
        return process.spawn(argv, self._dir, self.output(name), group, more)

    def start(self, name):
        # A process that has ended must not stand there: if this command is killed before it can
        # record the new one, that one is found only if none is recorded.
        self._state.set_daemon(name, None)
        child = self.run(name, "-f")
        proc = process.identify(child.pid)
        if proc:
            self._state.set_daemon(name, proc)
        return child

    def end(self, name, number, seconds):
        """Signal the daemon and wait until it is gone. Returns whether it was there."""
        proc = self._process(name)
        was_there = bool(proc) and process.send(proc, self._dir, number)
        if was_there:
            # A paused process does not see SIGTERM before it is woken.
            process.send(proc, self._dir, signal.SIGCONT)
            if process.wait_gone([proc], self._dir, seconds):
                kind, _, ident = name.partition(".")
                raise LabError(f"{name} (pid {proc.pid}) has not ended within {seconds} s",
                               f"after {signal.Signals(number).name}",
                               f"lab {kind} kill" + (f" {ident}" if kind == "osd" else ""))
        self._state.set_daemon(name, None)
        return was_there

    def signal(self, name, number):
        proc = self._process(name)
        return bool(proc) and process.send(proc, self._dir, number)

    def explain(self, name):
        """What the daemon last said, for an error message."""
        said = process.tail(self.output(name)) or process.tail(self.log(name))
        return f"it last said:\n{said}" if said else "without a word"
