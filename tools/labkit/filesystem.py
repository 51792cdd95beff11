"""The file system of a lab with an MDS (`up --mds`): its pools, and the wait until it is there."""

from .say import wait_until

NAME = "cephfs"
DATA_POOL, METADATA_POOL = "cephfs_data", "cephfs_metadata"
# Few: a lab has many small pools already.
_PGS = 8


def create(admin, hosts):
    """Both pools keep two copies, where there are two hosts for them."""
    copies = min(2, hosts)
    for pool in (METADATA_POOL, DATA_POOL):
        admin.mon("osd pool create", pool=pool, pg_num=_PGS, pool_type="replicated")
        sure = {"yes_i_really_mean_it": True} if copies == 1 else {}
        admin.mon("osd pool set", pool=pool, var="size", val=str(copies), **sure)
        admin.mon("osd pool set", pool=pool, var="min_size", val="1")
    admin.mon("fs new", fs_name=NAME, metadata=METADATA_POOL, data=DATA_POOL)


def active_gid(admin):
    """The number of the MDS that is active; None while there is none."""
    for system in admin.mon("fs dump")["filesystems"]:
        for daemon in system["mdsmap"]["info"].values():
            if daemon["state"] == "up:active":
                return daemon["gid"]
    return None


def wait_active(admin, alive, seconds):
    def active():
        alive()
        return active_gid(admin) is not None

    wait_until("the MDS to be active", seconds, active, "see the log folder of the lab")
