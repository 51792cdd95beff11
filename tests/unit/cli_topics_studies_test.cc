// The keys of a study's file: the table of the reader, the JSON Schema and the help have the same.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "cli/prose.h"
#include "study/study_keys.h"
#include "support/files.h"
#include "support/places.h"

#include <nlohmann/json.hpp>

namespace radosload::cli {
namespace {

TEST(StudyKeys, AreTheSameInTableSchemaAndHelp) {
  std::set<std::string> table;
  for (const auto& key : study::study_keys()) {
    EXPECT_TRUE(table.emplace(key.key).second) << key.key;
    EXPECT_FALSE(key.values.empty() || key.summary.empty()) << key.key;
  }
  const auto schema =
      nlohmann::json::parse(test::read_file(test::in_source("schema/study-file.json")));
  std::set<std::string> named;
  for (const auto& [key, value] : schema.at("properties").items()) named.insert(key);
  EXPECT_EQ(named, table);

  std::set<std::string> shown;
  bool keys = false;
  for (const Block& block : study_format()) {
    if (block.kind == Block::Kind::heading) keys = block.text == "Keys" || block.head == "Keys";
    if (keys && block.kind == Block::Kind::term)
      shown.insert(block.head.substr(0, block.head.find(':')));
  }
  EXPECT_EQ(shown, table);
}

}  // namespace
}  // namespace radosload::cli
