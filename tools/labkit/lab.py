"""One lab in one directory: up, down, reset, and what is known about it."""

import os
import shutil
import uuid
from pathlib import Path

from . import drives, files, network, process, profile as profiles, throttle
from .build import Builder
from .daemons import Daemons, osd_name
from .say import NAME, LabError, Progress, note, typed
from .state import FILE, NEW_FILE, OWN_ENTRIES, Lock, State

# A unix socket's path holds 107 bytes, and the longest of ours is DIR/run/osd.NNN.asok.
_LONGEST_DIR = 107 - len("/run/osd.999.asok")
# Characters that neither Ceph's configuration file nor a shell would take amiss.
_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+@-")


def check_folder(folder):
    """Refuse a directory name that the cluster could not live with."""
    if len(str(folder)) > _LONGEST_DIR:
        raise LabError(f"the path {folder} is too long", f"sockets in it allow {_LONGEST_DIR} "
                       "characters", "choose a shorter --dir")
    if odd := sorted(set(str(folder)) - _PLAIN):
        raise LabError(f"the path '{folder}' cannot hold a lab", f"it contains {odd[0]!r}",
                       "choose a --dir of letters, digits and . _ - + @")


class Lab:
    def __init__(self, folder):
        self.dir = Path(folder).resolve()

    # --- up and down --------------------------------------------------------------------------

    def up(self, profile_name=None, emulate=True, mds=False):
        check_folder(self.dir)
        profile = profiles.load(profile_name or profiles.DEFAULT)
        with Lock(self.dir, create=True):
            state = State.load(self.dir)
            if state and self._is_up(state):
                self._say_running(state, profile_name and profile, mds)
                return
            if state:
                note(f"the lab in {self.dir} is {_why_unusable(state)}; clearing it away first")
            self._refuse_strangers(state)
            self.dir.chmod(0o700)  # a directory that was there before
            if not state:  # `down` removes a directory only when it finds a state in it
                self._new_state(profile, emulate, mds).save()
            self._demolish(keep_state=True)
            self._build(profile, emulate, mds)

    def down(self):
        with Lock(self.dir):
            was_lab = self._was_lab()
            found = self._demolish()
            if was_lab:
                self._remove_folder()
        note(f"nothing is left of the lab in {self.dir}" if found
             else f"there is no lab in {self.dir}; nothing to do")

    def reset(self):
        """Throw the cluster away and build it again from the same profile."""
        check_folder(self.dir)
        with Lock(self.dir):
            state = self._need_state()
            self._demolish(keep_state=True)
            self._build(self.profile_of(state), state["emulate"], state.get("mds", False))

    def _build(self, profile, emulate, mds):
        say = Progress()
        say(f"building lab '{profile.name}' in {self.dir}")
        state = self._new_state(profile, emulate, mds)
        state.save()
        try:
            Builder(self.dir, profile, state, say).build(emulate)
        except (LabError, OSError):
            note(f"the lab is half built; logs are in {self.dir}/log, {typed('down')} clears it "
                 "away")
            raise
        state.save(phase="up")
        say(f"HEALTH_OK; use it with:  eval \"$({NAME} env --dir {self.dir})\"")

    def _new_state(self, profile, emulate, mds):
        address = network.draw_address()
        return State(self.dir, {"phase": "starting", "profile": profile.name,
                                "profile_text": profile.text, "emulate": emulate, "mds": mds,
                                "fsid": str(uuid.uuid4()), "address": address,
                                "mon_ports": network.draw_mon_ports(address),
                                "emulation": {"loops": False, "throttle": None, "why": ""},
                                "daemons": {}, "limits": {}})

    def _was_lab(self):
        """Whether a state of ours is there, or the beginning of one whose `up` was killed."""
        return any(files.is_own(self.dir / name) for name in (FILE, NEW_FILE))

    def _demolish(self, keep_state=False):
        """End and remove everything there is, however much or little. The state goes last, so
        that a demolition that was itself killed can be repeated, or stays until the next lab's
        takes its place. Returns whether anything was found."""
        state = State.load(self.dir) if self.dir.is_dir() else None
        if state:
            state.save(phase="stopping")
        group = throttle.find(self.dir)
        self._lift_limits(group)
        ended = process.kill_all(self.dir)
        released = drives.detach_all(self.dir)
        grouped = group.remove() if group else False
        if state:
            self._remove_files(state)
        if not keep_state:
            for name in (NEW_FILE, FILE):
                if files.is_own(self.dir / name):
                    (self.dir / name).unlink()
        return any((state, ended, released, grouped))

    def _lift_limits(self, group):
        """A killed OSD ends only when the drive has served what was queued: not at 77 a second."""
        if group and os.path.exists(group.procs_file):
            for device in drives.attached(self.dir).values():
                group.set(drives.number_of(device))

    def _remove_files(self, state):
        """What the state describes: an osd.9 in a lab of two OSDs is not the lab's."""
        own = set(OWN_ENTRIES) - {FILE}
        own |= {osd_name(osd.id) for osd in self.profile_of(state).osds}
        for entry in list(self.dir.iterdir()):
            if entry.name not in own:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()

    def _remove_folder(self):
        try:
            self.dir.rmdir()
        except OSError:
            note(f"{self.dir} is kept: it holds files that are not the lab's")

    # --- what is there ------------------------------------------------------------------------

    def need_up(self):
        state = self._need_state()
        if state["phase"] != "up":
            raise LabError(f"the lab in {self.dir} is {_why_unusable(state)}", "",
                           f"{typed('up')} clears it away and builds it again")
        return state

    def look(self):
        """The state for commands that only read, and so do not wait for others to finish."""
        state = self._need_state()
        if state["phase"] != "up" and Lock.is_held(self.dir):
            raise LabError(f"a lab command is at work in {self.dir} ({state['phase']})", "",
                           "ask again when it is done")
        return self.need_up()

    def _need_state(self):
        state = State.load(self.dir)
        if not state:
            raise LabError(f"there is no lab in {self.dir}", "", f"start one with {typed('up')}")
        return state

    def _is_up(self, state):
        daemons = Daemons(self.dir, state)
        return state["phase"] == "up" and any(daemons.pid(name) for name in daemons.names())

    def _say_running(self, state, asked, mds):
        note(f"the lab in {self.dir} is already running (profile {state['profile']}); "
             "nothing was changed")
        if asked and asked.text != state["profile_text"]:
            note(f"to have profile {asked.name} instead: {typed('down')}, then up again")
        if mds and not state.get("mds"):
            note(f"it has no file system; to have one: {typed('down')}, then up --mds again")
        daemons = Daemons(self.dir, state)
        for name in daemons.names():
            if (found := daemons.status(name)) != "running":
                note(f"{name} is {found}")

    def _refuse_strangers(self, state):
        if state:
            return
        strange = sorted(e.name for e in self.dir.iterdir() if e.name != NEW_FILE)
        if strange:
            raise LabError(f"{self.dir} is not empty and no lab", f"it holds {strange[0]}",
                           "choose another --dir")

    def daemons(self, state):
        group = throttle.find(self.dir) if state["emulation"]["throttle"] else None
        return Daemons(self.dir, state, group)

    def conf(self):
        return self.dir / "ceph.conf"

    def profile_of(self, state):
        """As it was when the lab was built, whatever became of the file since."""
        return profiles.parse(state["profile_text"], state["profile"], state["profile"])


def limits_of(osd, state):
    """(iops, bytes per second) in force on an OSD's main drive."""
    if not state["emulation"]["throttle"]:
        return None, None
    limits = {"iops": osd.drive.iops, "bps": osd.drive.bps, **state["limits"].get(str(osd.id), {})}
    return limits["iops"], limits["bps"]


def _why_unusable(state):
    return {"starting": "half built (an `up` did not finish)",
            "stopping": "half removed (a `down` did not finish)",
            "up": "not running any more (all its daemons are gone)"}[state["phase"]]
