"""Building a cluster: from an empty directory to HEALTH_OK, in order and as parallel as it goes.

OSDs are formatted while the monitor starts, all at once. Limits on drives come last: a drive of
77 I/O a second would take minutes to format and to join.
"""

import shutil
import subprocess
import uuid

from . import conf, drives, files, filesystem, flush, mgr_modules, pools, process, throttle
from .admin import Admin
from .daemons import MDS, MGR, MON, Daemons, osd_name
from .say import LabError, wait_until

# What an empty OSD occupies in its sparse files.
_EMPTY_OSD = 64 << 20

# Seconds for any one step. None takes ten on an idle machine; a busy one is no reason to fail.
_PATIENCE = 180


def _device_class(osd):
    """As Ceph would choose it by the rotational flag of the drive."""
    return "hdd" if osd.drive.rotational else "ssd"


class Builder:
    def __init__(self, folder, profile, state, say):
        self._dir, self._profile, self._state, self._say = folder, profile, state, say
        self._throttle = None
        self._daemons = None
        self._children = {}
        self._keys = {}
        self._uuids = {osd.id: str(uuid.uuid4()) for osd in profile.osds}

    def build(self, emulate):
        self._check_machine()
        self._probe(emulate)
        self._lay_out()
        self._make_drives()
        formats = self._format_osds()
        self._start_mon()
        with self._connect() as admin:
            self._say("the monitor answers")
            pools.quiet_the_cluster(admin)
            self._register_osds(admin)
            self._start_osds(formats)
            pools.wait_up(admin, self._profile, self._check_alive, _PATIENCE)
            self._say(f"{len(self._profile.osds)} OSDs are up")
            pools.create_all(admin, self._profile.pools)
            self._make_file_system(admin)
            # OSDs tell the manager of their PGs when it comes, and every five seconds from then on. Had it
            # come before the pools, it would hear of those five seconds later.
            self._children[MGR] = self._daemons.start(MGR)
            muted = pools.wait_healthy(admin, self._check_alive, _PATIENCE)
        if muted:
            self._say(f"muted, since this version of Ceph cannot do better: {', '.join(muted)}")
        limit_drives(self._dir, self._profile, self._state, self._throttle)

    # --- before anything is started -------------------------------------------------------

    def _check_machine(self):
        if self._state["mds"] and not shutil.which("ceph-mds"):
            raise LabError("there is no ceph-mds on this machine", "",
                           "install the package ceph-mds, or leave out --mds")
        osds = self._profile.osds
        nominal = sum(d.size for osd in osds for d in osd.drives.values())
        if self._profile.objectstore == "bluestore":
            warning = drives.check_space(self._dir, nominal, (200 << 20) + len(osds) * _EMPTY_OSD)
            if warning:
                self._say(f"note: {warning}")
        # A queue for the main drive, one for BlueFS on it, and one for each further drive.
        wanted = sum(1 + len(osd.drives) for osd in osds) * conf.AIO_SLOTS
        limit, used = (_read_number(f"/proc/sys/fs/aio-{name}") for name in ("max-nr", "nr"))
        if self._profile.objectstore == "bluestore" and limit and wanted > limit - used:
            raise LabError("the kernel allows too little asynchronous I/O for this profile",
                           f"{wanted} slots needed, {limit - used} of {limit} free",
                           f"as root: sysctl fs.aio-max-nr={limit + wanted}")

    def _probe(self, emulate):
        """Find out what can be emulated here, and remember it."""
        reason = self._why_no_drives(emulate)
        loops = not reason
        if loops:
            self._throttle, reason = throttle.probe(self._dir)
        self._state.save(emulation={"loops": loops, "why": reason,
                                    "throttle": self._throttle and self._throttle.version})
        if reason:
            self._say(f"{'drives keep their full speed' if loops else 'no emulated drives'}: "
                      f"{reason}")
        why_fast = flush.why_no_library()
        if why_fast and any(osd.drive.flush_us for osd in self._profile.osds):
            self._say(f"flushes keep their full speed: {why_fast}")

    def _why_no_drives(self, emulate):
        if self._profile.objectstore == "memstore":
            return "memstore keeps everything in memory"
        if not emulate:
            return "plain files were asked for"
        return drives.why_no_loop_devices(self._dir)

    def _lay_out(self):
        """Directories, configuration, keys, and an address of the lab's own."""
        mds = [MDS] if self._state["mds"] else []
        for name in ("log", "run", "crash", MGR, *mds):
            (self._dir / name).mkdir()
        entities = ["mon.", "client.admin", MGR, *mds,
                    *(osd_name(osd.id) for osd in self._profile.osds)]
        self._keys = {entity: conf.new_key() for entity in entities}
        mgr_modules.choose(self._dir / "mgr-modules")
        emulated = self._state["emulation"]["loops"]
        self._write("ceph.conf", conf.ceph_conf(self._dir, self._profile, self._state, emulated))
        self._write_keyring("keyring", "client.admin")
        for name in (MGR, *mds):
            self._write_keyring(f"{name}/keyring", name)
        self._daemons = Daemons(self._dir, self._state, self._throttle)
        self._say(f"cluster {self._state['fsid']} at {self._state['address']}")

    def _write(self, name, text):
        files.write(self._dir / name, text.encode())

    def _write_keyring(self, name, *entities):
        self._write(name, conf.keyring({entity: self._keys[entity] for entity in entities}))

    def _make_drives(self):
        for osd in self._profile.osds:
            folder = self._dir / osd_name(osd.id)
            folder.mkdir()
            self._write_keyring(f"{osd_name(osd.id)}/keyring", osd_name(osd.id))
            if self._profile.objectstore == "bluestore":
                for slot, drive in osd.drives.items():
                    self._make_drive(folder, slot, drive)
            if osd.drive.flush_us:
                flush.set_delay(folder, osd.drive.flush_us)
            if not self._state["emulation"]["loops"]:
                # There is no rotational flag that Ceph could choose the class by.
                self._write(f"{osd_name(osd.id)}/crush_device_class", _device_class(osd) + "\n")

    def _make_drive(self, folder, slot, drive):
        image = folder / f"{slot}.img"
        drives.make_file(image, drive.size)
        target = image
        if self._state["emulation"]["loops"]:
            target = drives.attach(image)
            drives.set_rotational(target, drive.rotational)
        (folder / slot).symlink_to(target)

    # --- daemons ----------------------------------------------------------------------------

    def _format_osds(self):
        return {osd.id: self._daemons.run(osd_name(osd.id), "--mkfs", "--no-mon-config",
                                          "--osd-uuid", self._uuids[osd.id])
                for osd in self._profile.osds}

    def _start_mon(self):
        monmap, seed = str(self._dir / "monmap"), "seed.keyring"
        self._write_keyring(seed, *self._keys)
        self._job(["monmaptool", "--create", "--clobber", "--fsid", self._state["fsid"], "--addv",
                   "a", conf.mon_host(self._state["address"], self._state["mon_ports"]), monmap])
        self._finish(MON, self._daemons.run(MON, "--mkfs", "--monmap", monmap, "--keyring",
                                            str(self._dir / seed)))
        self._children[MON] = self._daemons.start(MON)

    def _job(self, argv):
        log = self._dir / "log" / "up.out"
        child = process.spawn(argv, self._dir, log)
        if child.wait(timeout=60):
            raise LabError(f"{argv[0]} failed", process.tail(log))

    def _finish(self, name, child, seconds=_PATIENCE):
        try:
            code = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise LabError(f"making {name} took longer than {seconds} s",
                           process.tail(self._daemons.output(name))) from None
        if code:
            raise LabError(f"making {name} failed", self._daemons.explain(name))

    def _connect(self):
        patience = iter((3, 6, 12))  # a monitor that has just begun, or a machine that is slow

        def connected():
            self._check_alive()
            try:
                return Admin(self._dir / "ceph.conf", next(patience, 30))
            except LabError as error:
                connected.seen = error.why
                return None

        return wait_until("the monitor", _PATIENCE, connected, f"see {self._daemons.log(MON)}")

    def _register_osds(self, admin):
        """Into the OSD map and, in order, into the CRUSH map. OSDs would do the latter themselves,
        in the order in which they happen to start; then every lab would place its PGs anew."""
        for name in ("hdd", "ssd"):
            admin.mon("osd crush class create", **{"class": name})
        for osd in self._profile.osds:
            admin.mon("osd new", uuid=self._uuids[osd.id], id=osd.id)
            admin.mon("osd crush create-or-move", id=osd.id, weight=osd.drive.size / (1 << 40),
                      args=conf.crush_location(osd))
        # The tree of a class gets its numbers when its first OSD does. Placement depends on them.
        for osd in self._profile.osds:
            admin.mon("osd crush set-device-class", **{"class": _device_class(osd)},
                      ids=[osd_name(osd.id)])

    def _start_osds(self, formats):
        for osd_id, child in formats.items():
            name = osd_name(osd_id)
            self._finish(name, child)
            self._children[name] = self._daemons.start(name)
        self._say("the OSDs are made, and starting")

    def _make_file_system(self, admin):
        if not self._state["mds"]:
            return
        filesystem.create(admin, len({osd.host for osd in self._profile.osds}))
        self._children[MDS] = self._daemons.start(MDS)
        filesystem.wait_active(admin, self._check_alive, _PATIENCE)
        self._say(f"the file system {filesystem.NAME} is there")

    def _check_alive(self):
        for name, child in self._children.items():
            if child.poll() is not None:
                raise LabError(f"{name} ended with status {child.returncode}",
                               self._daemons.explain(name))


def limit_drives(folder, profile, state, controller):
    """Bring the limits the state asks for (the profile's, or what `lab drive` set) into force."""
    if not controller:
        return
    devices = drives.attached(folder)
    for osd in profile.osds:
        for slot, drive in osd.drives.items():
            limits = {"iops": drive.iops, "bps": drive.bps}
            if slot == "block":
                limits.update(state["limits"].get(str(osd.id), {}))
            device = devices[str(folder / osd_name(osd.id) / f"{slot}.img")]
            controller.set(drives.number_of(device), **limits)


def _read_number(path):
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0
