"""Each profile that comes with the lab, once: what it promises is there."""

import json
import unittest

from support import MARGIN_UP, LabCase

POOLS = {"ssd", "hdd", "hdd1", "ec-k2m1", "ec-k2m2"}


class Profiles(LabCase):
    def bring_up(self, profile):
        _, said = self.up(None, profile)
        answer = self.status()
        self.assertEqual(answer["health"]["status"], "HEALTH_OK")
        self.assertEqual(answer["health"]["checks"], {})
        self.assertTrue(all(osd["up"] for osd in answer["osds"]))
        return answer, said

    def acting_sets(self, pool):
        pgs = self.ceph_json("pg", "ls-by-pool", pool)["pg_stats"]
        return [set(pg["acting"]) for pg in pgs]

    def assert_quiet(self):
        self.assertFalse(self.ceph_json("balancer", "status")["active"])
        for pool in self.ceph_json("osd", "dump")["pools"]:
            self.assertEqual(pool["pg_autoscale_mode"], "off")

    def assert_pools_usable(self, answer):
        for pool in answer["pools"]:
            self.assert_usable(pool["name"])

    def test_homelab(self):
        answer, said = self.bring_up("homelab")
        seconds = float(said.rpartition(" s] HEALTH_OK")[0].rpartition("[")[2])
        self.assertLess(seconds, MARGIN_UP)
        self.assertEqual([osd["kind"] for osd in answer["osds"]],
                         ["plain", "wal", "wal", "db", "db", "plain", "plain"])
        self.assertEqual([osd["class"] for osd in answer["osds"]], ["hdd"] * 5 + ["ssd"] * 2)
        self.assertGreater(len({osd["host"] for osd in answer["osds"]}), 3)
        pools = {pool["name"]: pool for pool in answer["pools"]}
        self.assertEqual(set(pools), POOLS)
        self.assertEqual([pools[n]["size"] for n in ("ssd", "hdd", "hdd1")], [2, 3, 1])
        self.assertTrue(all(acting <= {5, 6} for acting in self.acting_sets("ssd")))
        for pool in POOLS - {"ssd"}:
            self.assertTrue(all(acting <= set(range(5)) for acting in self.acting_sets(pool)))
        self.assertEqual(set().union(*self.acting_sets("hdd1")), set(range(5)))
        self.assert_quiet()
        self.assert_pools_usable(answer)
        for pool in ("hdd", "ec-k2m1"):
            self.ceph("create", "--size", "8M", "--data-pool", pool, f"ssd/{pool}", program="rbd")
        self.need_emulation()
        self.assertEqual({osd["iops"] for osd in answer["osds"][:5]}, {77})
        self.assert_small_writes_need_no_disk()

    def assert_small_writes_need_no_disk(self):
        """What the emulation is for: with the WAL on flash a small write does not wait."""
        plain, wal, db = (json.loads(self.ceph("tell", f"osd.{n}", "bench", 100 * 4096, 4096))
                          for n in (0, 1, 3))
        self.assertGreater(plain["elapsed_sec"], 3 * wal["elapsed_sec"])
        self.assertGreater(plain["elapsed_sec"], 3 * db["elapsed_sec"])

    def test_study(self):
        answer, _ = self.bring_up("study")
        kinds = {osd["id"]: osd["kind"] for osd in answer["osds"]}
        self.assertEqual(list(kinds.values()), ["wal"] * 4 + ["db"] * 4 + ["plain"] * 7)
        self.assertEqual([osd["class"] for osd in answer["osds"]], ["hdd"] * 13 + ["ssd"] * 2)
        for kind, osds in (("wal", range(4)), ("db", range(4, 8)), ("plain", range(8, 12))):
            for copies in (1, 3):
                sets = self.acting_sets(f"{kind}{copies}")
                self.assertTrue(all(len(acting) == copies for acting in sets))
                self.assertEqual(set().union(*sets), set(osds))
        self.assertEqual(set().union(*self.acting_sets("hdd1")), set(range(13)))
        if answer["emulation"]["throttle"]:
            speeds = [(osd["iops"], osd["bps"]) for osd in answer["osds"]]
            self.assertEqual(len(set(speeds[:12])), 1)
            self.assertLess(speeds[12], speeds[0])
        self.assert_quiet()
        self.assert_pools_usable(answer)

    def test_matrix(self):
        answer, _ = self.bring_up("matrix")
        self.assertEqual([osd["class"] for osd in answer["osds"]], ["hdd"] * 4 + ["ssd"] * 4)
        sizes = {pool["name"]: pool["size"] for pool in answer["pools"]}
        self.assertEqual(sizes, {"hdd": 3, "ec-k2m1": 3, "ec-k2m2": 4, "ssd1": 1, "ssd3": 3})
        for pool in sizes:
            osds = range(4) if pool[:3] != "ssd" else range(4, 8)
            self.assertEqual(set().union(*self.acting_sets(pool)), set(osds))
        if answer["emulation"]["throttle"]:
            self.assertEqual({(osd["iops"], osd["bps"]) for osd in answer["osds"][:4]},
                             {(77, 120 << 20)})
        self.assertEqual([osd["flush_us"] for osd in answer["osds"]], [None] * 4 + [2_000] * 4)
        self.assert_quiet()
        self.assert_pools_usable(answer)

    def test_fast(self):
        answer, _ = self.bring_up("fast")
        self.assertEqual({pool["name"] for pool in answer["pools"]}, POOLS)
        self.assertTrue(all(not osd["iops"] and not osd["bps"] for osd in answer["osds"]))
        self.assertEqual([osd["kind"] for osd in answer["osds"]], ["plain", "wal", "db", "plain"])
        self.assert_pools_usable(answer)
        self.ceph("create", "--size", "8M", "--data-pool", "ec-k2m2", "ssd/x", program="rbd")

    def test_mem(self):
        answer, _ = self.bring_up("mem")
        self.assertEqual({pool["name"] for pool in answer["pools"]}, POOLS)
        self.assertEqual({(osd["kind"], osd["class"]) for osd in answer["osds"]},
                         {("memstore", "ssd")})
        self.assert_pools_usable(answer)
        self.ceph("create", "--size", "8M", "--data-pool", "ec-k2m2", "ssd/x", program="rbd")


if __name__ == "__main__":
    unittest.main()
