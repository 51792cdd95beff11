"""The cluster's configuration file and keys, as text. Every path in it lies in the lab."""

import base64
import os
import struct
import time
from pathlib import Path

# 18.2.7 in Debian looks for its object classes below the working directory; without them every
# RBD call ends in EOPNOTSUPP.
_CLASS_DIRS = "/usr/lib/*-linux-gnu*/rados-classes"

AIO_SLOTS = 256

_CAPS = {
    "mon.": {"mon": "allow *"},
    "client.admin": {"mon": "allow *", "mgr": "allow *", "osd": "allow *", "mds": "allow *"},
    "mgr.x": {"mon": "allow profile mgr", "osd": "allow *", "mds": "allow *"},
    "mds.a": {"mon": "allow profile mds", "mgr": "allow profile mds", "mds": "allow *",
              "osd": "allow rwx"},
    "osd": {"mon": "allow profile osd", "mgr": "allow profile osd", "osd": "allow *"},
}


def new_key():
    """A cephx secret: type 1 (AES), creation time, length, 16 random bytes."""
    return base64.b64encode(struct.pack("<HIIH", 1, int(time.time()), 0, 16)
                            + os.urandom(16)).decode()


def keyring(keys):
    """A keyring with the rights that belong to each entity."""
    lines = []
    for entity, key in keys.items():
        lines += [f"[{entity}]", f"\tkey = {key}"]
        caps = _CAPS.get(entity) or _CAPS[entity.partition(".")[0]]
        lines += [f'\tcaps {service} = "{cap}"' for service, cap in caps.items()]
    return "\n".join(lines) + "\n"


def mon_host(address, ports):
    return f"[v2:{address}:{ports[0]},v1:{address}:{ports[1]}]"


def ceph_conf(folder, profile, state, emulated):
    """The whole file. `emulated`: the drives are loop devices with a flag of their own."""
    sections = [_GLOBAL.format(dir=folder, fsid=state["fsid"],
                               mon_host=mon_host(state["address"], state["mon_ports"]),
                               copies=min(3, len({osd.host for osd in profile.osds}))),
                _MON.format(dir=folder, address=state["address"]),
                _MGR.format(dir=folder, address=state["address"]),
                _OSD.format(dir=folder, address=state["address"], cache=profile.cache,
                            class_dir=_class_dir(), aio_slots=AIO_SLOTS,
                            objectstore=profile.objectstore)]
    if state.get("mds"):
        sections.append(_MDS.format(dir=folder, address=state["address"]))
    # Of two lines that say different things about one option, Ceph takes the later.
    sections += [_section(name, options) for name, options in profile.settings.items() if options]
    sections += [_osd_section(osd, profile, emulated) for osd in profile.osds]
    return "\n".join(sections)


def _class_dir():
    found = sorted(Path("/").glob(_CLASS_DIRS[1:]))
    return f"osd class dir = {found[0]}" if found else ""


def crush_location(osd):
    return ["root=default", *([f"rack={osd.rack}"] if osd.rack else []), f"host={osd.host}"]


def _section(name, options):
    return "\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in options.items())]) + "\n"


def _osd_section(osd, profile, emulated):
    lines = [f"[osd.{osd.id}]", f"crush location = {' '.join(crush_location(osd))}"]
    if profile.objectstore == "memstore":
        lines.append(f"memstore device bytes = {osd.drive.size}")
    elif not emulated:
        # No flag to read, so at least the OSD's own tuning is that of the drive it stands for.
        kind = "hdd" if osd.drive.rotational else "ssd"
        lines.append(f"bluestore debug enforce settings = {kind}")
    return "\n".join(lines) + "\n"


_GLOBAL = """\
# Made by radosload's lab, and removed by `lab down`.
[global]
fsid = {fsid}
mon host = {mon_host}
ms bind ipv6 = false
run dir = {dir}/run
crash dir = {dir}/crash
osd pool default size = {copies}
osd pool default pg autoscale mode = off
# A lab of a few OSDs holds many small pools.
mon max pg per osd = 2000
# `up` would otherwise wait a second for every change to a map.
paxos propose interval = 0.05
# The manager's own pool would want three hosts before the cluster is healthy.
mgr pool = false

[client.admin]
keyring = {dir}/keyring
"""

_DAEMON = """\
log file = {dir}/log/$name.log
admin socket = {dir}/run/$name.asok
public addr = {address}
cluster addr = {address}
log to stderr = false
err to stderr = true
"""

_MON = "[mon]\n" + _DAEMON + """\
mon data = {dir}/mon.$id
keyring = {dir}/mon.$id/keyring
mon cluster log file = {dir}/log/cluster.log
auth allow insecure global id reclaim = false
mon allow pool size one = true
mon allow pool delete = true
mon warn on pool no redundancy = false
mgr initial modules = iostat
mon data avail warn = 2
mon data avail crit = 1
# An OSD that a test stopped stays in: nobody wants its data moved meanwhile.
mon osd down out interval = 604800
mon osd min down reporters = 1
mon osd adjust heartbeat grace = false
# memstore takes part in erasure coded pools with overwrites only when this is set.
mon debug no require bluestore for ec overwrites = true
"""

_MGR = "[mgr]\n" + _DAEMON + """\
mgr data = {dir}/mgr.$id
keyring = {dir}/mgr.$id/keyring
mgr module path = {dir}/mgr-modules
"""

_MDS = "[mds]\n" + _DAEMON + """\
mds data = {dir}/mds.$id
keyring = {dir}/mds.$id/keyring
# A small lab has little memory to spare.
mds cache memory limit = 268435456
# A client that was killed does not come back, so the MDS need not wait for it at its start.
mds reconnect timeout = 5
"""

_OSD = "[osd]\n" + _DAEMON + """\
osd data = {dir}/osd.$id
keyring = {dir}/osd.$id/keyring
osd objectstore = {objectstore}
{class_dir}
# 18 benchmarks every OSD at its first start otherwise, and keeps the result.
osd mclock skip benchmark = true
# A stopped OSD says so, instead of leaving it to its peers to notice.
osd fast shutdown notify mon = true
osd heartbeat interval = 2
# Closing a drive waits for one turn of its idle poll, and a start closes it eight times.
bdev aio poll ms = 20
# Each queue takes its depth out of fs.aio-max-nr, a quarter of which is enough for a study then.
# An OSD that finds its queue full waits for the drive, as it would a little later anyway.
bdev aio max queue depth = {aio_slots}
bluestore fsck on mkfs = false
# Many OSDs on few cores: a fixed, small cache instead of one that grows to gigabytes each.
bluestore cache autotune = false
bluestore cache size = {cache}
"""
