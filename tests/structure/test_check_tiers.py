"""tests/structure/check_tiers.py is killed by every fault of the table that it is there for, and by nothing else."""

import unittest

from check_tiers import complaints, plain

TESTS = {"unit_stats", "cli.Words.AreRead", "cluster.Run.Works", "cluster.Run.Fails", "cluster.Each/Part.Works/1",
         "cluster.Each/Part.Works/2", "lab.test_lab_up.Up"}
CASES = {"Stats.Add", "LongModel.Days"}
GOOD = """# a remark

first  shared     cluster.Run.Works
full   exclusive  cluster.Run.Fails         <- Stats.Add cluster.Run.Works
first  exclusive  cluster.Each/Part.Works/1
full   shared     cluster.Each/Part.*       <- cluster.Each/Part.Works/1
full   own        lab.test_lab_up.Up        <- cluster.Run.Works
full   -          unit:LongModel.*          <- Stats.Add
"""


class Tiers(unittest.TestCase):
    def check(self, *changes):
        text = GOOD
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return list(complaints(text, TESTS, CASES))

    def test_a_good_table_has_no_complaint(self):
        self.assertEqual(self.check(), [])

    def test_a_test_on_a_cluster_needs_a_row(self):
        found = self.check(("first  shared     cluster.Run.Works\n", ""))
        self.assertIn("cluster.Run.Works: 0 rows in tests/tiers.txt, expected one", found)

    def test_two_rows_of_a_test_are_refused(self):
        found = self.check(("# a remark\n", "first shared cluster.Run.Works\n"))
        self.assertEqual(found, ["cluster.Run.Works: 2 rows in tests/tiers.txt, expected one"])

    def test_a_row_without_a_test_is_refused(self):
        found = self.check(("unit:LongModel.*", "unit:LongMode.*"))
        self.assertEqual(found, ["tests/tiers.txt:8: there is no test unit:LongMode.*"])

    def test_the_full_tier_needs_guards_and_the_first_has_none(self):
        complaint = "a test of the full tier, and no other, names its guards in the first"
        self.assertEqual(self.check(("unit:LongModel.*          <- Stats.Add", "unit:LongModel.*")),
                         [f"tests/tiers.txt:8: {complaint}"])
        self.assertEqual(self.check(("shared     cluster.Run.Works\n", "shared cluster.Run.Works <- Stats.Add\n")),
                         [f"tests/tiers.txt:3: {complaint}"])

    def test_a_guard_exists_in_the_first_tier(self):
        self.assertEqual(self.check(("Stats.Add cluster", "Stats.Subtract cluster")),
                         ["cluster.Run.Fails: its guard Stats.Subtract does not exist"])
        self.assertEqual(self.check(("Stats.Add cluster", "Words.AreRead cluster")), [])
        self.assertEqual(self.check(("Stats.Add cluster", "LongModel.Days cluster")),
                         ["cluster.Run.Fails: its guard LongModel.Days is left to the full tier itself"])
        self.assertEqual(self.check(("Up        <- cluster.Run.Works", "Up <- cluster.Run.Fails")),
                         ["lab.test_lab_up.Up: its guard cluster.Run.Fails is left to the full tier itself"])

    def test_a_guard_has_the_name_that_ctest_has_for_it(self):
        self.assertEqual(self.check(("Up        <- cluster.Run.Works", "Up <- Run.Works")),
                         ["lab.test_lab_up.Up: its guard Run.Works is named by ctest with 'cluster.' before it"])

    def test_only_a_test_on_a_cluster_has_a_lab(self):
        self.assertEqual(self.check(("full   -          unit", "full   own        unit")),
                         ["tests/tiers.txt:8: a test has a lab when it runs on a cluster"])

    def test_anything_else_is_no_row(self):
        self.assertEqual(self.check(("# a remark", "often shared cluster.Run.Works")),
                         ["tests/tiers.txt:1: a row is TIER LAB NAME [<- GUARD...]"])

    def test_the_value_of_a_parameter_is_no_part_of_a_name(self):
        self.assertEqual(plain('cluster.Each/Part.Works/ssd  # GetParam() = "ssd"'), "cluster.Each/Part.Works/ssd")


if __name__ == "__main__":
    unittest.main()
