"""Which Python modules the manager of a lab has: a folder of links to those of the installed Ceph."""

from pathlib import Path

INSTALLED = Path("/usr/share/ceph/mgr")
# The manager loads every module it finds before it answers, wanted or not: half of the time that
# a small lab takes to come up. Those that only speak to other software stay away.
_IDLE = {
    "alerts", "cephadm", "dashboard", "diskprediction_local", "feedback", "influx", "insights",
    "k8sevents", "localpool", "mds_autoscaler", "mirroring", "nfs", "osd_perf_query",
    "osd_support", "restful", "rgw", "rook", "selftest", "snap_schedule", "stats", "telegraf",
    "test_orchestrator", "zabbix"}
# It must be there, and it makes a pool of its own as soon as it sees enough OSDs: until it has read the
# cluster's configuration it goes by the default of this option, so the default is changed.
_DEVICE_HEALTH = "devicehealth"
_WITHOUT_A_POOL = """\
from .module import Module

for option in Module.MODULE_OPTIONS:
    if option["name"] == "enable_monitoring":
        option["default"] = False
"""


def choose(folder, installed=INSTALLED):
    """Fill the folder that the manager of a lab loads its modules from."""
    folder.mkdir()
    for entry in installed.iterdir() if installed.is_dir() else ():
        if entry.name == _DEVICE_HEALTH:
            _without_a_pool(folder / entry.name, entry)
        elif entry.name not in _IDLE:
            (folder / entry.name).symlink_to(entry)


def _without_a_pool(folder, module):
    folder.mkdir()
    for entry in module.iterdir():
        if entry.name not in ("__init__.py", "__pycache__"):
            (folder / entry.name).symlink_to(entry)
    (folder / "__init__.py").write_text(_WITHOUT_A_POOL)
