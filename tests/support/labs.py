"""The lab of a Python test, found and locked as tests/support/labs.cc does it for the C++ tests: the
one that RADOSLOAD_TEST_LAB names, the one that ctest hands out, or the first that is free."""

import fcntl
import json
import os
import re
import time
from pathlib import Path

BETWEEN_TRIES_S = 0.1


def lab_from_ctest(group_count, first_group_labs):
    """The number that ctest hands out ("2"); empty without its resources."""
    if group_count is None:
        return ""
    found = re.match(r"id:(\w+),", first_group_labs or "")
    if not found:
        raise RuntimeError(f"ctest's resources name no lab: '{first_group_labs}'")
    return found[1]


def labs_in(build):
    """The labs of the build folder that are up."""
    def is_up(folder):
        try:
            return json.loads((folder / "state.json").read_text()).get("phase") == "up"
        except (OSError, ValueError):
            return False
    return sorted(folder for folder in Path(build).glob("lab-*") if folder.is_dir() and is_up(folder))


def try_lock(folder):
    """The open lock file of a lab, or None while another process has it."""
    file = open(f"{folder}.lock", "a", encoding="utf-8")  # noqa: SIM115  (kept by the caller)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


class Lab:
    """A lab for this process alone, until close()."""

    def __init__(self, build):
        self._lock = None
        named = os.environ.get("RADOSLOAD_TEST_LAB")
        if named:
            self.folder = Path(named)
            return
        number = lab_from_ctest(os.environ.get("CTEST_RESOURCE_GROUP_COUNT"),
                                os.environ.get("CTEST_RESOURCE_GROUP_0_LABS"))
        while not self._lock:
            candidates = [Path(build) / f"lab-{number}"] if number else labs_in(build)
            if not candidates:
                raise RuntimeError("no cluster to test on: start one with 'tools/lab up --profile "
                                   f"fast --dir {Path(build) / 'lab-1'}'")
            for folder in candidates:
                self._lock = try_lock(folder)
                if self._lock:
                    self.folder = folder
                    break
            else:
                # Time: between two tries; another test may keep the lab for long.
                time.sleep(BETWEEN_TRIES_S)

    def close(self):
        if self._lock:
            self._lock.close()
