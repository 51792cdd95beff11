// The form of config files.
#include <array>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/options/config_file.h"

namespace radosload::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(const std::string& text) {
  const auto parsed = parse_config(text, "f.conf");
  if (parsed) return "no error";
  EXPECT_EQ(parsed.error().exit, Exit::usage);
  return parsed.error().message();
}

TEST(ConfigFile, SectionsKeysAndCommentsAreRead) {
  const auto parsed = parse_config(
      "# a comment\n; another\n\n[run]\n  time = 2m   # two minutes\npool=a#b\r\n"
      "[ cluster ]\nkeyring = /etc/ceph/my keyring\nconf\t=\t/x=y",
      "f.conf");
  ASSERT_TRUE(parsed) << parsed.error().message();
  ASSERT_EQ(parsed->size(), 4U);
  const std::vector<std::array<std::string, 4>> expected = {
      {"run", "time", "2m", "f.conf:5"},
      {"run", "pool", "a#b", "f.conf:6"},
      {"cluster", "keyring", "/etc/ceph/my keyring", "f.conf:8"},
      {"cluster", "conf", "/x=y", "f.conf:9"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ConfigEntry& entry = (*parsed)[i];
    EXPECT_EQ((std::array{entry.section, entry.key, entry.value, entry.where()}), expected[i]);
  }
}

TEST(ConfigFile, EmptyFile_IsValid) {
  for (const char* const text : {"", "\n\n", "# only words", "[run]\n"}) {
    const auto parsed = parse_config(text, "f.conf");
    ASSERT_TRUE(parsed) << text;
    EXPECT_TRUE(parsed->empty()) << text;
  }
}

TEST(ConfigFile, MalformedLine_ErrorHasItsNumber) {
  EXPECT_THAT(error_of("[run]\ntime\n"), HasSubstr("f.conf:2"));
  EXPECT_THAT(error_of("[run]\n= 2m\n"), HasSubstr("f.conf:2"));
  EXPECT_THAT(error_of("[run\n"), HasSubstr("f.conf:1"));
  EXPECT_THAT(error_of("\n\n[run]\ntime =\n"), HasSubstr("f.conf:4"));
  EXPECT_THAT(error_of("time = 2m\n"), HasSubstr("before the first section"));
  const std::string twice = error_of("[run]\ntime = 2m\n[cluster]\nid = a\n[run]\ntime = 3m\n");
  EXPECT_THAT(twice, HasSubstr("f.conf:6"));
  EXPECT_THAT(twice, HasSubstr("line 2"));
}

TEST(ConfigFile, SecretsAreRefusedAndNotRepeated) {
  const std::string key = "AQBhG2FnAAAAABAA4LAPfO6J0H5s6cDVvz6gTQ==";
  for (const std::string name : {"key", "secret", "password", "keyring"}) {
    const std::string said = error_of("[cluster]\n" + name + " = " + key + "\n");
    EXPECT_THAT(said, HasSubstr("secret"));
    EXPECT_THAT(said, HasSubstr("f.conf:2"));
    EXPECT_THAT(said, Not(HasSubstr(key)));
  }
  // Wherever it stands, and whatever else is wrong with the line.
  for (const std::string& line : {"key " + key, key, "[" + key + "]", "x = a " + key + " b"}) {
    EXPECT_THAT(error_of("[run]\n" + line + "\n"), HasSubstr("a secret")) << line;
    EXPECT_THAT(error_of("[run]\n" + line + "\n"), Not(HasSubstr(key.substr(0, 8))));
  }
  EXPECT_THAT(error_of("[cluster]\nkey = short\n"), HasSubstr("keyring = FILE"));
}

}  // namespace
}  // namespace radosload::cli
