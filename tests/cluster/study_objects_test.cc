// Which objects the cells of a study work on, seen in the records of its runs.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/runs.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;

class StudyObjects : public Runs {
 protected:
  using Cell = std::pair<std::string, std::string>;  // arm and round

  // The first parts of the names of the objects that each arm has used in each round.
  std::map<Cell, std::set<std::string>> datasets(const std::vector<std::string>& settings) const {
    const std::string file = (m_state.path() / "objects.yaml").string();
    write_file(file,
               "arms: {one: --pool ssd, other: --pool ssd}\n"
               "patterns:\n"
               "  reads: randread4k,size=1M,object-size=64k\n"
               "  writes: randwrite4k,size=1M,object-size=64k\n"
               "options: {ops: 64, time: 0, warmup: 0, allow-unhealthy: yes}\nrounds: 2\n");
    std::vector<std::string> words = {"study", file, "--no-progress", "--json"};
    for (const std::string& one : settings) words.insert(words.end(), {"--set", one});
    const Finished done = test::run(launch(words));
    EXPECT_EQ(done.status, 0) << done.err;
    std::map<Cell, std::set<std::string>> found;
    const json document = json::parse(done.out);
    for (const json& one : document["tries"]) {
      const json& cell = document["cells"].at(one["cell"].get<std::size_t>());
      const auto round = std::to_string(cell["round"].get<int>());
      found[{cell["arm"], round}].merge(prefixes_of(one["runs"].at(0)));
    }
    return found;
  }

 private:
  std::set<std::string> prefixes_of(const std::string& run) const {
    const auto path = m_state.path() / "radosload" / "runs" / (run + ".json");
    std::set<std::string> prefixes;
    const json record = json::parse(read_file(path));
    for (const json& one : record["slowest"]) {
      const std::string object = one["object"];
      prefixes.insert(object.substr(0, object.rfind('.')));
    }
    return prefixes;
  }
};

TEST_F(StudyObjects, EachRoundHasNewOnesThatItsLoadsShare) {
  std::set<std::string> all;
  const auto found = datasets({});
  ASSERT_EQ(found.size(), 4U);
  for (const auto& [cell, prefixes] : found) {
    EXPECT_EQ(prefixes.size(), 1U) << cell.first << " in round " << cell.second;
    all.insert(prefixes.begin(), prefixes.end());
  }
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(StudyObjects, KeptOnesAreThoseOfTheirArmInAllRounds) {
  auto found = datasets({"keep-objects=yes"});
  for (const std::string arm : {"one", "other"}) {
    const auto first = found[Cell(arm, "1")];
    EXPECT_EQ(first.size(), 1U);
    EXPECT_EQ(first, (found[Cell(arm, "2")]));
  }
  EXPECT_NE((found[Cell("one", "1")]), (found[Cell("other", "1")]));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(StudyObjects, ItsPreviewCountsThoseThatAreThereAtTheSameTime) {
  const TestPool pool("study-room");
  ASSERT_EQ(ceph({"osd", "pool", "set-quota", pool.name(), "max_objects", "30"}).status, 0);
  const std::string file = (m_state.path() / "room.yaml").string();
  write_file(file, "arms: {one: --pool " + pool.name() + ", other: --pool " + pool.name() +
                       "}\npatterns:\n  writes: randwrite4k,size=1M,object-size=64k\n"
                       "options: {ops: 64, time: 0, warmup: 0, allow-unhealthy: yes}\nrounds: 2\n");
  std::vector<std::string> words = {"study", file, "--dry-run", "--json"};
  const Finished anew = test::run(launch(words));
  EXPECT_EQ(anew.status, 0) << anew.err;
  EXPECT_EQ(json::parse(anew.out)["missing"], json::array());
  words.insert(words.end(), {"--set", "keep-objects=yes"});
  const Finished kept = test::run(launch(words));
  EXPECT_THAT(json::parse(kept.out)["missing"].dump(),
              testing::HasSubstr("it needs 32 objects at the same time, and 27 fit"));
}

}  // namespace
}  // namespace radosload::test
