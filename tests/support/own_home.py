"""The environment of a program that a test starts, as support/process.cc gives it in C++."""

import os
import re

# They lead to the config, the runs and the cluster of the user who tests.
_OF_THE_USER = re.compile("XDG_[A-Z]+_HOME|CEPH_(ARGS|CONF|KEYRING)")


def environment(home, **more):
    """That of the test, with a HOME of its own."""
    kept = {name: value for name, value in os.environ.items() if not _OF_THE_USER.fullmatch(name)}
    return {**kept, "HOME": str(home), "RADOSLOAD_CONFIG": "/dev/null", **more}


def nowhere(name):
    """The path of something that does not exist, and that not even root can create: it is below a file."""
    return f"/dev/null/{name}"
