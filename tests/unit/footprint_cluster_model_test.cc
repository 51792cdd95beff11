// Everything that radosload makes and deletes, together in many random clusters: runs with objects
// and images, kept data sets, sessions, scratch pools and their CRUSH rules; `cleanup`, `cleanup
// --scratch`, `scratch create` and the ends of runs and sessions. Between any two commands others
// act: processes of radosload from their beginning to their end, or killed before any command, and
// strangers who give our names to pools, rules, images and objects of theirs. Nothing of others, of
// the living and of kept data is ever changed; and when all are dead, a last cleanup leaves nothing
// of ours. RADOSLOAD_MODEL_SEED=N repeats one, RADOSLOAD_MODEL_CLUSTERS=N tries more.
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cluster_world.h"
#include "footprint/cleanup.h"
#include "pool_strangers.h"
#include "unit/model_seeds.h"

namespace radosload::footprint {
namespace {

using testing::ClusterWorld;
using testing::json;
using testing::MemoryImages;
using testing::ModelRun;
using testing::PoolContents;

struct ProcessKilled {};

class ClusterModel {
 public:
  explicit ClusterModel(std::uint64_t seed) : m_random(seed), m_world(m_random) {
    m_world.before = [this](const std::string& call) { between(call); };
    if (draw(2) == 0) m_world.scratch.cluster.add_rule(some_pool_name(), "default");
    m_their_pools.note_all();
  }

  void step() {
    m_name_taken = m_image_taken = false;
    for (int i = draw(3); i > 0; --i) act();
    work();
    check("after a step");
    m_their_pools.expect_unchanged();
  }

  void finish() {
    m_quiet = true;
    end_makers("");
    const auto all = m_world.all_contents();
    for (PoolContents* const there : all) {
      there->site.alive.clear();
      there->processes.all_die();
    }
    for (auto& [run, known] : m_world.runs) {
      known.ending = true;
      if (known.where->gone) continue;
      EXPECT_TRUE(cleanup(known.where->site, {.run = run, .scan = true, .force = true}));
    }
    for (PoolContents* const there : all) {
      EXPECT_TRUE(cleanup(there->site, there->sessions, {.scan = true}));
      expect_only_theirs(*there);
      // Others take away what they had in scratch pools.
      if (there != m_hdd) there->empty();
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(m_world.scratch.remove({.in_use = m_world.in_use()}));
    }
    check("at the end");
    m_their_pools.expect_unchanged();
    m_their_pools.expect_nothing_else();
  }

  std::uint64_t commands() const { return m_commands; }
  int kills() const { return m_kills; }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
  std::string some_pool_name() { return "radosload-scratch-" + std::to_string(draw(2)); }

  // ---- what radosload does ----

  // One process, which may be killed before any of its commands.
  void work() {
    const int outer = std::exchange(m_commands_left, draw(3) == 0 ? draw(24) : -1);
    ++m_depth;
    const int what = draw(16);
    if (what < 4) {
      begin_run();
    } else if (what < 6) {
      end_run();
    } else if (what < 9) {
      clean();
    } else if (what < 11) {
      make_pool();
    } else if (what < 13) {
      remove_pools(draw(6) == 0);
    } else {
      until_killed(
          [&] { draw(2) == 0 ? m_hdd->processes.end_one() : m_hdd->processes.remove_deserted(); });
    }
    --m_depth;
    m_commands_left = outer;
  }

  template <typename Work>
  bool until_killed(Work&& work) {
    const int depth = m_depth;
    try {
      work();
      return true;
    } catch (const ProcessKilled&) {
      ++m_kills;
      m_depth = depth;
      return false;
    }
  }

  void begin_run() {
    PoolContents& there = m_world.any_contents();
    const std::string run = "run-" + std::to_string(++m_count);
    ModelRun& known = m_world.runs[run];
    known.where = &there;
    known.manifest = there.site.manifest(run, static_cast<std::uint64_t>(1 + draw(6)));
    known.manifest.keep = draw(3) == 0;
    if (&there == m_hdd && draw(3) == 0) {
      known.manifest.content = Content::image;
      known.manifest.images = {"disk" + std::to_string(draw(3)), run + ".1"};
    }
    there.site.store(run, known.manifest);
    there.site.alive.insert(run);
    const bool survived = until_killed([&] {
      if (fill(run, known)) {
        known.manifest.state = State::ready;
        there.site.store(run, known.manifest);
      } else {
        known.ending = true;
        remove_run(there.site, known.manifest, {});
      }
    });
    if (!survived || draw(3) == 0) there.site.alive.erase(run);
  }

  bool fill(const std::string& run, ModelRun& known) {
    MemoryImages& images = known.where->site.images_in("");
    for (const std::string& name : known.manifest.images) {
      const cluster::NewImage wanted{
          .name = name, .size = mib(4), .object_size = mib(4), .data_pool = "", .run = run};
      if (!cluster::make_image(images, wanted)) return false;
    }
    if (!known.manifest.images.empty()) return true;
    for (std::uint64_t i = 0; i < known.manifest.objects; ++i) {
      between("write");
      if (known.where->gone || known.ending) return false;
      const std::string name = testing::MemorySite::object(run, i);
      known.where->site.objects[name] = {"data"};
      known.made.insert(name);
    }
    return true;
  }

  void end_run() {
    const auto living = m_world.living();
    if (living.empty()) return;
    const std::string run = living[static_cast<std::size_t>(draw(int(living.size())))];
    ModelRun& known = m_world.runs[run];
    known.ending = true;
    auto& site = known.where->site;
    const bool survived = until_killed([&] {
      const auto fate = remove_run(site, known.manifest, {}).fate;
      EXPECT_TRUE(fate == Fate::removed || known.where->gone || !known.manifest.images.empty());
    });
    site.alive.erase(run);
    if (!survived || known.where->gone || !known.manifest.images.empty()) return;
    EXPECT_FALSE(site.index.contains(run));
    for (const std::string& name : known.made) EXPECT_FALSE(site.objects.contains(name)) << name;
  }

  void clean() {
    PoolContents& there = m_world.any_contents();
    CleanupOptions options{.scan = draw(3) == 0, .dry_run = draw(8) == 0};
    if (!m_world.runs.empty() && draw(3) == 0) {
      auto named = m_world.runs.begin();
      std::advance(named, draw(int(m_world.runs.size())));
      options.run = named->first;
      ModelRun& known = named->second;
      const bool lives = m_world.lives(options.run);
      // Who is made to go on without its data leaves objects behind.
      options.force = draw(2) == 0 && (!lives || known.manifest.state == State::ready);
      const bool taken = known.where == &there && !options.dry_run && (options.force || !lives);
      known.ending = known.ending || taken;
    }
    m_named.insert(options.run);
    until_killed([&] { EXPECT_TRUE(cleanup(there.site, there.sessions, options)); });
    m_named.erase(m_named.find(options.run));
  }

  void make_pool() {
    auto& scratch = m_world.scratch;
    const std::string since = "x" + std::to_string(++m_count) + "x";
    const bool survived = until_killed([&] {
      const auto plan = plan_scratch(scratch.cluster, scratch.inventory,
                                     {.name = some_pool_name(), .osds = {draw(4)}, .pg_num = 2});
      if (!plan) return;
      (void)make_scratch(scratch.cluster, *plan,
                         {.mark = {.owner = this_process(), .since = since}}, scratch.hooks());
    });
    if (survived) return;
    end_makers(since);
  }
  // Their pid is another's now. Empty: all of them.
  void end_makers(const std::string& since) {
    const Owner owner = this_process();
    for (const char* const between : {".", "="}) {
      const std::string lead = since + between + std::to_string(owner.pid) + between;
      m_world.scratch.cluster.replace_text(lead + std::to_string(owner.started_ticks),
                                           lead + std::to_string(owner.started_ticks + 1));
    }
  }

  void remove_pools(bool force) {
    m_forced += force ? 1 : 0;
    until_killed(
        [&] { EXPECT_TRUE(m_world.scratch.remove({.force = force, .in_use = m_world.in_use()})); });
    see_what_is_gone();
    m_forced -= force ? 1 : 0;
  }

  // ---- what happens between any two commands ----

  void between(const std::string& call) {
    ++m_commands;
    see_what_is_gone();
    if (m_quiet) return;
    check("before " + call);
    if (m_commands_left >= 0 && m_commands_left-- == 0) throw ProcessKilled{};
    for (int i = draw(3); i > 0; --i) m_hdd->processes.advance();
    if (draw(6) == 0) act();
    if (m_depth < 3 && draw(24) == 0) work();
  }

  void act() {
    switch (draw(10)) {
      case 0:
        return m_hdd->processes.begin();
      case 1:
        return m_hdd->processes.die();
      case 2:
        return m_hdd->processes.stop_those_at_their_end();
      case 3:
        return add_object();
      case 4:
        return add_image();
      case 5:
        return m_their_images.copy(m_random(), "mine-" + std::to_string(++m_count));
      case 6:
        return kill_one_that_stays();
      case 7:
        return take_pool();
      case 8:
        return take_rule();
      default:
        return drop_pool();
    }
  }

  void add_object() {
    const bool here = draw(3) != 0;
    (here ? *m_hdd : m_world.any_contents())
        .add_theirs("radosload.notes" + std::to_string(++m_count));
  }

  // Who gives a name to another image does so once in a step: against two in a row no order of
  // commands would help. The same with pools and rules.
  void add_image() {
    if (!m_image_taken) m_image_taken = m_their_images.add("disk" + std::to_string(draw(3)));
  }
  // Those at work are killed by the number of their command.
  void kill_one_that_stays() {
    for (auto& [run, known] : m_world.runs) {
      const bool stays = m_world.lives(run) && known.manifest.state == State::ready;
      if (!stays || known.ending || m_named.contains(run)) continue;
      known.where->site.alive.erase(run);
      return;
    }
  }
  void take_pool() {
    const std::string name = some_pool_name();
    if (m_name_taken || m_world.scratch.cluster.has_pool(name)) return;
    m_name_taken = true;
    m_their_pools.add_pool(name, draw(2) == 0 ? 1 : 3, m_random());
  }
  void take_rule() {
    const std::string name = some_pool_name();
    if (m_name_taken) return;
    m_name_taken = true;
    if (draw(2) == 0) {
      m_their_pools.replace_rule("mine-" + std::to_string(++m_count));
    } else if (!m_world.scratch.cluster.has_rule(name)) {
      m_their_pools.add_rule(name);
    }
  }
  // An administrator removes one of ours that is empty, and makes another of its name.
  void drop_pool() {
    for (const json& pool : m_world.scratch.cluster.pools()) {
      const std::string name = pool["pool_name"];
      const bool ours = !m_their_pools.has_pool(pool) && !is_ours_alone(name);
      if (!ours || m_name_taken || m_world.has_contents(pool)) continue;
      m_their_pools.drop_pool_of_ours(pool);
      return take_pool();
    }
  }

  // ---- what must not happen ----

  void see_what_is_gone() {
    for (PoolContents* const there : m_world.take_those_gone()) {
      for (const auto& [run, known] : m_world.runs) {
        if (known.where != there) continue;
        EXPECT_TRUE(m_forced > 0 || known.ending || !is_guarded(run, known))
            << run << " has lost its pool";
      }
      EXPECT_TRUE(m_forced > 0 || there->theirs.empty()) << "objects of others went with a pool";
      there->empty();
    }
  }

  bool is_guarded(const std::string& run, const ModelRun& known) const {
    const bool kept = known.manifest.keep && known.manifest.state == State::ready;
    return !known.ending && (kept || known.where->site.alive.contains(run));
  }

  void check(const std::string& when) {
    m_hdd->processes.check(when);
    for (const auto& [run, known] : m_world.runs) {
      if (known.where->gone || !is_guarded(run, known)) continue;
      const auto& objects = known.where->site.objects;
      const auto manifest = objects.find(manifest_object(run));
      ASSERT_NE(manifest, objects.end()) << run << " has lost its manifest " << when;
      EXPECT_EQ(manifest->second.text, encode(known.manifest)) << when;
      EXPECT_TRUE(known.where->site.index.contains(run)) << run << ", " << when;
      for (const std::string& name : known.made) {
        EXPECT_TRUE(objects.contains(name)) << name << " is gone " << when;
      }
    }
    for (PoolContents* const there : m_world.all_contents()) {
      for (const auto& [name, text] : there->theirs) {
        EXPECT_EQ(there->site.objects[name].text, text) << name << ", " << when;
      }
    }
    m_their_images.check(when);
  }

  void expect_only_theirs(PoolContents& there) {
    EXPECT_TRUE(there.site.index.empty());
    for (const auto& [name, stored] : there.site.objects) {
      EXPECT_TRUE(there.theirs.contains(name)) << name << " is left";
    }
    if (&there == m_hdd) m_their_images.expect_nothing_else();
  }

  std::mt19937_64 m_random;
  ClusterWorld m_world;
  PoolContents* const m_hdd = &m_world.contents_of(*m_world.pool_named("hdd"));
  testing::TheirPools m_their_pools{m_world.scratch.cluster};
  testing::TheirImages m_their_images{m_hdd->site.images_in("")};
  std::multiset<std::string> m_named;  // runs, by cleanups that are at work
  std::uint64_t m_commands = 0;
  int m_count = 0;
  int m_kills = 0;
  int m_depth = 0;
  int m_forced = 0;          // removals of pools that are in use, at work now
  int m_commands_left = -1;  // until who is at work is killed
  bool m_name_taken = false;
  bool m_image_taken = false;
  bool m_quiet = false;
};

TEST(ClusterModel, ForeignAndLiveObjectsStay_LeftoversAreRemoved) {
  testing::run_models<ClusterModel>(250, 10);
}

}  // namespace
}  // namespace radosload::footprint
