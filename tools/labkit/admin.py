"""Commands to the cluster through librados, by Ceph's own Python binding.

The binding comes with ceph-common. One connection answers in a millisecond what a run of the
`ceph` program answers in half a second, and every call has a deadline.
"""

import json

from .say import LabError, typed


# A command on a machine where a compiler has both processors still gets its answer in this time.
_COMMAND_SECONDS = 30


class Admin:
    """A connection as client.admin, using the lab's configuration and nothing else. `seconds`
    is how long connecting may take: no longer than it pays to wait for a monitor."""

    def __init__(self, conf, seconds=15):
        try:
            import rados
        except ImportError:
            raise LabError("cannot talk to the cluster", "Python's rados module is missing",
                           "install ceph-common (tools/dev setup)") from None
        self._rados = rados
        limits = {"client_mount_timeout": str(seconds),
                  "rados_mon_op_timeout": str(_COMMAND_SECONDS),
                  "log_to_stderr": "false", "err_to_stderr": "false"}
        self._cluster = None
        try:
            cluster = rados.Rados(name="client.admin", conffile=str(conf), conf=limits)
            cluster.connect()
        except rados.Error as error:
            raise LabError(f"cannot connect to the cluster of {conf}", error,
                           f"see {typed('status')} and the log folder of the lab") from None
        self._cluster = cluster

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._cluster.shutdown()

    def mon(self, prefix, inbuf="", **arguments):
        """A monitor command; returns its JSON, or its text when it has none."""
        command = json.dumps({"prefix": prefix, "format": "json", **arguments})
        try:
            code, out, status = self._cluster.mon_command(command, inbuf.encode(),
                                                          timeout=_COMMAND_SECONDS)
        except self._rados.Error as error:
            raise LabError(f"'{prefix}' failed", error, "see the log folder of the lab") from None
        if code:
            raise LabError(f"'{prefix}' failed", f"{status} (error {-code})")
        try:
            return json.loads(out)
        except ValueError:
            return out.decode(errors="replace")
