"""What a lab looks like right now: gathered once as plain data, shown as JSON or as a table."""

from . import drives, flush, pools, process
from .admin import Admin
from .daemons import MDS, MGR, MON, osd_name
from .lab import limits_of
from .say import LabError
from .units import format_duration, format_size

NOT_EMULATED = (
    "A limit counts I/O, whatever its place, and before neighbours are merged: a stream costs as "
    "much as seeking does. A 4 MiB write is 64 I/Os of 64 KiB to an HDD's OSD.",
    "Reads and writes have a limit each; a real drive has one for both.",
    "A flush costs what it costs on this machine, unless its drive has a delay (drive N flush=2ms).",
    "All daemons share this machine's processors, memory, disk and loopback network.",
)


def gather(lab):
    state = lab.look()
    profile, daemons = lab.profile_of(state), lab.daemons(state)
    answer = {"dir": str(lab.dir), "conf": str(lab.conf()), "profile": profile.name,
              "fsid": state["fsid"], "address": state["address"],
              "emulation": state["emulation"], "not_emulated": list(NOT_EMULATED),
              "daemons": {name: {"state": daemons.status(name), "pid": daemons.pid(name)}
                          for name in daemons.names()},
              "osds": [_osd(lab, state, osd, daemons.pid(osd_name(osd.id))) for osd in profile.osds], "pools": [],
              "health": None, "cluster_error": None}
    for osd in answer["osds"]:
        osd["process"] = daemons.status(osd_name(osd["id"]))
    if daemons.status(MON) != "running":
        answer["cluster_error"] = f"the monitor is {daemons.status(MON)} (lab mon start)"
        return answer
    try:
        with Admin(lab.conf(), 5) as admin:
            _ask_cluster(admin, answer)
    except LabError as error:
        answer["cluster_error"] = str(error)
    return answer


def _osd(lab, state, osd, pid):
    iops, bps = limits_of(osd, state)
    attached = drives.attached(lab.dir)
    folder = lab.dir / osd_name(osd.id)
    return {"id": osd.id, "kind": osd.kind, "host": osd.host, "class": None, "up": None,
            "rotational": osd.drive.rotational, "size": osd.drive.size, "iops": iops, "bps": bps,
            "flush_us": flush.delay_of(folder) if not pid or flush.is_loaded(pid) else None,
            "devices": {slot: attached.get(str(folder / f"{slot}.img")) for slot in osd.drives}}


def _ask_cluster(admin, answer):
    dump = admin.mon("osd dump")
    up = {osd["osd"]: bool(osd["up"]) for osd in dump["osds"]}
    metadata = {m["id"]: m for m in admin.mon("osd metadata")}
    classes = {n["id"]: n.get("device_class") for n in admin.mon("osd tree")["nodes"]}
    for osd in answer["osds"]:
        number = osd["id"]
        osd.update({"up": up.get(number), "class": classes.get(number),
                    "kind": pools.kind_of(metadata[number]) if metadata.get(number, {}).get(
                        "osd_objectstore") else osd["kind"]})
    answer["pools"] = [{"name": p["pool_name"], "id": p["pool"], "size": p["size"],
                        "min_size": p["min_size"], "pg_num": p["pg_num"],
                        "erasure": p["erasure_code_profile"] if p["type"] == 3 else None}
                       for p in dump["pools"]]
    health = admin.mon("health")
    answer["health"] = {"status": health["status"],
                        "checks": {name: check["summary"]["message"]
                                   for name, check in health["checks"].items()}}


def show(answer):
    """The table, as text."""
    lines = [f"lab {answer['profile']} in {answer['dir']}, cluster {answer['fsid']}"]
    lines += [_health(answer), ""]
    rows = [("OSD", "kind", "class", "host", "drive", "state")]
    rows += [(str(o["id"]), o["kind"], o["class"] or "?", o["host"], _drive(o, answer), _state(o))
             for o in answer["osds"]]
    lines += _table(rows)
    for name in (MON, MGR, *([MDS] if MDS in answer["daemons"] else [])):
        found = answer["daemons"].get(name, {}).get("state", "missing")
        lines.append(f"{name}: {found}")
    if answer["pools"]:
        lines += ["", *_table([("pool", "copies", "min", "PGs")] + [
            (p["name"], p["erasure"] or str(p["size"]), str(p["min_size"]), str(p["pg_num"]))
            for p in answer["pools"]])]
    return "\n".join(lines + ["", *_emulation(answer)])


def _health(answer):
    if answer["cluster_error"]:
        return f"no health: {answer['cluster_error']}"
    health = answer["health"]
    return "; ".join([health["status"], *health["checks"].values()])


def _drive(osd, answer):
    kind = "rotating" if osd["rotational"] else "flash"
    slow = [f"{format_duration(osd['flush_us'])} a flush"] if osd["flush_us"] else []
    if not answer["emulation"]["loops"]:
        return f"stands for a {kind} drive" + "".join(f", {part}" for part in slow)
    parts = [f"{osd['iops']} IOPS"] if osd["iops"] else []
    parts += [f"{format_size(osd['bps'])}/s"] if osd["bps"] else []
    parts += slow
    return f"{kind}, " + (", ".join(parts) or "no limit")


def _state(osd):
    """The process and the cluster's opinion of it, when the two differ."""
    if osd["up"] is None:
        return osd["process"]
    seen = "up" if osd["up"] else "down"
    return seen if osd["process"] == "running" and seen == "up" else f"{seen}, {osd['process']}"


def _table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows]


def _emulation(answer):
    emulation = answer["emulation"]
    if not emulation["loops"]:
        return ["No drive is emulated: " + emulation["why"] + "."]
    lines = [] if emulation["throttle"] else ["Drives keep their full speed: " + emulation["why"]]
    return lines + ["Not emulated:", *(f"- {line}" for line in answer["not_emulated"])]
