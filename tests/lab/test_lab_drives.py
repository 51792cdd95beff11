"""Emulated drives: what they say of themselves, and that a limit is really felt.

Only coarse factors are asserted (three, where the truth is ten or more): a rate is not a promise.
"""

import json
import unittest
from pathlib import Path

from support import SharedLabCase

MARGIN = 3


class Drives(SharedLabCase):
    def setUp(self):
        super().setUp()
        self.need_emulation()

    def bench(self, osd, count, block):
        """Seconds that an OSD takes for so many writes (its own, built-in benchmark)."""
        out = self.ceph("tell", f"osd.{osd}", "bench", count * block, block)
        return json.loads(out)["elapsed_sec"]

    def test_rotational_flag_and_class(self):
        osds = self.status()["osds"]
        self.assertEqual([osd["class"] for osd in osds], ["hdd", "ssd"])
        for osd in osds:
            name = Path(osd["devices"]["block"]).name
            flag = Path(f"/sys/block/{name}/queue/rotational").read_text().strip()
            self.assertEqual(flag, "1" if osd["rotational"] else "0")
        wal = Path(osds[1]["devices"]["block.wal"]).name
        self.assertEqual(Path(f"/sys/block/{wal}/queue/rotational").read_text().strip(), "0")

    def test_iops_limit_is_felt_and_lifted(self):
        for _ in range(2):
            self.lab("drive", 0, "iops=40")
            slow = self.bench(0, 80, 4096)
            self.lab("drive", 0, "iops=none", "bps=none")
            fast = self.bench(0, 80, 4096)
            self.assertGreater(slow, MARGIN * fast)
        self.lab("drive", 0, "profile")
        again = self.bench(0, 80, 4096)
        self.assertGreater(again, MARGIN * fast)

    def test_bytes_limit_is_felt_kept_over_a_restart_and_lifted(self):
        block = 1 << 20
        self.lab("drive", 1, "bps=4M")
        self.assertIn("4 MiB/s", self.lab("drive", 1)[0])
        self.lab("osd", "restart", 1)
        self.assertEqual(self.status()["osds"][1]["bps"], 4 << 20)
        slow = self.bench(1, 16, block)
        out, _ = self.lab("drive", 1, "profile")
        self.assertIn("bytes per second none", out)
        self.assertGreater(slow, MARGIN * self.bench(1, 16, block))

    def test_reset_restores_the_profile(self):
        self.lab("drive", 0, "iops=7")
        self.lab("reset")
        self.assertEqual(self.status()["osds"][0]["iops"], 80)


if __name__ == "__main__":
    unittest.main()
