// The table of rights: the lines that it prints, and that all texts of the program and the
// documents agree with it.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/rights.h"
#include "support/places.h"

#include <fmt/format.h>

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path source_folder = test::in_source("");

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

// A command that a page shows in several lines, in one.
std::string joined_lines(const std::string& text) {
  return std::regex_replace(text, std::regex(" \\\\\n +"), " ");
}

// What stands behind "radosload auth" in strings of the source.
std::set<std::string> named_in(const std::filesystem::path& file) {
  const std::string text = std::regex_replace(text_of_file(file), std::regex("\"\n *\""), "");
  const std::regex pattern("'radosload auth ([a-z][a-z-]*)'|rights_hint\\(\"([a-z-]+)\"\\)");
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    names.insert((*it)[1].str() + (*it)[2].str());
  }
  return names;
}

TEST(Rights, OfAFeature_AreALineReadyToPaste) {
  const Rights& run = **rights_for("run");
  EXPECT_EQ(grant_command(run, {.user = "bench", .pool = "ssd", .nspace = "mine"}),
            "ceph auth get-or-create client.bench mon 'allow r' mgr 'allow r' "
            "osd 'allow rw pool=ssd namespace=mine'");
  EXPECT_EQ(grant_command(run),
            "ceph auth get-or-create client.load mon 'allow r' mgr 'allow r' "
            "osd 'allow rw pool=POOL namespace=radosload'");
  EXPECT_EQ(grant_command(**rights_for("osds"), {.user = "client.me"}),
            "ceph auth get-or-create client.me mon 'allow r' mgr 'allow r'");
  EXPECT_EQ(grant_command(**rights_for("files"), {.fs = "my files"}),
            "ceph auth get-or-create client.files mon 'allow r fsname=\"my files\"' "
            "mgr 'allow r' mds 'allow rw fsname=\"my files\" path=/radosload' "
            "osd 'allow rw tag cephfs data=\"my files\"'");
  EXPECT_EQ(*rights_for("pinning"), &run);
}

TEST(Rights, NamesThatCephWouldMisread_AreQuotedOrRefused) {
  EXPECT_EQ(caps_of(**rights_for("images"), {.pool = "my pool"}).osd,
            "profile rbd pool=\"my pool\"");
  EXPECT_EQ(caps_of(**rights_for("run"), {.pool = "NAMESPACE", .nspace = "POOL"}).osd,
            "allow rw pool=NAMESPACE namespace=POOL");
  EXPECT_TRUE(check_names({.user = "a.b-c_1", .pool = "my pool"}));
  for (const RightsFor& whom : {RightsFor{.user = "a b"},
                                {.user = "x;rm"},
                                {.pool = "it's"},
                                {.pool = "a\"b"},
                                {.fs = "a'b"},
                                {.nspace = "a\nb"}}) {
    const Status checked = check_names(whom);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().exit, Exit::usage);
  }
}

TEST(Rights, AnUnknownFeature_IsAUsageErrorThatNamesTheNearest) {
  const auto found = rights_for("wach");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().exit, Exit::usage);
  EXPECT_THAT(found.error().message(), HasSubstr("did you mean watch?"));
}

TEST(Rights, EachFeature_IsInTheTableOnce) {
  std::set<std::string_view> names;
  for (const Rights& rights : all_rights()) {
    EXPECT_FALSE(rights.what.empty() || rights.user.empty() || rights.mon.empty());
    for (const std::string_view name : rights.names()) {
      EXPECT_TRUE(names.insert(name).second) << name;
    }
  }
  EXPECT_TRUE(names.contains("cleanup-flags"));
}

TEST(Rights, TheTableOfThePageOnProduction_IsThisTable) {
  const std::string page = text_of_file(source_folder / "docs/production.md");
  std::size_t rows = 0;
  for (std::size_t at = page.find("| `ceph auth"); at != std::string::npos;
       at = page.find("| `ceph auth", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, all_rights().size());
  for (const Rights& rights : all_rights()) {
    EXPECT_THAT(page,
                HasSubstr(fmt::format("| {} | `{}` |\n", rights.features, grant_command(rights))));
  }
}

TEST(Rights, TheFirstStepsOfReadme_GrantNoMoreAndNoLess) {
  EXPECT_THAT(joined_lines(text_of_file(source_folder / "README.md")),
              HasSubstr(grant_command(**rights_for("run"), {.pool = "hdd"}) + " >"));
}

TEST(Rights, FeaturesInMessages_Exist) {
  std::set<std::string> named;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder / "src")) {
    if (entry.path().extension() == ".cc") named.merge(named_in(entry.path()));
  }
  EXPECT_GE(named.size(), 4U);
  for (const std::string& feature : named) EXPECT_TRUE(rights_for(feature)) << feature;
}

}  // namespace
}  // namespace radosload::observe
