// What a dry run shows is what the run does: the first operations of every lane are those that the
// trace of the run has.
#include <limits>
#include <map>
#include <sstream>

#include "cluster/runs.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;

struct Scenario {
  const char* name;
  const char* pool;
  const char* pattern;
  std::vector<std::string> more;
  std::size_t lanes;  // 0: pinned, as many as there are OSDs, or times that

  bool pinned() const { return lanes == 0; }
};

// GoogleTest prints it.
void PrintTo(const Scenario& scenario, std::ostream* out) {
  *out << scenario.name;
}

// By lane, in their order: "read at 4096".
using Operations = std::map<std::size_t, std::vector<std::string>>;

// A place counts from the begin of its object, or of all. Objects are named after their run, so the
// ones that a pinned OSD serves are others in each run, and only the places within them agree.
Operations planned(const json& preview, bool within_objects) {
  Operations operations;
  const auto object_bytes = preview["layout"]["object_bytes"].get<std::uint64_t>();
  for (const json& one : preview["first_operations"]) {
    const std::uint64_t begin =
        within_objects ? 0 : one["object"].get<std::uint64_t>() * object_bytes;
    const std::uint64_t where = begin + one["offset_bytes"].get<std::uint64_t>();
    operations[one["client"].get<std::size_t>()].push_back(one["op"].get<std::string>() + " at " +
                                                           std::to_string(where));
  }
  return operations;
}

// Of the CSV of a trace, whose rows come in the order of answers.
Operations measured(const std::string& csv, std::uint64_t begin_anew_every) {
  std::map<std::size_t, std::map<std::uint64_t, std::string>> by_time;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);  // its head
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream rest(line);
    for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
    by_time[std::stoul(fields.at(8))][std::stoull(fields.at(1))] =
        fields.at(3) + " at " + std::to_string(std::stoull(fields.at(4)) % begin_anew_every);
  }
  Operations operations;
  for (const auto& [lane, rows] : by_time) {
    for (const auto& [time, operation] : rows) operations[lane].push_back(operation);
  }
  return operations;
}

class DryRun : public Runs, public testing::WithParamInterface<Scenario> {
 protected:
  std::string trace() const { return (m_state.path() / "run.npy").string(); }
};

// One operation in flight on each lane, so that the order is plain.
INSTANTIATE_TEST_SUITE_P(
    Loads, DryRun,
    testing::Values(
        Scenario{"APool", "ssd", "randrw4k,size=8M,qd=1", {}, 1},
        Scenario{"APoolAndThreeClients", "ssd", "randrw4k,size=12M,qd=3", {"--clients", "3"}, 3},
        Scenario{"ThreeClientsInSequence", "ssd", "read1m,size=12M,qd=3", {"--clients", "3"}, 3},
        Scenario{"ErasureCoded", "ec-k2m1", "randread4k,size=8M,qd=2", {"--clients", "2"}, 2},
        Scenario{"AnImage", "ssd", "randrw4k,qd=1", {"--create", "16M"}, 1},
        Scenario{
            "TwoImagesOneClient", "ssd", "randrw4k,qd=1", {"--create", "16M", "--image", "a,b"}, 1},
        Scenario{"AnImageForEachClient",
                 "ssd",
                 "randrw4k,qd=2",
                 {"--create", "16M", "--clients", "2"},
                 2},
        Scenario{"TwoImagesForEachClient",
                 "ssd",
                 "randrw4k,qd=2",
                 {"--create", "16M", "--image", "a,b,c,d", "--clients", "2"},
                 2},
        Scenario{"PinnedOsds",
                 "hdd",
                 "randrw4k,size=2M,object-size=256k,qd=1",
                 {"--osd", "class=hdd"},
                 0},
        Scenario{"PinnedOsdsAndTwoClients",
                 "hdd",
                 "randrw4k,size=2M,object-size=256k,qd=2",
                 {"--osd", "class=hdd", "--clients", "2"},
                 0}),
    [](const auto& scenario) { return std::string(scenario.param.name); });

TEST_P(DryRun, ShowsTheOperationsOfTheRun) {
  const Scenario& scenario = GetParam();
  std::vector<std::string> more = scenario.more;
  more.insert(more.end(), {"--seed", "11", "--ops", "200", "--no-progress", "--format", "json"});
  std::vector<std::string> dry = more;
  dry.emplace_back("--dry-run");
  const Finished shown = run(scenario.pool, scenario.pattern, dry);
  ASSERT_EQ(shown.status, 0) << shown.err;
  more.insert(more.end(), {"--trace", trace()});
  const Finished done = run(scenario.pool, scenario.pattern, more);
  ASSERT_EQ(done.status, 0) << done.err;
  const Finished csv = test::run(launch({"trace", trace(), "--as", "csv"}));
  ASSERT_EQ(csv.status, 0) << csv.err;

  const json preview = json::parse(shown.out);
  const Operations plan = planned(preview, scenario.pinned());
  const Operations rows =
      measured(csv.out, scenario.pinned() ? preview["layout"]["object_bytes"].get<std::uint64_t>()
                                          : std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(plan.empty());
  if (!scenario.pinned()) {
    EXPECT_EQ(plan.size(), scenario.lanes);
  }
  for (const auto& [lane, operations] : plan) {
    ASSERT_TRUE(rows.contains(lane)) << lane;
    const auto& sent = rows.at(lane);
    ASSERT_GE(sent.size(), operations.size()) << lane;
    const std::vector<std::string> first(
        sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(operations.size()));
    EXPECT_EQ(first, operations) << "lane " << lane;
  }
}

}  // namespace
}  // namespace radosload::test
