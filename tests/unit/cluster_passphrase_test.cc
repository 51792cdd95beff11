#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <sys/prctl.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/passphrase.h"
#include "support/files.h"

namespace radosload::cluster {
namespace {

using ::testing::HasSubstr;

class PassphraseFile : public ::testing::Test {
 protected:
  void TearDown() override { prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }
  test::TemporaryFolder m_folder;
};

TEST_F(PassphraseFile, WholeFile_IsThePassphrase) {
  const auto read = Passphrase::read(m_folder.with("key", std::string("a b\0c\n", 6)));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->text(), std::string_view("a b\0c\n", 6));
  EXPECT_FALSE(read->empty());
  EXPECT_TRUE(Passphrase().empty());
}

TEST_F(PassphraseFile, WithoutEnd_IsRefusedAtTheLimit) {
  const auto endless = Passphrase::read("/dev/zero");
  ASSERT_FALSE(endless);
  EXPECT_THAT(endless.error().message(), HasSubstr("65536 bytes"));
  EXPECT_EQ(endless.error().exit, Exit::usage);
  EXPECT_TRUE(Passphrase::read(m_folder.with("most", std::string(SecretBytes::most, 'x'))));
  EXPECT_FALSE(Passphrase::read(m_folder.with("more", std::string(SecretBytes::most + 1, 'x'))));
}

TEST_F(PassphraseFile, EmptyOrMissing_IsRefusedByItsName) {
  EXPECT_THAT(Passphrase::read(m_folder.with("none", "")).error().message(),
              HasSubstr("the file is empty"));
  const std::string missing = m_folder.path() / "missing";
  EXPECT_THAT(Passphrase::read(missing).error().message(), HasSubstr(missing));
  EXPECT_FALSE(Passphrase::read("/tmp"));
}

TEST_F(PassphraseFile, OnceRead_TheProcessLeavesNoCoreDump) {
  ASSERT_EQ(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 1);
  ASSERT_TRUE(Passphrase::read(m_folder.with("key", "secret")));
  EXPECT_EQ(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
}

TEST(SecretBytes, Destructor_WipesTheBytes) {
  alignas(SecretBytes) static std::array<char, sizeof(SecretBytes)> place;
  auto* const secret = new (place.data()) SecretBytes;
  const std::string text = "it is secret";
  std::copy(text.begin(), text.end(), secret->bytes.begin());
  secret->bytes.back() = 'x';
  std::destroy_at(secret);
  const std::string_view left(place.data(), place.size());
  EXPECT_EQ(left.find("secret"), std::string_view::npos);
  EXPECT_EQ(left.find('x'), std::string_view::npos);
}

}  // namespace
}  // namespace radosload::cluster
