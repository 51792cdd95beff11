// Cleaning up many random namespaces, and runs that end in them, while others act between any two
// steps: they live, die, begin, take hold of what was kept, and write manifests that say more than
// they may. Cleanups and ending runs are killed at any command, and the next cleanup goes on.
// Whatever is alive, kept or not radosload's stays as it is; and when all are dead and
// named, nothing of ours is left. RADOSLOAD_MODEL_SEED=N repeats one, RADOSLOAD_MODEL_CLUSTERS=N
// tries more.
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "footprint/cleanup.h"
#include "site_support.h"
#include "unit/model_seeds.h"

namespace radosload::footprint {
namespace {

using testing::MemorySite;
using Contents = std::map<std::string, std::string>;

struct KilledCleanup {};

class Model {
 public:
  explicit Model(std::uint64_t seed) : m_random(seed) {
    for (int i = 0; i < 3; ++i) add_stranger();
    const int runs = 1 + draw(5);
    for (int i = 0; i < runs; ++i) add_run(draw(3) == 0);
    for (int i = draw(3); i > 0; --i) add_forgery();
    m_site.before = [this](const std::string& call) { between(call); };
  }

  void clean_once() {
    CleanupOptions options{.scan = draw(3) == 0, .dry_run = draw(8) == 0};
    if (draw(3) == 0) options.run = any_run();
    options.force = !options.run.empty() && draw(2) == 0;
    m_named = options.run;
    m_force = options.force;
    m_late.clear();
    m_expected = guarded();
    if (!survives([&] { EXPECT_TRUE(cleanup(m_site, options)); })) return;
    check("at the end");
    for (const auto& [run, text] : m_late) {
      EXPECT_EQ(m_site.objects[manifest_object(run)].text, text) << run << " was taken hold of";
    }
  }

  // One that lives comes to its end, and removes what it has made.
  void end_one() {
    std::vector<std::string> living(m_site.alive.begin(), m_site.alive.end());
    std::erase_if(living, [this](const std::string& run) { return !manifest_of(run); });
    if (living.empty()) return;
    const std::string run = living[static_cast<std::size_t>(draw(int(living.size())))];
    m_named = run;
    m_force = true;
    m_late.clear();
    m_expected = guarded();
    const Manifest manifest = *manifest_of(run);
    const bool survived =
        survives([&] { EXPECT_EQ(remove_run(m_site, manifest, {}).fate, Fate::removed) << run; });
    m_site.alive.erase(run);
    if (!survived) return;
    check("when " + run + " has ended");
    EXPECT_FALSE(m_site.index.contains(run));
    for (const auto& [name, stored] : m_site.objects) {
      const auto parsed = workload::parse_object_name(name);
      EXPECT_FALSE(parsed && parsed->run_id == run) << name << " is left";
    }
  }

  // Everybody is dead, and everything is asked for by name.
  void clean_all() {
    m_site.before = [](const std::string&) {};
    m_site.alive.clear();
    for (const std::string& run : m_runs) {
      EXPECT_TRUE(cleanup(m_site, {.run = run, .scan = true, .force = true}));
    }
    EXPECT_TRUE(cleanup(m_site, {.scan = true}));
    EXPECT_TRUE(m_site.index.empty());
    for (const auto& [name, stored] : m_site.objects) {
      EXPECT_TRUE(m_strangers.contains(name)) << name << " is left";
    }
    for (const auto& [nspace, images] : m_site.images) {
      for (const auto& [name, image] : images.named) {
        EXPECT_FALSE(is_ours(nspace, image)) << name << " is left";
      }
    }
  }

  int kills() const { return m_kills; }

 private:
  // Does what a process does that may be killed before any of its commands. Whoever took hold of
  // what it had in hand just then finds it marked for removal.
  template <typename Work>
  bool survives(Work&& work) {
    const std::set<std::string> led_to = runs_led_to();
    m_commands_left = draw(3) == 0 ? draw(12) : -1;
    bool survived = true;
    try {
      work();
    } catch (const KilledCleanup&) {
      survived = false;
      ++m_kills;
      expect_led_to(led_to);
    }
    m_commands_left = -1;
    return survived;
  }

  // Those that a cleanup finds without a scan.
  std::set<std::string> runs_led_to() const {
    std::set<std::string> found;
    for (const std::string& run : m_runs) {
      if (manifest_of(run) && m_site.index.contains(run)) found.insert(run);
    }
    return found;
  }
  void expect_led_to(const std::set<std::string>& runs) const {
    for (const auto& [name, stored] : m_site.objects) {
      const auto parsed = workload::parse_object_name(name);
      if (!parsed || !runs.contains(std::string(parsed->run_id))) continue;
      const std::string run(parsed->run_id);
      EXPECT_TRUE(m_site.index.contains(run)) << "nothing leads to " << name;
      EXPECT_TRUE(m_site.objects.contains(manifest_object(run))) << "no manifest has " << name;
    }
  }

  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
  std::string any_run() { return m_runs[static_cast<std::size_t>(draw(int(m_runs.size())))]; }

  void add_stranger() {
    const std::string name = "radosload.notes" + std::to_string(++m_count);
    m_site.objects[name] = {"theirs"};
    m_strangers.insert(name);
    const std::string nspace = draw(2) == 0 ? "" : "tenant";
    const std::string disk = "disk" + std::to_string(draw(3));
    if (!m_site.images_in(nspace).named.contains(disk)) m_site.images_in(nspace).add(disk);
  }

  void add_run(bool alive) {
    const std::string run = "run-" + std::to_string(++m_count);
    Manifest manifest = m_site.manifest(run, static_cast<std::uint64_t>(1 + draw(6)));
    manifest.keep = draw(2) == 0;
    const int state = draw(5);
    manifest.state = state < 2 ? State::filling : state < 4 ? State::ready : State::deleting;
    if (alive && manifest.state == State::deleting) manifest.state = State::filling;
    if (draw(4) == 0) {
      add_images(run, manifest);
    } else if (draw(30) == 0) {
      manifest.objects = 200'000;  // it was killed early
      m_site.fill(run, 3);
    } else {
      m_site.fill(run, static_cast<std::uint64_t>(draw(int(manifest.objects) + 1)));
    }
    m_site.store(run, manifest);
    if (!alive && draw(6) == 0) m_site.index.erase(run);
    if (!alive && draw(6) == 0 && manifest.content != Content::image) {
      if (draw(2) == 0) {
        m_site.objects.erase(manifest_object(run));
      } else {
        m_site.objects[manifest_object(run)].text.clear();
      }
    }
    if (alive) m_site.alive.insert(run);
    m_runs.push_back(run);
  }

  // The first may have been taken by somebody else's of that name.
  void add_images(const std::string& run, Manifest& manifest) {
    manifest.content = Content::image;
    manifest.images = {"disk" + std::to_string(draw(3)), run + ".0"};
    for (const std::string& name : manifest.images) {
      if (!m_site.images_in("").named.contains(name)) m_site.images_in("").add(name, run);
    }
  }

  // Says it is another run's, of another place, or of images elsewhere.
  void add_forgery() {
    const std::string victim = any_run();
    const std::string name = "forged-" + std::to_string(++m_count);
    Manifest forged = m_site.manifest(name, 6);
    switch (draw(5)) {
      case 0:
        forged.run = victim;
        break;
      case 1:
        forged.run = victim;
        forged.state = State::deleting;
        break;
      case 2:
        forged.nspace = "tenant";
        break;
      case 3:
        forged.objects = ~0ULL;
        break;
      default:
        forged.content = Content::image;
        forged.images = {"disk0", "disk1", "disk2", victim + ".0"};
        forged.image_nspace = "tenant";
        m_site.images_in("tenant").add("disk0", name);  // that the forger could not have made
        break;
    }
    m_site.store(name, forged);
    m_runs.push_back(name);
  }

  void between(const std::string& call) {
    Contents now = check("before " + call);
    if (m_commands_left >= 0 && m_commands_left-- == 0) throw KilledCleanup{};
    const int action = draw(24);
    if (action == 0) add_run(draw(2) == 0);
    if (action == 1) add_stranger();
    if (action == 2 && !m_site.alive.empty()) {
      const std::string run = *m_site.alive.begin();
      m_site.alive.erase(run);
      m_late.erase(run);
    }
    if (action >= 3 && action < 8) take_hold(any_run());
    // The worst moment: it has been looked at, and is about to be marked.
    const bool held = call == "update" && draw(2) == 0;
    if (held) take_hold(m_named);
    m_expected = held || action < 8 ? guarded() : std::move(now);
  }

  // As a run does that uses another's data: it holds first, and then looks.
  void take_hold(const std::string& run) {
    const auto manifest = manifest_of(run);
    if (m_site.alive.contains(run) || !manifest) return;
    if (manifest->state != State::ready || !manifest->keep) return;
    m_site.alive.insert(run);
    m_late[run] = m_site.objects[manifest_object(run)].text;
    if (m_force && m_named == run) m_late.erase(run);
  }

  // One that counts, of a run that has written it whole.
  std::optional<Manifest> manifest_of(const std::string& run) const {
    const auto stored = m_site.objects.find(manifest_object(run));
    if (stored == m_site.objects.end() || stored->second.text.empty()) return std::nullopt;
    const auto manifest =
        decode_at(stored->second.text, {.run = run, .pool = m_site.pool, .nspace = m_site.nspace});
    return manifest ? std::optional(*manifest) : std::nullopt;
  }

  // Made by an honest run, and where its notes vouch for it.
  static bool is_ours(const std::string& nspace, const testing::MemoryImage& image) {
    return nspace.empty() && image.metadata.starts_with("run-");
  }

  bool is_guarded(const std::string& run) const {
    if (m_site.alive.contains(run)) return !m_force || m_named != run;
    if (m_named == run) return false;
    const auto manifest = manifest_of(run);
    return manifest && manifest->keep && manifest->state == State::ready;
  }

  // What must not change, but for manifests that a cleanup may have in hand.
  Contents guarded() const {
    Contents contents;
    std::map<std::string, bool> known;
    const auto guards = [&](const std::string& run) {
      const auto found = known.find(run);
      return found != known.end() ? found->second : (known[run] = is_guarded(run));
    };
    for (const auto& [name, stored] : m_site.objects) {
      const bool is_manifest = name.starts_with(manifest_prefix);
      const auto parsed = workload::parse_object_name(name);
      const std::string run = is_manifest ? name.substr(manifest_prefix.size())
                              : parsed    ? std::string(parsed->run_id)
                                          : "";
      if (is_manifest && m_late.contains(run)) continue;
      if (run.empty() || guards(run)) contents[name] = stored.text;
    }
    for (const auto& [nspace, images] : m_site.images) {
      for (const auto& [name, image] : images.named) {
        const std::string run = image.metadata.substr(0, image.metadata.find(' '));
        if (is_ours(nspace, image) && !guards(run)) continue;
        contents["image " + nspace + "/" + name] = image.text();
      }
    }
    return contents;
  }

  Contents check(const std::string& when) const {
    Contents now = guarded();
    for (const auto& [name, text] : m_expected) {
      const auto found = now.find(name);
      const bool unchanged = found != now.end() && found->second == text;
      EXPECT_TRUE(unchanged || m_late.contains(run_of_manifest(name))) << name << ", " << when;
    }
    return now;
  }
  static std::string run_of_manifest(const std::string& name) {
    return name.starts_with(manifest_prefix) ? name.substr(manifest_prefix.size()) : "";
  }

  std::mt19937_64 m_random;
  MemorySite m_site;
  std::vector<std::string> m_runs;
  std::set<std::string> m_strangers;
  int m_count = 0;
  std::string m_named;
  bool m_force = false;
  int m_commands_left = -1;  // until who is at work is killed
  int m_kills = 0;
  Contents m_expected;
  Contents m_late;  // manifests of runs that were taken hold of during this cleanup
};

TEST(CleanupModel, ForeignLiveAndKeptObjectsStay_ObjectsOfEndedRunsAreRemoved) {
  int kills = 0;
  testing::for_each_model_seed(120, [&kills](std::uint64_t seed) {
    Model model(seed);
    for (int i = 0; i < 3; ++i) {
      model.clean_once();
      model.end_one();
    }
    model.clean_all();
    kills += model.kills();
  });
  EXPECT_GT(kills, 0);
}

}  // namespace
}  // namespace radosload::footprint
