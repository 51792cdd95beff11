"""Addresses and ports that no other lab and no real cluster is using.

Each lab lives on a loopback address of its own (all of 127.0.0.0/8 is local). Two labs that
start in the same instant therefore cannot race for a port, and a real cluster's daemons on this
machine are on other addresses. Only a program that listens on every address can be in the way;
the monitor's ports are probed for that, and OSDs and manager look for free ones by themselves.
"""

import os
import socket

from .say import LabError

_MON_V2_PORT, _MON_V1_PORT = 3300, 6789  # what Ceph people expect to see


def draw_address(random_bytes=None):
    """A random address out of 127.1.0.1 ... 127.254.255.254."""
    raw = random_bytes or os.urandom(3)
    return f"127.{1 + raw[0] % 254}.{raw[1]}.{1 + raw[2] % 254}"


def _is_free(address, port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            return True
        except OSError:
            return False


def draw_mon_ports(address):
    """Two free ports for the monitor: (msgr2, msgr1)."""
    for step in range(0, 2000, 10):
        ports = _MON_V2_PORT + step, _MON_V1_PORT + step
        if all(_is_free(address, port) for port in ports):
            return ports
    raise LabError(f"no free port for a monitor on {address}", "200 pairs were tried",
                   "see what listens there with `ss -ltn`")
