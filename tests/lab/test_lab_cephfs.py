"""Runs on a file system (CephFS) of a lab with an MDS: every pattern, and what happens when the MDS dies,
evicts the client, or refuses."""

import json
import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from cephfs_case import SHORT, UNTIL_ENDED, FileSystemCase
from study_case import PROGRAM
from support import DEADLINE, TINY, LabCase


class Patterns(FileSystemCase):
    def test_files_are_created_each_once(self):
        record = self.measure("--pattern", "fs-create,objects=3000,entries=1000", "--clients", "2")
        self.assertEqual(record["totals"]["create"]["ops"], 3000)
        self.assertEqual(record["ended_by"], "exhausted")
        system = record["environment"]["file_system"]
        self.assertEqual((system["name"], system["mds"], system["files"], system["directories"]),
                         ("cephfs", ["a"], 3000, 3))
        self.assertEqual(system["settings"]["client_oc"], "false")
        self.assertEqual((system["metadata_pool"], system["ranks"]), ("cephfs_metadata", 1))
        self.assertGreater(system["id"], 0)
        self.assertEqual(system["directory"], f"/radosload/{record['run_id']}")
        self.assertEqual(record["plan"]["fs"], "cephfs")
        self.assertEqual(len(record["environment"]["client"]["instances"]), 2)
        self.assertEqual(record["plan"]["pool"], "cephfs_data")
        self.assert_nothing_noted()

    def test_cold_listings_are_of_each_directory_once_and_warm_ones_are_faster(self):
        words = "fs-list,objects=6000,entries=2000"
        cold = self.measure("--pattern", words, *UNTIL_ENDED)
        self.assertEqual(cold["totals"]["list"]["ops"], 3)
        self.assertEqual(cold["ended_by"], "exhausted")
        self.assertEqual(cold["totals"]["list"]["errors"], {})
        warm = self.measure("--pattern", words + ",cache=warm", "--ops", "30")
        self.assertEqual(warm["ended_by"], "ops")
        self.assertEqual(warm["totals"]["list"]["ops"], 30)
        # The client has read them before.
        self.assertLess(warm["totals"]["list"]["service_us"]["mean"],
                        cold["totals"]["list"]["service_us"]["mean"])
        self.assert_nothing_noted()

    def test_a_quiet_run_is_clean(self):
        # What the tests before it have done may still change the map.
        record = self.measure("--pattern", "fs-create,objects=1000", "--require-clean=5")
        self.assertEqual(record["grade"]["value"], "clean", record["grade"])

    def test_cold_stats_ask_the_mds_once_for_each_file(self):
        before = self.mds_lookups()
        record = self.measure("--pattern", "fs-stat,objects=2000,entries=500", *UNTIL_ENDED)
        self.assertEqual(record["totals"]["stat"]["ops"], 2000)
        self.assertGreaterEqual(self.mds_lookups() - before, 2000)
        # What a client knows it does not ask again.
        before = self.mds_lookups()
        record = self.measure("--pattern", "fs-stat,objects=100,cache=warm", "--ops", "5000")
        self.assertLess(self.mds_lookups() - before, record["totals"]["stat"]["ops"] / 2)
        self.assert_nothing_noted()

    def mds_lookups(self):
        dump = json.loads(self.ceph("daemon", f"{self.dir}/run/mds.a.asok", "perf", "dump"))
        server = dump["mds_server"]
        return sum(server[f"req_{kind}_latency"]["avgcount"] for kind in ("lookup", "getattr"))

    def test_files_are_deleted_each_once(self):
        record = self.measure("--pattern", "fs-delete,objects=1500,entries=500")
        self.assertEqual(record["totals"]["delete"]["ops"], 1500)
        self.assert_nothing_noted()

    def test_reads_and_writes_reach_the_osds_and_are_verified(self):
        before = self.served()
        record = self.measure("--pattern", "randrw4k,qd=16", "--size", "32M", "--ops", "2000",
                              "--clients", "2", "--verify", "full")
        self.assertEqual(record["totals"]["all"]["errors"], {})
        self.assertGreater(record["totals"]["write"]["ops"], 0)
        # No cache of the client answers: the OSDs have served what the run has read and written.
        self.assertGreaterEqual(self.served() - before, record["totals"]["all"]["ops"])
        self.assert_nothing_noted()

    def test_each_file_is_on_the_osd_that_ceph_names_and_sampled_operations_were_sent_there(self):
        # Time: the OSDs are read at its beginning and near its end.
        record = self.measure("--pattern", "randrw4k,qd=16", "--size", "64M", "--object-size", "1M",
                              "--time", "8", "--clients", "2", "--observer-id", "admin")
        self.assertTrue(record["slowest"])
        for slow in record["slowest"]:
            place = self.ceph_json("osd", "map", "cephfs_data", slow["object"])
            self.assertEqual((slow["pg"], slow["osd"]),
                             (place["pgid"], f"osd.{place['acting_primary']}"))
        # In a run of few operations an OSD may have had no reads, or no writes.
        served = sum(osd[kind]["ops"] for osd in record["osds"].values()
                     for kind in ("read", "write") if kind in osd)
        self.assertEqual(served, record["totals"]["all"]["ops"])
        routes = record["routing"]["osds"].values()
        self.assertGreater(sum(route["sampled"] for route in routes), 0)
        for route in routes:
            self.assertEqual(route["there"], route["sampled"])
            # The OSD has counted what the run has sent to it.
            self.assertGreaterEqual(route["counters"]["op"], route["answered"])
        # Every OSD was asked for the slow ones; what it remembers is not certain.
        self.assertEqual(len(record["slowest_search"]["clocks"]), 4, record["slowest_search"])
        self.assertEqual({osd["counters"]["missing"] for osd in record["osds"].values()}, {""})
        self.assert_nothing_noted()

    def test_files_of_several_objects_are_measured_without_figures_of_osds(self):
        record = self.measure("--pattern", "randrw4k", "--size", "16M", "--object-size", "8M",
                              "--ops", "100")
        self.assertGreater(record["totals"]["all"]["ops"], 0)
        self.assertEqual(record["osds"], {})
        self.assertIn("which OSD", record["routing"]["unsampled"])
        self.assert_nothing_noted()

    def served(self):
        """Operations of clients that the OSDs have served."""
        dumps = [json.loads(self.ceph("daemon", f"{self.dir}/run/osd.{i}.asok", "perf", "dump"))
                 for i in range(4)]
        return sum(dump["osd"]["op"] for dump in dumps)

    def test_sweep_makes_its_files_for_each_step(self):
        out = self.radosload("run", "--fs", "cephfs", "--pattern", "randwrite4k", "--qd", "1:4",
                             "--size", "8M", "--ops", "100", *SHORT)
        self.assertRegex(out, r"(?m)^ *1 .*\n *4 ")
        self.assert_nothing_noted()

    def test_dry_run_changes_nothing(self):
        out = self.radosload("run", "--fs", "cephfs", "--pattern", "fs-list", "--dry-run")
        self.assertIn("file system cephfs", out)
        self.assert_nothing_noted()


class Refusals(FileSystemCase):
    def key(self, name, **caps):
        words = [word for service, cap in caps.items() for word in (service, cap)]
        text = self.ceph("auth", "get-or-create", name, *words)
        path = self.base / f"{name}.keyring"
        path.write_text(text, encoding="ascii")
        return ["--name", name, "--keyring", str(path)]

    def test_a_key_that_may_only_read_is_told_what_it_needs(self):
        self.measure("--pattern", "fs-create,objects=10")  # /radosload is there
        reader = self.key("client.reader", mon="allow r", mgr="allow r", mds="allow r",
                          osd="allow rw pool=cephfs_data")
        said = self.refused_run("--pattern", "fs-create,objects=10", more=reader)
        self.assertIn("allow rw path=/radosload", said)
        self.assertRegex(said, "EACCES|EROFS|EPERM")
        self.assert_nothing_noted()
        blind = self.key("client.blind", mon="allow r", mgr="allow r",
                         osd="allow rw pool=cephfs_data")
        self.assertIn("radosload auth files --fs cephfs", self.refused_run("--pattern", "fs-create", more=blind))
        self.assert_nothing_noted()

    def test_the_printed_rights_are_enough(self):
        self.measure("--pattern", "fs-create,objects=10")
        told = subprocess.run(self.words(["auth", "files", "--fs", "cephfs", "--json"]), check=True,
                              timeout=DEADLINE, capture_output=True, text=True)
        feature = json.loads(told.stdout)["features"][0]
        more = self.key(feature["user"], **{who: feature[who]
                                            for who in ("mon", "mgr", "mds", "osd")})
        for pattern in ("fs-list,objects=1000,entries=500", "randwrite4k,size=8M"):
            record = self.measure("--pattern", pattern, "--ops", "100", *more)
            self.assertEqual(record["totals"]["all"]["errors"], {})
        self.assert_nothing_noted()

    def test_no_such_file_system(self):
        argv = self.words(["run", "--fs", "nowhere", "--pattern", "fs-create", *SHORT])
        done = subprocess.run(argv, timeout=DEADLINE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the cluster has: cephfs", done.stderr)

    def test_what_the_quota_has_no_room_for_is_refused(self):
        self.measure("--pattern", "fs-create,objects=10")
        try:
            self.quota("max_bytes", 16 << 20)
            said = self.refused_run("--pattern", "randwrite4k", "--size", "64M", status=4)
            self.assertRegex(said, "files of 64 MiB in the directory /radosload: its quota is 16 MiB")
            self.measure("--pattern", "randwrite4k", "--size", "8M", "--ops", "100")
            self.quota("max_bytes", 0)
            self.quota("max_files", 500)
            said = self.refused_run("--pattern", "fs-create,objects=5000", status=4)
            self.assertIn("its quota is 500 files and directories", said)
            self.measure("--pattern", "fs-create,objects=100")
        finally:
            self.quota("max_bytes", 0)
            self.quota("max_files", 0)
        self.assert_nothing_noted()

    def test_a_quota_that_is_set_later_ends_the_load(self):
        self.count_from_here()
        process = self.start()
        self.wait_for_load()
        noted = self.ceph("-p", "cephfs_data", "-N", "radosload", "ls", program="rados")
        (run,) = re.findall(r"radosload\.manifest\.(\S+)", noted)
        with self.mounted() as system:
            system.setxattr(f"/radosload/{run}", "ceph.quota.max_files", b"100", 0)
        record, _ = self.finish(process, 1)
        self.assertIn("EDQUOT", record["totals"]["create"]["errors"])
        self.assertTrue(any("quota" in text for text in record["warnings"]), record["warnings"])
        self.assert_nothing_noted()

    def quota(self, name, value):
        with self.mounted() as system:
            system.setxattr("/radosload", f"ceph.quota.{name}", str(value).encode(), 0)


class Faults(FileSystemCase):
    LONG_SESSION_S = 500

    def test_killed_run_is_cleaned_up_and_nothing_else(self):
        self.measure("--pattern", "fs-create,objects=10")
        # For so long an MDS waits for a client that was killed, and the cleanup does not.
        self.ceph("fs", "set", "cephfs", "session_timeout", self.LONG_SESSION_S)
        self.addCleanup(self.ceph, "fs", "set", "cephfs", "session_timeout", 60)
        with self.mounted() as system:
            for path in ("/radosload/mine", "/elsewhere"):
                system.mkdir(path, 0o755)
            system.symlink(b"/elsewhere", b"/radosload/link")
        self.count_from_here()
        process = self.start()
        self.wait_for_load()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        begin = time.monotonic()
        self.assertRegex(self.clean_up(), r"(\S+): \d+ files removed with /radosload/\1 of")
        self.assertLess(time.monotonic() - begin, self.LONG_SESSION_S / 2)
        self.assertEqual(self.runs(), ["link", "mine"])
        with self.mounted() as system:
            system.unlink("/radosload/link")
            for path in ("/radosload/mine", "/elsewhere"):
                system.rmdir(path)
        self.assert_nothing_noted()

    def test_interrupted_run_reports_and_leaves_nothing(self):
        self.count_from_here()
        process = self.start()
        self.wait_for_load()
        process.send_signal(signal.SIGINT)
        record, _ = self.finish(process, 130)
        self.assertGreater(record["totals"]["create"]["ops"], 0)
        self.assert_nothing_noted()

    def test_client_evicted_is_named(self):
        self.count_from_here()
        process = self.start()
        self.wait_for_load()
        sessions = json.loads(self.ceph("tell", "mds.a", "client", "ls"))
        (load,) = [one["id"] for one in sessions
                   if re.fullmatch(r"/radosload/[^/]+", one["client_metadata"].get("root", ""))]
        # An MDS was seen to evict a client and never to answer the command.
        self.ceph("-c", f"timeout 60 ceph tell mds.a client evict id={load} || [ $? = 124 ]",
                  program="sh")
        record, _ = self.finish(process, 1)
        self.assertEqual(record["ended_by"], "errors")
        self.assertIn("ESHUTDOWN", record["totals"]["create"]["errors"])
        self.assertTrue(any("evicted" in warning for warning in record["warnings"]), record["warnings"])
        self.assert_nothing_noted()

    def test_mds_killed_run_ends_and_says_so_and_cleanup_follows(self):
        self.count_from_here()
        # Time: the MDS is killed in it, and nothing else ends the run.
        process = self.start("--time", "20", "--drain", "3")
        self.wait_for_load()
        self.lab("mds", "kill")
        record, said = self.finish(process, 1)
        self.assertGreater(record["counts"]["measured"]["cancelled"], 0, record["counts"])
        self.assertIn("cleanup", said)
        # While no MDS is active nothing is begun.
        self.assertRegex(self.refused_run("--pattern", "fs-create,objects=10"), "MDS")
        self.lab("mds", "start")
        self.wait_for_mds()
        self.clean_up()
        self.assert_nothing_noted()

    def test_target_keeps_the_contract_of_all_targets(self):
        program = Path(PROGRAM.parents[1], "tests/file_target")
        done = subprocess.run(
            [program], timeout=DEADLINE, capture_output=True, text=True, check=False,
            env={**os.environ, "RADOSLOAD_TEST_LAB": str(self.dir)})
        self.assertEqual(done.returncode, 0, f"{done.stdout[-8000:]}\n{done.stderr[-8000:]}")
        self.assertIn("OK ] CephFs/TargetContract.", done.stdout)
        self.assertNotIn("SKIPPED", done.stdout)

    def test_mds_restarts_and_the_run_goes_on(self):
        self.count_from_here()
        process = self.start("--push-through")
        self.wait_for_load()
        self.lab("mds", "kill")
        self.lab("mds", "start")
        self.wait_for_mds()
        self.wait_for_load()
        process.send_signal(signal.SIGINT)
        record, _ = self.finish(process, 130)
        self.assertEqual(record["totals"]["create"]["errors"], {})
        self.assertEqual(record["grade"]["value"], "contaminated")
        self.assertIn("mds.a was restarted", "; ".join(record["grade"]["reasons"]))
        self.assert_nothing_noted()


class LabWithAnMds(LabCase):
    def test_it_has_a_file_system_and_nothing_is_left(self):
        self.up(None, TINY, "--mds")
        self.assertEqual(self.status()["daemons"]["mds.a"]["state"], "running")
        self.assertIn("mds.a: running", self.lab("status")[0])
        for action, then in (("pause", "paused"), ("resume", "running"), ("kill", "stopped"),
                             ("start", "running"), ("stop", "stopped"), ("restart", "running")):
            self.lab("mds", action)
            self.assertEqual(self.status()["daemons"]["mds.a"]["state"], then, action)
        self.assertEqual(self.ceph_json("fs", "ls")[0]["name"], "cephfs")
        self.lab("reset")
        self.assertEqual(self.ceph_json("fs", "ls")[0]["name"], "cephfs")
        self.lab("down")
        self.assert_nothing_left()
        self.up()
        self.assertNotIn("mds.a", self.status()["daemons"])
        self.assertIn("up --mds", self.refused("mds", "kill"))


if __name__ == "__main__":
    unittest.main()
