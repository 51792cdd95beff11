"""What is done to the daemons and drives of a lab that runs.

Saying a thing twice is no error: an action looks at what is there, and says so when there is
nothing to do.
"""

import signal

from . import filesystem, flush, pools, throttle
from .admin import Admin
from .build import limit_drives
from .daemons import MDS, MGR, MON, osd_name
from .say import LabError, Progress, note, wait_until
from .state import Lock

ACTIONS = {"stop": "end it in good order (SIGTERM)", "kill": "end it at once (SIGKILL)",
           "pause": "freeze it: it answers nothing, and may be marked down after 20 s",
           "resume": "let a paused one go on", "start": "start it, and wait until it has joined",
           "restart": "stop and start"}


def act(lab, action, kind, ids=()):
    """One of ACTIONS on `osd` daemons by their ids, on the `mon`, the `mgr` or the `mds`."""
    with Lock(lab.dir):
        state = lab.need_up()
        names = [osd_name(i) for i in ids] if kind == "osd" else [{"mon": MON, "mgr": MGR, "mds": MDS}[kind]]
        for name in names:
            if name not in state["daemons"]:
                raise LabError(f"there is no {name} in this lab", "", _known_osds(state)
                               if kind == "osd" else "a lab with a file system has one: up --mds")
        actor = _Actor(lab, state)
        for name in names:
            getattr(actor, action)(name)


def change_drives(lab, osd_ids, changes):
    """Change the main drives of OSDs. `changes` holds `iops`, `bps` and `flush` (None: no limit, no
    delay), or is None: back to the profile's."""
    with Lock(lab.dir):
        state = lab.need_up()
        profile = lab.profile_of(state)
        for osd_id in osd_ids:
            if osd_id not in range(len(profile.osds)):
                raise LabError(f"there is no osd.{osd_id} in this lab", "", _known_osds(state))
        limits = {key: value for key, value in (changes or {}).items() if key != "flush"}
        if limits or (changes is None and state["emulation"]["throttle"]):
            _limit(lab, state, profile, osd_ids, changes and limits)
        elif changes is None and not any(profile.osds[i].drive.flush_us for i in osd_ids):
            _refuse_limits(state, osd_ids)
        if changes is None or "flush" in changes:
            actor = _Actor(lab, state)
            for osd_id in osd_ids:
                wanted = changes["flush"] if changes else profile.osds[osd_id].drive.flush_us
                actor.slow_flushes(osd_name(osd_id), profile, wanted)


def _refuse_limits(state, osd_ids):
    raise LabError(f"cannot limit the drive of osd.{osd_ids[0]}", state["emulation"]["why"],
                   "see tools/labkit/README.md")


def _limit(lab, state, profile, osd_ids, changes):
    if not state["emulation"]["throttle"]:
        _refuse_limits(state, osd_ids)
    limits = dict(state["limits"])
    for osd_id in map(str, osd_ids):
        if changes is None:
            limits.pop(osd_id, None)
        else:
            limits[osd_id] = {**limits.get(osd_id, {}), **changes}
    state.save(limits=limits)
    limit_drives(lab.dir, profile, state, throttle.find(lab.dir))


def _known_osds(state):
    return "it has " + " ".join(name for name in state["daemons"] if name.startswith("osd."))


class _Actor:
    """One method for each of ACTIONS."""

    def __init__(self, lab, state):
        self._dir, self._conf, self._daemons = lab.dir, lab.conf(), lab.daemons(state)

    def stop(self, name):
        self._end(name, signal.SIGTERM, "stopped")

    def kill(self, name):
        self._end(name, signal.SIGKILL, "killed")

    def _end(self, name, number, done):
        was_there = self._daemons.end(name, number, 60)
        note(f"{name} {done if was_there else 'was not running'}")

    def pause(self, name):
        self._signal(name, signal.SIGSTOP, "paused")

    def resume(self, name):
        self._signal(name, signal.SIGCONT, "running")

    def _signal(self, name, number, wanted):
        if self._daemons.status(name) == wanted:
            note(f"{name} is {wanted} already")
            return
        if not self._daemons.signal(name, number):
            kind, _, ident = name.partition(".")
            raise LabError(f"{name} is {self._daemons.status(name)}", "", "start it first: lab "
                           f"{kind} start" + (f" {ident}" if kind == "osd" else ""))
        wait_until(f"{name} to be {wanted}", 10, lambda: self._daemons.status(name) == wanted)
        note(f"{name} is {wanted} now")

    def restart(self, name):
        self._daemons.end(name, signal.SIGTERM, 60)
        self.start(name)

    def slow_flushes(self, name, profile, delay_us):
        """A delay for an OSD that runs without our library takes a restart; anything else does not."""
        folder = self._dir / name
        if not delay_us and not flush.delay_of(folder):
            return
        if delay_us and profile.objectstore != "bluestore":
            raise LabError(f"cannot slow the flushes of {name}", "it keeps everything in memory",
                           "use another profile")
        if delay_us and (why := flush.why_no_library()):
            raise LabError(f"cannot slow the flushes of {name}", why, "see tools/labkit/README.md")
        flush.set_delay(folder, delay_us)
        pid = self._daemons.pid(name)
        if delay_us and pid and not flush.is_loaded(pid):
            note(f"{name} is restarted, because it was started without a delay for flushes")
            self.restart(name)

    def start(self, name):
        found = self._daemons.status(name)
        if found == "running":
            note(f"{name} is running already")
        elif found == "paused":
            self.resume(name)
        elif name == MON:
            self._start_and_wait(name, self._mon_answers)
        elif self._daemons.status(MON) != "running":
            self._daemons.start(name)
            note(f"{name} started; it cannot join before the monitor runs (lab mon start)")
        else:
            with Admin(self._conf) as admin:
                self._start_and_wait(name, _joined(admin, name))

    def _start_and_wait(self, name, joined):
        say = Progress()
        child = self._daemons.start(name)

        def there():
            if child.poll() is not None:
                raise LabError(f"{name} ended with status {child.returncode}",
                               self._daemons.explain(name))
            return joined()

        wait_until(f"{name} to join the cluster", 180, there, f"see {self._daemons.log(name)}", 0.1)
        note(f"{name} started and joined after {say.seconds:.1f} s")

    def _mon_answers(self):
        try:
            with Admin(self._conf, 3):
                return True
        except LabError:
            return False


def _joined(admin, name):
    """A check that the daemon joined anew: what the maps said before does not count."""
    if name == MGR:
        def epoch():
            mgr = admin.mon("mgr dump")
            return mgr["active_gid"] if mgr["available"] else None
    elif name == MDS:
        def epoch():
            return filesystem.active_gid(admin)
    else:
        def epoch():
            return pools.up_from(admin, int(name.partition(".")[2]))
    before = epoch()
    return lambda: epoch() not in (None, before)
