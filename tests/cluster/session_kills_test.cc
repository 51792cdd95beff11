// kill -9 of a member of a session, and of its leader, in each of its steps: the others always end,
// with a joint record or the reason why there is none, and nothing is left in the pool.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/sessions.h"
#include "support/wait_for.h"

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr std::array<std::string_view, 7> steps = {"gather", "prepare",  "prefill", "ready",
                                                   "load",   "clean up", "report"};

std::size_t place_of(std::string_view step) {
  return static_cast<std::size_t>(std::find(steps.begin(), steps.end(), step) - steps.begin());
}

struct Kill {
  const char* step;
  bool leader;
};

std::string name_of(const testing::TestParamInfo<Kill>& info) {
  std::string name = std::string(info.param.leader ? "leader_in_" : "member_in_") + info.param.step;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

class KilledSessions : public Sessions {
 protected:
  static std::vector<std::string> with_json(std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json"});
    return words;
  }
  // In most steps little load will do.
  void add_first(const std::string& name, const std::vector<std::string>& length = {}) {
    m_members.push_back(start(with_json(first(name, "3", length))));
  }
  void add_other(const std::string& name) { m_members.push_back(start(with_json(join(name)))); }
  // Its pid.
  std::string kill_one(std::ptrdiff_t number) {
    const auto victim = m_members.begin() + number;
    std::string pid = std::to_string((*victim)->pid());
    (*victim)->signal(SIGKILL);
    (*victim)->wait();
    m_members.erase(victim);
    return pid;
  }
  std::vector<Finished> ends() {
    std::vector<Finished> all;
    for (const auto& member : m_members) {
      all.push_back(member->wait());
      EXPECT_FALSE(all.back().timed_out) << all.back().err;
    }
    return all;
  }
  static std::string messages(const std::vector<Finished>& ends) {
    std::string all;
    for (const Finished& one : ends) all += one.err;
    return all;
  }
  // The one joint record that they print; null: there is none.
  static json record_of(const std::vector<Finished>& ends) {
    json record;
    for (const Finished& one : ends) {
      if (one.out.empty()) continue;
      EXPECT_TRUE(record.is_null()) << "two of them reported";
      record = json::parse(one.out);
    }
    return record;
  }

  std::vector<std::unique_ptr<Process>> m_members;  // that live
};

class SessionKills : public KilledSessions, public testing::WithParamInterface<Kill> {
 protected:
  // The first of them makes the session, and so leads it.
  void start_members() {
    const bool in_load = std::string_view(GetParam().step) == "load";
    add_first(m_name, in_load ? long_enough() : std::vector<std::string>());
    ASSERT_TRUE(
        m_members.front()->wait_for("the session", [&] { return Seen(!m_state.now().is_null()); }));
    add_other(m_name);
    if (GetParam().step == steps.front()) {
      ASSERT_TRUE(m_members.back()->wait_for(
          "2 of 3 members", [&] { return contains(m_state.now().dump(), "2 of 3 members"); }));
      return;
    }
    add_other(m_name);
    ASSERT_TRUE(wait_for(
        "step " + std::string(GetParam().step),
        [&] { return Seen(has_come(GetParam().step), m_step); }, patience, milliseconds(1)));
    // So that there is something to report.
    if (in_load) {
      ASSERT_TRUE(await_second(*m_members.front(), 2));
    }
  }
  bool has_come(std::string_view step) {
    const json state = m_state.now();
    if (!state.is_null()) m_step = state["step"].get<std::string>();
    return place_of(m_step) >= place_of(step);
  }
  bool between(std::string_view one, std::string_view other) const {
    return place_of(m_step) > place_of(one) && place_of(m_step) < place_of(other);
  }

  const std::string m_name = "kill-" + name_of({GetParam(), 0});
  SessionState m_state{m_name};
  std::string m_step = std::string(steps.front());  // when it was last looked at
};

TEST_P(SessionKills, OthersEndAndNothingIsLeft) {
  start_members();
  if (HasFatalFailure()) return;
  const std::string killed = kill_one(GetParam().leader ? 0 : 1);
  // While members gather, others can take the place of the dead.
  while (GetParam().step == steps.front() && m_members.size() < 3) add_other(m_name);
  const auto all = ends();
  const json record = record_of(all);
  if (between("gather", "load")) {
    EXPECT_TRUE(record.is_null()) << record["status"];
    for (const Finished& one : all) {
      EXPECT_EQ(one.status, no_cluster) << one.err;
      EXPECT_THAT(one.err, HasSubstr("pid " + killed)) << m_step;
    }
  } else {
    ASSERT_FALSE(record.is_null()) << m_step << messages(all);
    EXPECT_GT(all_ops(record), 0U);
    const bool in_load = m_step == "load";
    EXPECT_EQ(record["status"], in_load ? "incomplete" : "complete") << record["warnings"];
    if (in_load) {
      EXPECT_THAT(warnings(record), HasSubstr("pid " + killed));
    }
  }
  EXPECT_EQ(names_in("ssd"), "") << m_step << messages(all);
}

INSTANTIATE_TEST_SUITE_P(InEachStep, SessionKills,
                         testing::Values(Kill{"gather", false}, Kill{"gather", true},
                                         Kill{"prepare", false}, Kill{"prepare", true},
                                         Kill{"prefill", false}, Kill{"prefill", true},
                                         Kill{"ready", false}, Kill{"ready", true},
                                         Kill{"load", false}, Kill{"load", true},
                                         Kill{"clean up", false}, Kill{"clean up", true},
                                         Kill{"report", false}, Kill{"report", true}),
                         name_of);

// Two tests, so that each takes less than a minute. `tools/dev test full sessions` asks for more
// rounds of both: RADOSLOAD_SESSION_KILLS=200.
class RandomKills : public KilledSessions, public testing::WithParamInterface<int> {};

TEST_P(RandomKills, OthersAlwaysEndWithARecordOrTheReason) {
  const char* const asked = std::getenv("RADOSLOAD_SESSION_KILLS");
  const int rounds = asked == nullptr ? 1 : std::stoi(asked) / 2;
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < rounds; ++round) {
    const std::string name = "random-" + std::to_string(GetParam()) + "-" + std::to_string(round);
    const milliseconds moment(std::uniform_int_distribution<int>(0, 14'000)(random));
    const int number = std::uniform_int_distribution<int>(0, 2)(random);
    SCOPED_TRACE("member " + std::to_string(number) + " killed after " +
                 std::to_string(moment.count()) + " ms");
    m_members.clear();
    add_first(name);
    add_other(name);
    add_other(name);
    // Time: a random moment; the session must survive a kill at any.
    std::this_thread::sleep_for(moment);
    kill_one(number);
    const auto all = ends();
    const json record = record_of(all);
    const bool failed =
        std::all_of(all.begin(), all.end(), [](const Finished& one) { return one.status != 0; });
    EXPECT_TRUE(failed || !record.is_null() || number == 0) << messages(all);
    if (failed) {
      EXPECT_THAT(messages(all), HasSubstr("session"));
    }
    EXPECT_EQ(names_in("ssd"), "") << messages(all);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RandomKills, testing::Values(1, 2));

}  // namespace
}  // namespace radosload::test
