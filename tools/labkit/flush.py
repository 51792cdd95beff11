"""What a flush costs: a delay of fdatasync and fsync in single OSDs.

An OSD whose drive has such a delay starts with a small library of ours (slow_flush.cc). It waits before
each flush as long as a file in the OSD's folder says. The file is read at each flush, so the delay of a
running OSD changes at once; only one that was started without the library has to be restarted.
"""

from pathlib import Path

from . import files

FILE = "flush_us"
# Read by the library.
VARIABLE = "RADOSLOAD_LAB_FLUSH_FILE"
# An OSD that waits longer for its drive is ended by its own heartbeat.
LONGEST_US = 5_000_000
_LIBRARY = "slow_flush.so"
_HERE = Path(__file__).resolve().parent


def library(here=_HERE):
    """The library of an installed lab, or the newest of a source tree's builds; None: there is none."""
    if here.match("share/radosload-lab/labkit"):
        prefix = here.parents[2]
        found = [*prefix.glob(f"lib*/radosload-lab/{_LIBRARY}"),
                 *prefix.glob(f"lib*/*/radosload-lab/{_LIBRARY}")]
    else:
        found = here.parents[1].glob(f"build/*/lab/{_LIBRARY}")
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def why_no_library():
    """None when flushes can be slowed here, else the reason why not."""
    return None if library() else f"{_LIBRARY} is missing (in a source tree `tools/dev build` makes it)"


def set_delay(osd_folder, delay_us):
    """For an OSD that has the library, at once; for another, when it is started next."""
    files.write(Path(osd_folder) / FILE, f"{delay_us or 0}\n".encode())


def delay_of(osd_folder):
    """Microseconds; None: no delay was asked for, or it was lifted."""
    try:
        return int(files.read(Path(osd_folder) / FILE)) or None
    except (OSError, ValueError):
        return None


def environment(osd_folder):
    """What an OSD is started with: nothing, unless a delay was asked for it."""
    path = Path(osd_folder) / FILE
    found = library()
    if not found or not delay_of(osd_folder):
        return {}
    return {"LD_PRELOAD": str(found), VARIABLE: str(path)}


def is_loaded(pid, proc_root="/proc"):
    """Whether the process was started with the library."""
    try:
        with open(f"{proc_root}/{pid}/environ", "rb") as environ:
            return any(entry.startswith(f"{VARIABLE}=".encode())
                       for entry in environ.read().split(b"\0"))
    except OSError:
        return False
