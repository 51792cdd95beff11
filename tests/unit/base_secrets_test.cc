#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/secrets.h"

namespace radosload::base {
namespace {

const std::string cephx_key = "AQBSdR5nAAAAABAAHKZ7y3tTGzqSVdsUHD/9Cw==";

TEST(WithoutSecrets, RemovesTheValuesOfSecretSettings) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"key = abc", "key = [removed]"},
      {"key=abc next", "key=[removed] next"},
      {"--key abc --id load", "--key [removed] --id load"},
      {"--key=abc", "--key=[removed]"},
      {R"({"key": "abc", "id": 1})", R"({"key": "[removed]", "id": 1})"},
      {R"({\"key\":\"abc\"})", R"({\"key\":\"[removed]\"})"},
      {"password: abc", "password: [removed]"},
      {"rgw_secret=abc", "rgw_secret=[removed]"},
      {"passphrase='abc'", "passphrase='[removed]'"}};
  for (const auto& [text, kept] : cases) EXPECT_EQ(without_secrets(text), kept);
}

TEST(WithoutSecrets, RemovesCephxKeysEverywhere) {
  EXPECT_EQ(without_secrets(cephx_key), "[removed]");
  EXPECT_EQ(without_secrets("label " + cephx_key + ", end"), "label [removed], end");
  EXPECT_EQ(without_secrets("a\n\tkey = " + cephx_key + "\n"), "a\n\tkey = [removed]\n");
}

TEST(WithoutSecrets, KeepsFilesWithSecretsAndOrdinaryWords) {
  for (const std::string text :
       {"keyring = /etc/ceph/ceph.client.load.keyring", "--keyring /etc/k --luks-passphrase /etc/p",
        "the key of this user is missing", "keyfile=/etc/ceph/key", "monkey=5", "key=", "key", "",
        "pattern=randrw4k,qd=4", "HISTFAAAAAxAQBSdR5nAAAAABAAHKZ7y3tTGzqSVdsUHD/9Cw=="}) {
    EXPECT_EQ(without_secrets(text), text);
  }
}

}  // namespace
}  // namespace radosload::base
