#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "footprint/manifest.h"

#include <nlohmann/json.hpp>

namespace radosload::footprint {
namespace {

using ::testing::HasSubstr;

Manifest example() {
  Manifest manifest;
  manifest.run = "20261121-040012-9f3a";
  manifest.started = "2026-11-21T04:00:12Z";
  manifest.owner = {.host = "node1",
                    .boot = "b",
                    .pid_space = "pid:[1]",
                    .pid = 4711,
                    .started_ticks = 99,
                    .client = 4242};
  manifest.pool = "hdd";
  manifest.nspace = "radosload";
  manifest.pattern = "randrw4k";
  manifest.objects = 256;
  manifest.object_size = mib(4);
  manifest.stamp = 0xfedcba9876543210U;
  manifest.keep = true;
  return manifest;
}

TEST(Manifest, NamesItsFormatAndIsPadded) {
  const std::string text = encode(example());
  EXPECT_EQ(text.size(), manifest_bytes);
  EXPECT_THAT(text, HasSubstr(R"("schema": "radosload.footprint/1")"));
  const auto back = decode(text);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, example());
}

// Rewriting a manifest must not make it grow: a full pool would refuse that.
TEST(Manifest, IsAsLargeInEveryState) {
  Manifest manifest = example();
  const std::size_t size = encode(manifest).size();
  manifest.state = State::deleting;
  manifest.filled_objects = ~0ULL;
  manifest.filled = Bytes{~0ULL};
  EXPECT_EQ(encode(manifest).size(), size);
}

TEST(Manifest, OfFiles_NamesTheirFileSystem) {
  Manifest manifest = example();
  manifest.content = Content::files;
  manifest.file_system = "home \"dirs\"";
  manifest.clients = 8;
  const auto back = decode(encode(manifest));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, manifest);
  manifest.clients = clients_limit + 1;
  EXPECT_FALSE(decode(encode(manifest)));
  manifest.clients = 8;
  manifest.file_system.clear();
  EXPECT_FALSE(decode(encode(manifest)));
}

TEST(Manifest, NamesTheObjectsThatWerePicked) {
  Manifest manifest = example();
  manifest.osds = {3, 10};
  manifest.picked = {7, 40'000'000'000, 0, 12};
  manifest.objects = 4;
  const std::string text = encode(manifest);
  const auto back = decode(text);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, manifest);
  for (const char* const wrong :
       {"7 8", "7 8 9 10 11", "7 8 -9 10", "7 8 9 1o", "7,8,9,10", " 7 8 9"}) {
    std::string other = text;
    other.replace(other.find("7 40000000000 0 12"), 18, wrong);
    EXPECT_FALSE(decode(other)) << wrong;
  }
}

TEST(Manifest, NamesTheClientsOfEarlierOwners) {
  Manifest manifest = example();
  manifest.ended_clients = {4116, ~0ULL};
  const auto back = decode(encode(manifest));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, manifest);
}

TEST(Manifest, GarbageIsRefusedWithAReason) {
  for (const char* const text :
       {"", "garbage", "[]", "17", "{}", R"({"schema": "radosload.footprint/2"})"}) {
    const auto decoded = decode(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_FALSE(decoded.error().message().empty());
  }
  EXPECT_FALSE(decode(encode(example()).substr(0, 200)));
}

TEST(Manifest, NestedTooDeeply_IsRefusedWithTheLimit) {
  const auto manifest = decode(std::string(50'000, '[') + std::string(50'000, ']'));
  ASSERT_FALSE(manifest);
  EXPECT_NE(manifest.error().message().find("100 levels"), std::string::npos);
}

TEST(Manifest, EveryMemberIsNeededAndOfItsType) {
  const auto whole = nlohmann::json::parse(encode(example()));
  for (const auto& [key, value] : whole.items()) {
    auto without = whole;
    without.erase(key);
    const auto missing = decode(without.dump());
    ASSERT_FALSE(missing) << key;
    auto other = whole;
    other[key] = nullptr;
    EXPECT_FALSE(decode(other.dump())) << key;
  }
  for (const auto& [key, value] : whole["owner"].items()) {
    auto without = whole;
    without["owner"].erase(key);
    EXPECT_FALSE(decode(without.dump())) << key;
  }
}

TEST(Manifest, InvalidValues_AreRefused) {
  const auto whole = nlohmann::json::parse(encode(example()));
  for (const auto& [key, value] : std::map<std::string, nlohmann::json>{{"run", "../x"},
                                                                        {"run", ""},
                                                                        {"state", "happy"},
                                                                        {"content", "gold"},
                                                                        {"objects", -1},
                                                                        {"objects", 1.5},
                                                                        {"stamp", "xyz"}}) {
    auto changed = whole;
    changed[key] = value;
    const auto decoded = decode(changed.dump());
    ASSERT_FALSE(decoded) << key;
    EXPECT_THAT(decoded.error().message(), HasSubstr(key));
  }
}

TEST(Manifest, OtherTexts_AreNoRunIds) {
  EXPECT_TRUE(is_run_id("20261121-040012-9f3a"));
  for (const std::string& text : {std::string(), std::string("a.b"), std::string("a/b"),
                                  std::string("a b"), std::string(65, 'a')}) {
    EXPECT_FALSE(is_run_id(text)) << text;
  }
}

RC_GTEST_PROP(ManifestProperties, ReadsBackUnchanged, ()) {
  Manifest manifest = example();
  manifest.objects = *rc::gen::inRange<std::uint64_t>(0, objects_limit + 1);
  manifest.object_size = Bytes{*rc::gen::arbitrary<std::uint64_t>()};
  manifest.value_size = Bytes{*rc::gen::arbitrary<std::uint64_t>()};
  manifest.stamp = *rc::gen::arbitrary<std::uint64_t>();
  manifest.keep = *rc::gen::arbitrary<bool>();
  manifest.filled_objects = *rc::gen::arbitrary<std::uint64_t>();
  manifest.content = *rc::gen::element(Content::empty, Content::data, Content::omap);
  manifest.state = *rc::gen::element(State::filling, State::ready, State::deleting);
  manifest.owner.pid = *rc::gen::inRange<std::int64_t>(0, 1 << 22);
  manifest.pattern = *rc::gen::string<std::string>();
  for (char& c : manifest.pattern) c = static_cast<char>(c & 0x7f);  // ASCII: the rest is replaced
  const auto back = decode(encode(manifest));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == manifest);
}

RC_GTEST_PROP(ManifestProperties, DamagedText_NeverCrashesTheReader, (std::string noise)) {
  std::string text = encode(example());
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text.replace(at, noise.size(), noise);
  const auto decoded = decode(text);  // either way, without a crash
  if (decoded) RC_ASSERT(is_run_id(decoded->run));
}

TEST(Manifest, NamesItsImages) {
  Manifest manifest = example();
  manifest.content = Content::image;
  manifest.images = {"vm1", "vm2"};
  manifest.image_nspace = "tenant";
  const auto back = decode(encode(manifest));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, manifest);
  nlohmann::json document = nlohmann::json::parse(encode(manifest));
  document["images"] = 7;
  EXPECT_FALSE(decode(document.dump()));
}

}  // namespace
}  // namespace radosload::footprint
