"""The pools of a profile, made through monitor commands, and the wait until all is well."""

from .say import LabError, typed, wait_until

# Ceph of Debian 13 cannot load its manager's Python modules; nothing in a lab can mend that.
_NOT_OURS = ("MGR_MODULE_DEPENDENCY", "MGR_MODULE_ERROR")


def quiet_the_cluster(admin):
    """Nothing moves data by itself: it would spoil what is being measured."""
    # force: the manager, which knows this option, may not be there yet.
    admin.mon("config set", who="mgr", name="mgr/balancer/active", value="false", force=True)


def create_all(admin, pools):
    for pool in pools:
        create(admin, pool)
    for pool in pools:
        admin.mon("osd pool application enable", pool=pool.name, app="rbd",
                  yes_i_really_mean_it=True)


def create(admin, pool):
    if pool.size:
        admin.mon("osd crush rule create-replicated", name=pool.name, root=pool.take,
                  type=pool.across, **({"class": pool.device_class} if pool.device_class else {}))
        admin.mon("osd pool create", pool=pool.name, pg_num=pool.pgs, pool_type="replicated",
                  rule=pool.name, size=pool.size)
        if pool.size == 1:
            _set(admin, pool, "size", 1, yes_i_really_mean_it=True)
    else:
        admin.mon("osd erasure-code-profile set", name=pool.name, profile=_code(pool))
        admin.mon("osd pool create", pool=pool.name, pg_num=pool.pgs, pool_type="erasure",
                  erasure_code_profile=pool.name)
        if pool.overwrites:
            _set(admin, pool, "allow_ec_overwrites", "true")
    if pool.min_size:
        _set(admin, pool, "min_size", pool.min_size)


def _code(pool):
    code = [f"k={pool.k}", f"m={pool.m}", f"crush-root={pool.take}",
            f"crush-failure-domain={pool.across}"]
    return code + ([f"crush-device-class={pool.device_class}"] if pool.device_class else [])


def _set(admin, pool, key, value, **more):
    admin.mon("osd pool set", pool=pool.name, var=key, val=str(value), **more)


def wait_up(admin, profile, alive, seconds):
    """Until every OSD is up. `alive` raises when one of their processes has ended."""
    wanted = {osd.id for osd in profile.osds}

    def all_up():
        alive()
        up = {osd["osd"] for osd in admin.mon("osd dump")["osds"] if osd["up"]}
        all_up.seen = "not yet up: " + " ".join(f"osd.{n}" for n in sorted(wanted - up))
        return wanted <= up

    wait_until("all OSDs to be up", seconds, all_up, "see the log folder of the lab")


def wait_healthy(admin, alive, seconds):
    """Until HEALTH_OK. Returns the checks that had to be muted for it."""
    muted = []

    def healthy():
        alive()
        health = admin.mon("health")
        # The manager of a busy machine may not have heard of the last pools yet: how many PGs there are
        # is asked of the monitor, which made them.
        wanted = sum(pool["pg_num"] for pool in admin.mon("osd dump")["pools"])
        pgs = admin.mon("status")["pgmap"]
        states = {s["state_name"]: s["count"] for s in pgs.get("pgs_by_state", [])}
        answers = admin.mon("mgr dump")["available"]
        clean = answers and states == {"active+clean": wanted}
        checks = health["checks"]
        healthy.seen = "; ".join([
            health["status"],
            *(f"{name} ({check['summary']['message']})" for name, check in checks.items()),
            f"PGs: {states} of {wanted}",
            *([] if answers else ["the manager does not answer yet"])])
        live = [name for name, check in checks.items() if not check.get("muted")]
        if clean and live and all(name in _NOT_OURS for name in live):
            for name in live:
                admin.mon("health mute", code=name, sticky=True)
                muted.append(name)
        return clean and health["status"] == "HEALTH_OK"

    wait_until("HEALTH_OK", seconds, healthy, "see the log folder of the lab")
    return muted


def kind_of(metadata):
    """An OSD's kind as it reports it itself (values are texts)."""
    if "bluefs_dedicated_db" not in metadata:
        return metadata.get("osd_objectstore", "unknown")
    db, wal = (metadata[f"bluefs_dedicated_{part}"] == "1" for part in ("db", "wal"))
    return {(False, False): "plain", (False, True): "wal",
            (True, False): "db", (True, True): "db+wal"}[db, wal]


def up_from(admin, osd_id):
    """The epoch at which the OSD last came up (None while it is down or unknown)."""
    for osd in admin.mon("osd dump")["osds"]:
        if osd["osd"] == osd_id:
            return osd["up_from"] if osd["up"] else None
    raise LabError(f"the cluster does not know osd.{osd_id}", "", f"see {typed('status')}")
