#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/patterns.h"
#include "workload/layout.h"

namespace radosload::plan {
namespace {

Pattern parsed(std::string_view text) {
  return parse_pattern(text).value();
}

TEST(Patterns, EveryNamedPatternOfTheProductIsThere) {
  const std::vector<std::string_view> wanted = {"randrw4k",       "randread4k",
                                                "randwrite4k",    "randwrite4k-qd1",
                                                "randread4k-qd1", "write4k",
                                                "read4k",         "rw4k",
                                                "write1m",        "read1m",
                                                "rw1m",           "etcd-wal",
                                                "sync-write4k",   "radosbench-write",
                                                "radosbench-seq", "radosbench-rand",
                                                "omap-set",       "omap-get",
                                                "stat",           "create",
                                                "delete",         "list",
                                                "onode-read"};
  for (const std::string_view name : wanted) EXPECT_NE(find_pattern(name), nullptr) << name;
  EXPECT_EQ(find_pattern("kbench"), nullptr);
}

TEST(Patterns, EveryEntry_IsValidExplainedAndUnique) {
  std::set<std::string> names;
  for (const NamedPattern& named : catalogue()) {
    const std::string& name = named.defaults.name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(check(named.defaults)) << name;
    EXPECT_TRUE(workload::lay_out(named.defaults)) << name;
    EXPECT_EQ(parsed(name), named.defaults) << name;
    EXPECT_FALSE(named.summary.empty()) << name;
    EXPECT_LE(named.summary.size(), 72U) << name;
    EXPECT_FALSE(named.detail.empty()) << name;
  }
}

TEST(Patterns, DefaultsAreThoseOfTheTable) {
  const Pattern mixed = parsed("randrw4k");
  EXPECT_EQ(mixed.read_percent, 75);
  EXPECT_EQ(mixed.queue_depth, 64U);
  EXPECT_EQ(mixed.working_set, gib(1));
  EXPECT_EQ(mixed.object_size, mib(4));
  EXPECT_EQ(mixed.block_size, kib(4));
  EXPECT_EQ(parsed("randread4k").queue_depth, 64U);
  EXPECT_EQ(parsed("randwrite4k").read_percent, 0);
  EXPECT_EQ(parsed("randwrite4k-qd1").queue_depth, 1U);
  EXPECT_EQ(parsed("rw4k").read_percent, 50);
  EXPECT_EQ(parsed("rw1m").queue_depth, 16U);
  EXPECT_EQ(parsed("rw1m").access, Access::sequential);
  EXPECT_EQ(parsed("etcd-wal").block_size, Bytes{2300});
  EXPECT_EQ(parsed("etcd-wal").queue_depth, 1U);
  EXPECT_EQ(parsed("etcd-wal").working_set, mib(22));
  EXPECT_TRUE(parsed("etcd-wal").flush_each_write);
  EXPECT_EQ(parsed("radosbench-write").block_size, mib(4));
  EXPECT_EQ(parsed("radosbench-rand").access, Access::random);
  EXPECT_EQ(parsed("delete").metadata, OpKind::remove);
  EXPECT_EQ(parsed("omap-get").queue_depth, 16U);
}

TEST(Patterns, KeysChangeDefaults) {
  const Pattern pattern = parsed(
      "randrw4k,read=12.5,bs=16k,qd=3,object-size=1M,size=2G,dist=zipf:1.1,cache=bypass,"
      "verify=off,flush=yes");
  EXPECT_EQ(pattern.read_percent, 12.5);
  EXPECT_EQ(pattern.block_size, kib(16));
  EXPECT_EQ(pattern.queue_depth, 3U);
  EXPECT_EQ(pattern.object_size, mib(1));
  EXPECT_EQ(pattern.working_set, gib(2));
  EXPECT_EQ(pattern.distribution, (Distribution{Distribution::Law::zipf, 1.1}));
  EXPECT_EQ(pattern.cache, CacheMode::bypass);
  EXPECT_EQ(pattern.verify, Verify::off);
  EXPECT_TRUE(pattern.flush_each_write);
  EXPECT_EQ(parsed("rand,dist=zipf").distribution.theta, 0.99);
  EXPECT_EQ(parsed("rand,access=seq").access, Access::sequential);
  EXPECT_EQ(parsed("stat,objects=7").objects, 7U);
}

TEST(Patterns, Options_OverrideKeysOfTheSameMeaning) {
  const std::vector<Setting> options = {{"bs", "8k"}, {"read", "10"}};
  EXPECT_EQ(parse_pattern("randrw4k,bs=16k", options).value(), parsed("randrw4k,bs=8k,read=10"));
  const std::vector<Setting> bad = {{"bs", "8q"}};
  EXPECT_FALSE(parse_pattern("randrw4k", bad));
}

TEST(Patterns, WholeObjectPatternsKeepBlockAndObjectTheSame) {
  EXPECT_EQ(parsed("radosbench-write,bs=1M").object_size, mib(1));
  EXPECT_EQ(parsed("radosbench-write,object-size=8M").block_size, mib(8));
  EXPECT_EQ(parsed("radosbench-write,object-size=8M,bs=8192k").block_size, mib(8));
}

struct BadPattern {
  const char* text;
  const char* message;
};

TEST(Patterns, InvalidPattern_IsAUsageErrorWithReasonAndHint) {
  const std::vector<BadPattern> table = {
      {"", "a pattern begins with a name"},
      {",bs=4k", "a pattern begins with a name"},
      {"bs=4k,read=5", "begin with rand or seq"},
      {"randrw4", "did you mean randrw4k?"},
      {"radnwrite4k", "did you mean randwrite4k?"},
      {"kbench", "a suite of 12 runs"},
      {"kbnech", "did you mean kbench?"},
      {"something-else", "'radosload patterns' lists patterns and keys"},
      {"randrw4k,", "after the pattern's name come key=value pairs"},
      {"randrw4k,seq", "cannot use 'seq': after the pattern's name come"},
      {"randrw4k,=4k", "after the pattern's name come key=value pairs"},
      {"randrw4k,bs=4k,bs=8k", "the key bs twice"},
      {"randrw4k,qd=1,4", "a list of values uses colons: qd=1:4"},
      {"randrw4k,objsize=4k", "patterns have no key 'objsize'"},
      {"randrw4k,object_size=4k", "did you mean object-size?"},
      {"randrw4k,raed=5", "did you mean read?"},
      {"randrw4k,bs=", "cannot use bs=: it is not a size\n  write 4k, 1M"},
      {"randrw4k,bs=4q", "cannot use bs=4q: it is not a size\n  write 4k, 1M"},
      {"randrw4k,bs=0", "an operation moves at least one byte"},
      {"randrw4k,bs=8M", "does not fit an object of 4M\n  give object-size=8M"},
      {"rand,bs=2G,object-size=4G,size=8G", "an operation moves at most 1G"},
      {"randrw4k,size=1M", "less than one object of 4M\n  give object-size=1M"},
      {"randrw4k,size=0", "give size=4M or more"},
      {"randrw4k,object-size=0", "does not fit an object of 0"},
      {"randrw4k,read=101", "a percentage from 0 to 100"},
      {"randrw4k,read=-1", "a percentage from 0 to 100"},
      {"randrw4k,read=half", "a percentage from 0 to 100"},
      {"randrw4k,qd=0", "from 1 to 1000000"},
      {"randrw4k,qd=16k", "from 1 to 1000000"},
      {"randrw4k,qd=1:4:16", "it takes one value here, not a list"},
      {"randrw4k,bs=4k:8k", "it takes one value here, not a list"},
      {"randrw4k,dist=normal", "write uniform or zipf, as in zipf:1.1"},
      {"randrw4k,dist=zipf:0", "from 0.001 to 10"},
      {"randrw4k,dist=zipf:x", "from 0.001 to 10"},
      {"randrw4k,dist=uniform:zipf", "dist takes no list of values"},
      {"randrw4k,dist=zipf:0.9:1.1", "dist takes no list of values"},
      {"randrw4k,dist=zipff", "did you mean zipf?"},
      {"randrw4k,dist=zipfian:x", "from 0.001 to 10"},
      {"randrw4k,access=both", "write rand or seq"},
      {"read4k,dist=zipf", "sequential access uses every block in order"},
      {"randrw4k,dist=zipf,access=seq", "sequential access uses every block in order"},
      {"randrw4k,cache=cold", "write warm, bypass or drop"},
      {"stat,cache=bypass", "OSDs follow it for data only"},
      {"randrw4k,verify=maybe", "write off, stamp, generation or full"},
      {"randread4k,flush=yes", "there is nothing to flush"},
      {"stat,read=50", "stat has no key read: it does not read or write data"},
      {"omap-set,read=50", "omap-set has no key read"},
      {"stat,bs=4k", "its operations carry no data"},
      {"stat,size=1G", "set the number of its objects with objects=N"},
      {"randrw4k,objects=5", "is size divided by object-size"},
      {"create,object-size=4k", "it creates empty objects"},
      {"delete,access=rand", "it uses each object once, in order"},
      {"stat,objects=0", "from 1 to 1000000000000"},
      {"stat,objects=2000000000000", "from 1 to 1000000000000"},
      {"stat,object-size=2G", "has at most 1G"},
      {"stat,verify=full", "it does not read content"},
      {"radosbench-write,bs=1M,object-size=4M", "reads and writes whole objects"},
  };
  for (const auto& [text, message] : table) {
    const auto pattern = parse_pattern(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.error().exit, Exit::usage) << text;
    EXPECT_NE(pattern.error().message().find(message), std::string::npos)
        << text << "\n"
        << pattern.error().message();
  }
}

TEST(Patterns, WordsOfOtherPrograms_AreUnderstood) {
  EXPECT_EQ(parsed("randrw4k,dist=zipfian").distribution,
            parsed("randrw4k,dist=zipf").distribution);
  EXPECT_EQ(parsed("randrw4k,dist=zipfian:1.2").distribution.theta, 1.2);
  EXPECT_EQ(parsed("seq,access=random").access, Access::random);
  EXPECT_EQ(parsed("rand,access=sequential").access, Access::sequential);
  EXPECT_TRUE(parsed("randwrite4k,flush=true").flush_each_write);
}

TEST(Patterns, RefusedKey_LeavesThePatternUnchanged) {
  Pattern pattern = parsed("radosbench-write");
  const Pattern before = pattern;
  EXPECT_FALSE(apply(pattern, "bs", "4q"));
  EXPECT_FALSE(apply(pattern, "nonsense", "1"));
  EXPECT_EQ(pattern, before);
}

TEST(Patterns, DescriptionsNameEverySettingInForce) {
  const std::vector<Setting> settings = describe(parsed("randrw4k"));
  std::string text;
  for (const Setting& setting : settings) text += setting.key + "=" + setting.value + " ";
  EXPECT_EQ(text,
            "pattern=randrw4k read=75 bs=4k qd=64 object-size=4M size=1G access=rand "
            "dist=uniform cache=warm flush=no dsync=no verify=generation ");
  EXPECT_EQ(pattern_text(parsed("create")), "create,qd=16,objects=1048576,cache=warm");
}

// A pattern with a few keys at random; what contradicts itself is left out.
Pattern any_pattern() {
  return *rc::gen::suchThat(
      rc::gen::exec([] {
        const auto index = *rc::gen::inRange<std::size_t>(0, catalogue().size());
        Pattern pattern = catalogue()[index].defaults;
        const std::vector<Setting> choices = {
            {"read", *rc::gen::element<std::string>("0", "33.3", "100")},
            {"bs", *rc::gen::element<std::string>("1", "512", "2300", "4k", "1M")},
            {"qd", *rc::gen::element<std::string>("1", "7", "1000000")},
            {"object-size", *rc::gen::element<std::string>("4k", "10000", "4M", "64M")},
            {"size", *rc::gen::element<std::string>("64M", "1T", "1000000007")},
            {"objects", *rc::gen::element<std::string>("1", "123456789")},
            {"access", *rc::gen::element<std::string>("rand", "seq")},
            {"dist", *rc::gen::element<std::string>("uniform", "zipf", "zipf:0.7")},
            {"cache", *rc::gen::element<std::string>("warm", "bypass", "drop")},
            {"flush", *rc::gen::element<std::string>("yes", "no")},
            {"verify", *rc::gen::element<std::string>("off", "stamp", "generation", "full")}};
        for (const Setting& choice : choices) {
          if (*rc::gen::arbitrary<bool>()) (void)apply(pattern, choice.key, choice.value);
        }
        return pattern;
      }),
      [](const Pattern& pattern) { return check(pattern).has_value(); });
}

RC_GTEST_PROP(Patterns, TextReadsBackToTheSamePattern, ()) {
  const Pattern pattern = any_pattern();
  const auto again = parse_pattern(pattern_text(pattern));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == pattern);
}

RC_GTEST_PROP(Patterns, DescriptionsReadBackAsOptions, ()) {
  const Pattern pattern = any_pattern();
  std::vector<Setting> settings = describe(pattern);
  RC_ASSERT(settings.front().key == "pattern");
  const std::string name = settings.front().value;
  settings.erase(settings.begin());
  RC_ASSERT(parse_pattern(name, settings) == pattern);
}

RC_GTEST_PROP(Patterns, ValidPattern_HasALayout, ()) {
  RC_ASSERT(workload::lay_out(any_pattern()));
}

RC_GTEST_PROP(Patterns, NoTextMakesTheParserFail, (const std::string& noise)) {
  const auto prefix = *rc::gen::element<std::string>("", "randrw4k,", "rand,dist=", "seq,bs=");
  (void)parse_pattern(prefix + noise);
}

}  // namespace
}  // namespace radosload::plan
