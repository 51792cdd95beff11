// The file of a study: what is read, what is refused with which words, and that what is written
// reads back.
#include "study/study_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"

namespace radosload::study {
namespace {

using ::testing::HasSubstr;

const std::string arms = "arms: {a: --pool p, b: --pool q}\n";

StudyPlan must_read(const std::string& text) {
  auto plan = read_study(text, "x.yaml");
  if (!plan) ADD_FAILURE() << plan.error().message() << "\nin:\n" << text;
  return plan ? *plan : StudyPlan();
}

TEST(StudyFile, EveryKeyIsRead) {
  const StudyPlan plan = must_read(R"(
name: flash
question: >
  Is it
  faster?
arms:
  wal: -p wal1 --osd=0-3
  db: [--pool, db1, --osd, 4-7]
patterns:
  small: "randwrite4k,qd=1 --clients 2"
timers: [scrub --deep, bench --bs 4k]
sweep: {bs: [4k, 8k], rate: [100]}
options: {time: 10s, warmup: auto, allow-unhealthy: yes, label: [a=1, b=2]}
rounds: 6
order: listed
seed: 9
load: closed
phases:
  before:
  after: do it
require-clean: yes
keep-objects: yes
primary: small bs=4k rate=100 IOPS
threshold: 2.5%
level: 0.9
)");
  EXPECT_EQ(plan.name, "flash");
  EXPECT_EQ(plan.question, "Is it faster?");
  EXPECT_EQ(plan.arms, (std::vector<Arm>{{"wal", {"--pool", "wal1", "--osd", "0-3"}},
                                         {"db", {"--pool", "db1", "--osd", "4-7"}}}));
  const auto load = [](const std::string& bs) {
    return Work{Work::What::pattern,
                "small bs=" + bs + " rate=100",
                {"randwrite4k,qd=1,bs=" + bs, "--clients", "2", "--rate", "100"}};
  };
  EXPECT_EQ(plan.works,
            (std::vector<Work>{load("4k"),
                               load("8k"),
                               {Work::What::timer, "scrub --deep", {"scrub", "--deep"}},
                               {Work::What::timer, "bench --bs 4k", {"bench", "--bs", "4k"}}}));
  EXPECT_EQ(plan.options,
            (std::vector<std::string>{"--time", "10s", "--warmup", "auto", "--allow-unhealthy",
                                      "--label", "a=1", "--label", "b=2"}));
  EXPECT_EQ(plan.rounds, 6U);
  EXPECT_EQ(plan.order, Order::listed);
  EXPECT_EQ(plan.seed, 9U);
  EXPECT_EQ(plan.phases, (std::vector<Phase>{{"before", ""}, {"after", "do it"}}));
  EXPECT_TRUE(plan.require_clean);
  EXPECT_TRUE(plan.keep_objects);
  EXPECT_EQ(plan.threshold, 0.025);
  EXPECT_EQ(plan.level, 0.9);
}

TEST(StudyFile, MissingKeys_HaveTheirDefaults) {
  const StudyPlan plan = must_read(arms + "patterns: [randread4k]\n");
  EXPECT_EQ(plan.name, "x");
  EXPECT_EQ(plan.rounds, 10U);
  EXPECT_EQ(plan.order, Order::abba) << "two arms";
  EXPECT_EQ(plan.load, Load());
  EXPECT_EQ(plan.threshold, 0.05);
  EXPECT_EQ(plan.level, 0.95);
  EXPECT_FALSE(plan.probe);
  EXPECT_FALSE(plan.keep_objects);
  EXPECT_EQ(must_read("arms: {a: -p p, b: -p q, c: -p r}\n").order, Order::shuffled);
}

TEST(StudyFile, ListsAndSuitesBecomeSeveralLoads) {
  const auto names = [](const std::string& patterns) {
    std::vector<std::string> all;
    for (const Work& work : must_read(arms + patterns).works) all.push_back(work.name);
    return all;
  };
  EXPECT_EQ(names("patterns: ['randread4k,qd=1:16']\n"),
            (std::vector<std::string>{"randread4k qd=1", "randread4k qd=16"}));
  EXPECT_EQ(names("patterns: {r: randread4k, w: randwrite4k}\nsweep: {qd: [1, 2]}\n"),
            (std::vector<std::string>{"r qd=1", "r qd=2", "w qd=1", "w qd=2"}));
  // Each value alone would not do: 1 MiB is less than one object of the default size.
  EXPECT_EQ(names("patterns: {r: randread4k}\nsweep: {size: [1M], object-size: [64k, 128k]}\n"),
            (std::vector<std::string>{"r size=1M object-size=64k", "r size=1M object-size=128k"}));
  EXPECT_EQ(names("patterns: [kbench]\n").size(), 12U);
  EXPECT_EQ(names("patterns: [kbench]\n").front(), "kbench IOPS rand read");
  EXPECT_EQ(names("timers: [peering --how down, compact --limit 5m]\n"),
            (std::vector<std::string>{"peering", "compact"}));
}

TEST(StudyFile, LoadIsClosedARateOrAShare) {
  EXPECT_EQ(must_read(arms + "load: {rate: 500/s}\n").load, (Load{"500/s", 0}));
  EXPECT_EQ(must_read(arms + "load: {rate: 60%}\n").load, (Load{"", 0.6}));
  EXPECT_EQ(must_read(arms + "load: 60%\n").load, (Load{"", 0.6}));
  EXPECT_EQ(must_read(arms + "load: closed\n").load, Load());
}

struct Wrong {
  std::string text;
  std::string place;
  std::string reason;
  std::string hint;
};

class WrongStudy : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongStudy, IsRefusedWithFileLineKeyAndTheNearestWord) {
  const auto plan = read_study(GetParam().text, "x.yaml");
  ASSERT_FALSE(plan);
  const std::string message = plan.error().message();
  EXPECT_EQ(plan.error().exit, Exit::usage);
  EXPECT_THAT(message, HasSubstr("cannot read the study " + GetParam().place));
  EXPECT_THAT(message, HasSubstr(GetParam().reason));
  EXPECT_THAT(message, HasSubstr(GetParam().hint));
}

INSTANTIATE_TEST_SUITE_P(
    Table, WrongStudy,
    ::testing::Values(
        Wrong{"arms:\n  a: --pool p\nround: 5\n", "x.yaml:3", "there is no key 'round'",
              "did you mean rounds?"},
        Wrong{"zzz: 5\n", "x.yaml:1", "there is no key 'zzz'", "radosload help studies"},
        Wrong{"", "x.yaml", "it has no keys", "help studies"},
        Wrong{"- a\n", "x.yaml:1", "it has no keys", ""},
        Wrong{"rounds: many\n", "x.yaml:1", "rounds", ""},
        Wrong{"\nrounds: 0\n", "x.yaml:2", "rounds is from 1 to", ""},
        Wrong{"rounds:\n", "x.yaml:1", "rounds has no value", "write rounds: VALUE"},
        Wrong{"rounds: [1]\n", "x.yaml:1", "rounds takes one value", ""},
        Wrong{"order: abab\n", "x.yaml:1", "there is no order 'abab'", "did you mean abba?"},
        Wrong{"threshold: 5\n", "x.yaml:1", "threshold is from 0.1% to 100%", "as in 5%"},
        Wrong{"level: x%\n", "x.yaml:1", "this is 'x%'", "as in 5%"},
        Wrong{"require-clean: maybe\n", "x.yaml:1", "require-clean is a switch", "yes or no"},
        Wrong{"keep-objects: 3\n", "x.yaml:1", "keep-objects is a switch", "yes or no"},
        Wrong{"every: soon\n", "x.yaml:1", "every", ""},
        Wrong{"for: 0s\n", "x.yaml:1", "longer than 0 s", ""},
        Wrong{"arms: [a, b]\n", "x.yaml:1", "arms is not a map", "NAME: OPTIONS"},
        Wrong{"arms:\n  a: --pol p\n", "x.yaml:2", "arm a: --pol", "did you mean --pool?"},
        Wrong{"arms:\n  a: --pool\n", "x.yaml:2", "its value is missing", "write --pool POOL"},
        Wrong{"arms:\n  a: --pool p --pool q\n", "x.yaml:2", "it is given twice", ""},
        Wrong{"arms:\n  a: pool p\n", "x.yaml:2", "'pool': it is not an option", "--NAME VALUE"},
        Wrong{"arms:\n  a: --pool 'p\n", "x.yaml:2", "a quote (') is not closed", ""},
        Wrong{"arms:\n  a: -p p --osd 0-x\n", "x.yaml:2", "--osd 0-x", ""},
        Wrong{"arms:\n  a: -p p --each\n", "x.yaml:2", "a study does not take it",
              "one OSD after the other"},
        Wrong{"arms:\n  a: -p p --pattern randrw4k\n", "x.yaml:2", "--pattern", "under the key"},
        Wrong{"arms:\n  a: -p p --clients 1:2\n", "x.yaml:2", "not a list", "sweep"},
        Wrong{"arms:\n  a: -p p\n  a: -p q\n", "x.yaml:3", "'a' is already in line 2", ""},
        Wrong{"patterns:\n - randwrite4k\n - randwite4k\n", "x.yaml:3", "'randwite4k'",
              "did you mean randwrite4k?"},
        Wrong{"patterns:\n  w: randwrite4k,dq=1\n", "x.yaml:2", "dq", "did you mean qd?"},
        Wrong{"patterns: [randread4k, randread4k --clients x]\n", "x.yaml:1", "--clients x", ""},
        Wrong{"timers: [scrb]\n", "x.yaml:1", "there is no timer", "did you mean scrub?"},
        Wrong{"timers: [backfill]\n", "x.yaml:1", "cannot time backfill", "time backfill"},
        Wrong{"timers: [scrub --dep]\n", "x.yaml:1", "no such option", "did you mean --deep?"},
        Wrong{"timers: [peering]\n", "x.yaml:1", "either --restart-cmd or --how", ""},
        Wrong{"timers: [peering --restart-cmd x]\n", "x.yaml:1", "it has no {osd}", ""},
        Wrong{"timers: [bench --bs 4kk]\n", "x.yaml:1", "--bs 4kk", ""},
        Wrong{"patterns: [randread4k]\nsweep:\n  qdd: [1]\n", "x.yaml:2", "qdd",
              "did you mean qd?"},
        Wrong{"patterns: [randread4k]\nsweep: {qd: 1}\n", "x.yaml:2", "qd is not a list",
              "qd: [1, 16, 64]"},
        Wrong{"patterns: [randread4k]\nsweep: {qd: [1, 1]}\n", "x.yaml:2", "twice", ""},
        Wrong{"patterns: [create]\nsweep: {read: [1, 2]}\n", "x.yaml:2", "read", ""},
        Wrong{"options:\n  time: 10s\n  wamup: 5s\n", "x.yaml:3", "options: --wamup",
              "did you mean --warmup?"},
        Wrong{"options:\n  time: fast\n", "x.yaml:2", "--time fast", ""},
        Wrong{"options:\n  --time: 10s\n", "x.yaml:2", "no dashes here", ""},
        Wrong{"load: {rat: 5}\n", "x.yaml:1", "load has no key 'rat'", "500/s"},
        Wrong{"load: quick\n", "x.yaml:1", "load", ""},
        Wrong{"load: 160%\n", "x.yaml:1", "not a share", ""},
        Wrong{"phases: [{a: b}]\n", "x.yaml:1", "a phase is a name", ""},
        Wrong{"patterns: {a: randread4k}\ntimers: {a: compact}\n", "x.yaml",
              "two loads have the name 'a'", ""},
        Wrong{"a: b: c\n", "x.yaml:1", "it is not YAML", "into quotes"},
        Wrong{"a: [b\n", "x.yaml", "it is not YAML", ""},
        Wrong{"arms: &x {a: -p p}\n", "x.yaml:1", "no anchors", ""},
        Wrong{"name: *x\n", "x.yaml:1", "", ""},
        Wrong{"name: !!str x\n", "x.yaml:1", "no tags", ""},
        Wrong{"name: a\n---\nname: b\n", "x.yaml:2", "a second document", ""},
        Wrong{"? [a]\n: b\n", "x.yaml:1", "a key is a list or a map", ""},
        Wrong{"? a\n: b\n~: c\n", "x.yaml", "a key is empty", ""},
        Wrong{"name: \"a\\x01\"\n", "x.yaml:1", "control character", ""},
        Wrong{"name: \"a\\Nb\"\n", "x.yaml:1", "escapes", ""},
        Wrong{"name: \"a\xc2\x85"
              "b\"\n",
              "x.yaml:1", "control character", ""},
        Wrong{"arms: {\"a\\x9f\": --pool p}\n", "x.yaml:1", "control character", ""},
        Wrong{"name: \"a\\Lb\"\n", "x.yaml:1", "control character", ""},
        Wrong{"name: a\xe2\x80\xa9"
              "b\n",
              "x.yaml:1", "control character", ""},
        Wrong{"question: why\nname: a\xaa\xff\n", "x.yaml:2", "byte 0xaa, which is not UTF-8",
              ""}));

TEST(StudyFile, HostileTextIsRefusedWithItsLimit) {
  const auto refusal = [](const std::string& text) {
    const auto plan = read_study(text, "x.yaml");
    return plan ? std::string("read") : plan.error().message();
  };
  EXPECT_THAT(refusal("a: " + std::string(100, '[') + std::string(100, ']')),
              HasSubstr("8 levels are nested, the limit"));
  EXPECT_THAT(refusal("a: " + std::string(100'000, '[')), HasSubstr("cannot read the study"));
  EXPECT_THAT(refusal(std::string(300'000, 'a')), HasSubstr("more than 256 KiB, the limit"));
  std::string many = "a: [";
  for (int i = 0; i < 6000; ++i) many += "1,";
  EXPECT_THAT(refusal(many + "]"), HasSubstr("more than 5000 values, the limit"));
  EXPECT_THAT(refusal("a: &a [x]\nb: &b [*a, *a]\n"), HasSubstr("no anchors"));
  EXPECT_THAT(refusal(std::string("a: b\n\0c", 7)), HasSubstr("x.yaml:2: it contains the control"));
  EXPECT_THAT(refusal("!2"), HasSubstr("cannot read the study"));
  std::string crowd = "arms:\n";
  for (int i = 0; i < 51; ++i) crowd += "  a" + std::to_string(i) + ": -p p\n";
  EXPECT_THAT(refusal(crowd), HasSubstr("more than 50 entries, the limit"));
  EXPECT_THAT(refusal("patterns: ['randread4k,qd=1:2:3:4:5:6:7:8:9:10:11']\n"
                      "sweep: {bs: [4k, 8k, 16k, 32k, 64k, 128k, 256k, 512k, 1M, 2M]}\n"),
              HasSubstr("more than 100 patterns, the limit"));
}

TEST(StudyFile, IsReadFromDiskUpToTheLimitOnly) {
  EXPECT_THAT(read_study_file("/dev/zero").error().message(), HasSubstr("256 KiB"));
  const test::TemporaryFolder folder;
  EXPECT_THAT(read_study_file(folder.path() / "x.yaml").error().message(), HasSubstr("ENOENT"));
  EXPECT_THAT(read_study_file("/").error().message(), HasSubstr("it is a folder"));
}

TEST(StudyArm, ReplacesOrAddsAnArm) {
  StudyPlan plan = must_read(arms + "patterns: [randread4k]\n");
  ASSERT_TRUE(apply_arm(plan, "b=--pool r --osd 0,3"));
  ASSERT_TRUE(apply_arm(plan, "c=-p s"));
  EXPECT_EQ(plan.arms, (std::vector<Arm>{{"a", {"--pool", "p"}},
                                         {"b", {"--pool", "r", "--osd", "0,3"}},
                                         {"c", {"--pool", "s"}}}));
  const auto wrong = apply_arm(plan, "d=--pol x");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(), HasSubstr("cannot use --arm d=--pol x: arm d: --pol"));
  EXPECT_THAT(wrong.error().message(), HasSubstr("did you mean --pool?"));
  EXPECT_FALSE(apply_arm(plan, "d"));
  EXPECT_FALSE(apply_arm(plan, "=--pool x"));
  EXPECT_EQ(plan.arms.size(), 3U);
}

TEST(StudySetting, ReplacesOneValue) {
  StudyPlan plan = must_read(arms +
                             "patterns: [randread4k]\ntimers: [scrub]\n"
                             "options: {time: 10s, warmup: 5s}\n");
  for (const char* const text :
       {"rounds=3", "options.time=5s", "options.observer-id=admin", "load.rate=60%", "timers=[]",
        "primary=randread4k IOPS", "question=Is a: b?", "threshold=10%", "phases=[x, y]",
        "patterns.w=randwrite4k,qd=1", "order=listed", "every=5m", "for=1h"}) {
    const auto set = apply_setting(plan, text);
    EXPECT_TRUE(set) << (set ? "" : set.error().message());
  }
  EXPECT_EQ(plan.rounds, 3U);
  EXPECT_EQ(plan.options,
            (std::vector<std::string>{"--time", "5s", "--warmup", "5s", "--observer-id", "admin"}));
  EXPECT_EQ(plan.load.capacity_share, 0.6);
  EXPECT_EQ(plan.question, "Is a: b?");
  ASSERT_EQ(plan.works.size(), 2U);
  EXPECT_EQ(plan.works[1].words, (std::vector<std::string>{"randwrite4k,qd=1"}));
  EXPECT_EQ(plan.phases.size(), 2U);
  ASSERT_TRUE(apply_setting(plan, "sweep={qd: [1, 2]}"));
  EXPECT_EQ(plan.works.size(), 4U);
}

TEST(StudySetting, WrongOnesAreRefusedAndChangeNothing) {
  StudyPlan plan = must_read(arms + "patterns: [randread4k]\n");
  const StudyPlan before = plan;
  const auto refusal = [&](const std::string& text) {
    const auto set = apply_setting(plan, text);
    EXPECT_EQ(plan, before);
    return set ? std::string("taken") : set.error().message();
  };
  EXPECT_THAT(refusal("round=3"), HasSubstr("did you mean rounds?"));
  EXPECT_THAT(refusal("rounds"), HasSubstr("it is not KEY=VALUE"));
  EXPECT_THAT(refusal("rounds=x"), HasSubstr("cannot use --set rounds=x"));
  EXPECT_THAT(refusal("rounds.x=3"), HasSubstr("rounds has no entries"));
  EXPECT_THAT(refusal("options.warmp=3"), HasSubstr("did you mean --warmup?"));
  EXPECT_THAT(refusal("options.=3"), HasSubstr("ends in a dot"));
  EXPECT_THAT(refusal("patterns.x=nosuch"), HasSubstr("nosuch"));
  EXPECT_THAT(refusal("timers=[*x]"), HasSubstr("cannot use --set"));
}

TEST(StudyCheck, AStudyThatCannotBeMadeIsRefused) {
  const auto refusal = [](const std::string& text) {
    const auto checked = check_study(must_read(text), "x.yaml");
    return checked ? std::string("fits") : checked.error().message();
  };
  const std::string loads = "patterns: [randread4k]\n";
  EXPECT_EQ(refusal(arms + loads), "fits");
  EXPECT_EQ(refusal("arms: {a: -p p --osd 0-3}\nphases: [b, c]\ntimers: [scrub]\n"), "fits");
  EXPECT_EQ(refusal("arms: {a: -p p}\nevery: 5m\nfor: 1h\n" + loads), "fits");
  EXPECT_EQ(refusal("arms: {a: -p p --create 1G, b: -p q --image v}\n" + loads), "fits");
  EXPECT_EQ(refusal("arms: {a: --target null, b: --target sim}\nload: 60%\n" + loads), "fits");
  EXPECT_THAT(refusal(loads), HasSubstr("it has no arms"));
  EXPECT_THAT(refusal("arms: {a: -p p}\n" + loads), HasSubstr("one arm, and nothing to compare"));
  EXPECT_THAT(refusal(arms), HasSubstr("no patterns and no timers"));
  EXPECT_THAT(refusal(arms + loads + "phases: [b]\n"), HasSubstr("one phase"));
  EXPECT_THAT(refusal(arms + loads + "every: 5m\n"), HasSubstr("both 'every' and 'for'"));
  EXPECT_THAT(refusal(arms + loads + "every: 5m\nfor: 1m\n"), HasSubstr("shorter than 'every'"));
  EXPECT_THAT(refusal(arms + "timers: [scrub]\n"), HasSubstr("arm a, scrub: a timer needs OSDs"));
  EXPECT_THAT(refusal("arms: {a: --osd 0, b: -p p}\n" + loads),
              HasSubstr("arm a, randread4k: --pool is missing"));
  EXPECT_THAT(refusal("arms: {a: -p p --create 1G, b: -p q}\npatterns: [omap-set]\n"),
              HasSubstr("arm a, omap-set"));
  EXPECT_THAT(refusal(arms + loads + "primary: randwrite4k IOPS\n"),
              HasSubstr("for example 'randread4k IOPS'"));
  EXPECT_EQ(refusal(arms + loads + "primary: p99_us\n"), "fits");
  EXPECT_THAT(refusal(arms + "patterns: [randread4k --rate 5]\nload: 10/s\n"),
              HasSubstr("both 'load' and --rate"));
}

}  // namespace
}  // namespace radosload::study
