"""Slow flushes on a real OSD: no write is answered before the delay is over.

What is asserted is the quickest of many writes, so a busy machine makes no difference: with the delay none
is quicker than it, and without it some are.
"""

import re
import unittest
from pathlib import Path

from support import SharedLabCase

DELAY_S = 0.3


class Flushes(SharedLabCase):
    def quickest_write(self):
        """Seconds. Every write to the pool reaches both OSDs."""
        said = self.ceph("-p", "two", "bench", 2, "write", "-t", 4, "-b", 4096, program="rados")
        return float(re.search(r"Min latency\(s\):\s+(\S+)", said).group(1))

    def has_library(self, answer, osd):
        pid = answer["daemons"][f"osd.{osd}"]["pid"]
        return "slow_flush.so" in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")

    def test_a_delay_slows_every_write_and_is_lifted_at_once(self):
        self.assertLess(self.quickest_write(), DELAY_S)
        out, said = self.lab("drive", 1, "flush=300ms")
        self.assertIn("300 ms a flush", out)
        self.assertIn("osd.1 is restarted", said)
        self.wait_health()
        self.assertGreaterEqual(self.quickest_write(), DELAY_S)
        answer = self.status()
        self.assertEqual([osd["flush_us"] for osd in answer["osds"]], [None, 300_000])
        self.assertEqual([self.has_library(answer, osd) for osd in (0, 1)], [False, True])
        self.assertIn("300 ms a flush", self.lab("status")[0])

        out, said = self.lab("drive", 1, "flush=none")
        self.assertNotIn("flush", out)
        self.assertNotIn("restarted", said)
        self.assertLess(self.quickest_write(), DELAY_S)

        _, said = self.lab("drive", 0, "flush=none")
        self.assertNotIn("restarted", said)

    def test_an_unknown_osd_is_refused(self):
        self.assertIn("it has osd.0 osd.1", self.refused("drive", "0-2", "flush=2ms"))
        self.assertIn("is not a limit", self.refused("drive", 0, "flush=fast", status=2))


if __name__ == "__main__":
    unittest.main()
