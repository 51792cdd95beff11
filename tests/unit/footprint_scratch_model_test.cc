// Making and removing scratch pools on many random clusters, while others act between any two
// commands: they make pools and CRUSH rules of the same names, use our rules for pools of theirs,
// take over pools of ours, or begin to use them; makers are interrupted, and makers and removals
// killed at any command. No pool and no rule of others is ever changed, nor a pool in use removed
// unforced; and after a last removal none of ours is left. RADOSLOAD_MODEL_SEED=N repeats one,
// RADOSLOAD_MODEL_CLUSTERS=N tries more.
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "pool_strangers.h"
#include "scratch_world.h"
#include "unit/model_seeds.h"

namespace radosload::footprint {
namespace {

using testing::json;
using testing::World;

struct Killed {};

class ScratchModel {
 public:
  explicit ScratchModel(std::uint64_t seed) : m_random(seed) {
    // Named like ours, and used by no pool.
    if (draw(2) == 0) m_world.cluster.add_rule(any_name(), "default");
    m_theirs.note_all();
    m_world.cluster.before = [this](const std::string&) { between(); };
  }

  void step() {
    m_acted = false;
    m_forced = false;
    if (draw(2) == 0) {
      make(draw(3) == 0);
    } else {
      remove(draw(4) == 0);
    }
    check();
  }

  void finish() {
    m_quiet = true;
    m_used.clear();
    // What had changed under the first one's eyes is left to the second.
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(m_world.remove({.force = true}));
    check();
    m_theirs.expect_nothing_else();
  }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
  std::string any_name() { return "radosload-scratch-" + std::to_string(draw(2)); }

  void make(bool doomed) {
    Owner owner = this_process();
    if (doomed) owner.started_ticks += 1;
    const auto plan = plan_scratch(m_world.cluster, m_world.inventory,
                                   {.name = any_name(), .osds = {draw(4)}, .pg_num = 2});
    if (!plan) return;
    const bool outer = std::exchange(m_doomed, doomed);
    ScratchHooks hooks = m_world.hooks();
    const bool impatient = draw(4) == 0;
    hooks.interrupted = [this, impatient] { return impatient && draw(8) == 0; };
    until_killed(doomed ? draw(20) : -1, [&] {
      (void)make_scratch(m_world.cluster, *plan,
                         {.mark = {.owner = owner, .since = std::to_string(++m_count)}}, hooks);
    });
    m_doomed = outer;
  }

  // Before the command of that number; below 0: never.
  template <typename Work>
  void until_killed(int command, Work&& work) {
    const int outer = std::exchange(m_commands_left, command);
    try {
      work();
    } catch (const Killed&) {
      ++m_kills;
    }
    m_commands_left = outer;
  }

  void remove(bool force) {
    m_forced = m_forced || force;
    ScratchRemoval removal{.force = force};
    removal.in_use = [this](const std::string& name) -> Result<std::string> {
      for (const json& pool : m_world.cluster.pools()) {
        if (pool["pool_name"] == name && m_used.contains(pool["pool"])) {
          return std::string("run x uses it");
        }
      }
      return std::string();
    };
    until_killed(draw(2) == 0 ? draw(20) : -1, [&] { EXPECT_TRUE(m_world.remove(removal)); });
  }

  void between() {
    if (m_quiet) return;
    if (m_commands_left >= 0 && m_commands_left-- == 0) throw Killed{};
    const int action = draw(36);
    if (action == 3) begin_to_use();
    // Who acts on a name does so once in a step: against two in a row, the second while the first
    // gets its name back, no order of commands would help.
    if (m_acted || action > 7 || action == 3 || (action == 5 && m_doomed)) return;
    m_acted = true;
    // The worst moment: the name is another's, and who is at work has not seen it yet.
    if (m_commands_left > 3 && draw(2) == 0) m_commands_left = 1 + draw(3);
    if (action == 6 && !m_world.cluster.has_rule("radosload-scratch-0")) {
      m_theirs.add_rule("radosload-scratch-0");
    }
    if (action == 7) m_theirs.replace_rule("mine-" + std::to_string(++m_count));
    if (action < 3) act_on_any(action);
    if (action == 4) take_name(any_name());
    // Another process of radosload, from its beginning to its end.
    if (action == 5) {
      if (draw(2) == 0) {
        make(false);
      } else {
        remove(false);
      }
    }
  }

  void take_name(const std::string& name) {
    if (m_world.cluster.has_pool(name)) return;
    m_theirs.add_pool(name, draw(2) == 0 ? 1 : 3, m_random());
  }

  // One of ours by a name that others can know; empty when there is none.
  std::string any_of_ours() {
    std::vector<std::string> names;
    for (const json& pool : m_world.cluster.pools()) {
      const std::string name = pool["pool_name"];
      if (!is_ours_alone(name) && !m_theirs.has_pool(pool)) names.push_back(name);
    }
    return names.empty() ? "" : names[static_cast<std::size_t>(draw(int(names.size())))];
  }

  int id_of(const std::string& name) const {
    for (const json& pool : m_world.cluster.pools()) {
      if (pool["pool_name"] == name) return pool["pool"];
    }
    return -1;
  }

  void begin_to_use() {
    if (const std::string name = any_of_ours(); !name.empty()) m_used.insert(id_of(name));
  }

  void act_on_any(int action) {
    const std::string name = any_of_ours();
    if (name.empty()) return;
    if (action == 0) {
      m_world.cluster.resize(name, 3);
      note(name);
    } else if (action == 1) {
      const std::string mine = "mine-" + std::to_string(++m_count);
      m_world.cluster.rename_pool(name, mine);
      note(mine);
    } else {
      m_used.erase(id_of(name));
      for (const json& pool : m_world.cluster.pools()) {
        if (pool["pool_name"] != name) continue;
        m_theirs.drop_pool_of_ours(pool);
        break;
      }
      take_name(name);
    }
  }

  // It is theirs from now on, as it is.
  void note(const std::string& name) {
    for (const json& pool : m_world.cluster.pools()) {
      if (pool["pool_name"] != name) continue;
      m_theirs.note_pool(pool);
      m_used.erase(pool["pool"].get<int>());
    }
  }

  void check() {
    std::map<int, json> now;
    for (const json& pool : m_world.cluster.pools()) now[pool["pool"]] = pool;
    m_theirs.expect_unchanged();
    for (const int id : m_used) {
      EXPECT_TRUE(m_forced || now.contains(id)) << id << " was in use";
    }
    std::erase_if(m_used, [&](int id) { return !now.contains(id); });
  }

  std::mt19937_64 m_random;
  World m_world;
  testing::TheirPools m_theirs{m_world.cluster};
  std::set<int> m_used;
  int m_count = 0;
  int m_kills = 0;
  int m_commands_left = -1;  // until who is at work is killed
  bool m_doomed = false;
  bool m_forced = false;
  bool m_acted = false;
  bool m_quiet = false;
};

TEST(ScratchModel, ForeignPoolsStay_ScratchPoolsAreRemoved) {
  testing::for_each_model_seed(700, [](std::uint64_t seed) {
    ScratchModel model(seed);
    for (int i = 0; i < 6; ++i) model.step();
    model.finish();
  });
}

}  // namespace
}  // namespace radosload::footprint
