// Making and removing images in many random clusters, while others act between any two commands:
// they clone, copy, rename and snapshot ours and theirs, move them to the trash and back, open
// them, and give our names to images of their own; makers and cleanups are killed at any command.
// No image that is not ours is ever changed or removed, whatever its mark says, nor one of a run
// that is alive or kept; and when nobody acts any more, nothing of ours is left but what has
// snapshots, which is said. RADOSLOAD_MODEL_SEED=N repeats one, RADOSLOAD_MODEL_CLUSTERS=N tries
// more.
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "footprint/cleanup.h"
#include "image_strangers.h"
#include "site_support.h"
#include "unit/model_seeds.h"

namespace radosload::footprint {
namespace {

using testing::is_private;
using testing::MemoryImage;
using testing::MemoryImages;
using testing::MemorySite;
using testing::Strangers;

struct KilledHere {};

// Where an image of others is, and what it is.
struct Theirs {
  std::string name = {};
  bool in_trash = false;
  std::string text = {};
};

class ImageModel {
 public:
  explicit ImageModel(std::uint64_t seed)
      : m_random(seed), m_images(m_site.images_in("")), m_strangers(m_images, m_random) {
    for (int i = 0; i < 3; ++i) {
      m_strangers.begin_step();
      m_strangers.take_name(some_name());
    }
    if (draw(2) == 0) forge();
    m_images.patience = [this] { return draw(4) != 0; };
    m_site.before = [this](const std::string&) { between(); };
    note_theirs();
  }

  void step() {
    m_strangers.begin_step();
    m_images.full = draw(12) == 0;
    for (int i = draw(3); i > 0; --i) act();
    m_working.clear();
    m_commands_left = draw(3) == 0 ? draw(14) : -1;
    try {
      if (draw(2) == 0) {
        make_run();
      } else {
        clean_up();
      }
    } catch (const KilledHere&) {
      m_site.alive.erase(m_working);
    }
    m_commands_left = -1;
    m_nested = false;
    check();
    m_protected.clear();
    note_theirs();
  }

  // Nobody acts, everybody is dead and nothing is open.
  void finish() {
    m_quiet = true;
    m_images.full = false;
    m_site.alive.clear();
    for (auto& [name, image] : m_images.named) image.watched = image.unreadable = false;
    std::map<std::string, std::string> stuck;
    for (const std::string& run : m_runs) {
      const auto report = cleanup(m_site, {.run = run, .force = true});
      ASSERT_TRUE(report);
      for (const RunCleanup& one : report->runs) {
        if (one.fate != Fate::removed) stuck[run] = one.detail;
      }
    }
    check();
    expect_only_stuck(stuck);
    for (auto& [name, image] : m_images.named) {
      if (m_images.is_ours(name, image)) image.snapshots.clear();
    }
    for (const auto& [run, detail] : stuck) {
      EXPECT_TRUE(cleanup(m_site, {.run = run, .force = true}));
    }
    expect_only_stuck({});
    EXPECT_TRUE(m_site.index.empty() || somebody_lacks_a_name());
  }

  std::uint64_t commands() const { return m_commands; }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
  std::string some_name() { return "disk" + std::to_string(draw(3)); }

  // What radosload does.

  void make_run() {
    const std::string run = m_working = "run-" + std::to_string(++m_count);
    Manifest manifest = m_site.manifest(run, 4);
    manifest.content = Content::image;
    manifest.images = {some_name()};
    for (int i = draw(3); i > 0; --i) manifest.images.push_back(run + "." + std::to_string(i));
    manifest.keep = draw(3) == 0;
    m_site.store(run, manifest);
    m_site.alive.insert(run);
    m_runs.push_back(run);
    protect([&](const std::string& other) { return other != run; });
    bool complete = true;
    for (const std::string& name : manifest.images) {
      complete =
          complete &&
          cluster::make_image(
              m_images,
              {.name = name, .size = mib(4), .object_size = mib(4), .data_pool = "", .run = run});
    }
    manifest.state = complete ? State::ready : State::filling;
    if (complete && draw(2) == 0) {
      m_site.store(run, manifest);
    } else {
      remove_run(m_site, manifest, {});
    }
    if (draw(3) != 0) m_site.alive.erase(run);
  }

  void clean_up() {
    CleanupOptions options{.scan = draw(3) == 0, .dry_run = draw(8) == 0};
    if (!m_runs.empty() && draw(2) == 0) {
      options.run = m_runs[static_cast<std::size_t>(draw(int(m_runs.size())))];
      options.force = draw(2) == 0;
    }
    protect([&](const std::string& run) {
      return run != options.run || (m_site.alive.contains(run) && !options.force);
    });
    EXPECT_TRUE(cleanup(m_site, options));
  }

  // Of those that are alive or kept, the ones in question.
  void protect(const std::function<bool(const std::string& run)>& in_question) {
    m_protected.clear();
    for (const std::string& run : m_runs) {
      const bool guarded = m_site.alive.contains(run) || is_kept(run);
      if (guarded && in_question(run)) m_protected.insert(run);
    }
    note_theirs();
  }

  bool is_kept(const std::string& run) {
    const auto entry = m_site.objects.find(manifest_object(run));
    if (entry == m_site.objects.end()) return false;
    const auto manifest = decode(entry->second.text);
    return manifest && manifest->keep && manifest->state == State::ready;
  }

  // What others do meanwhile.
  void between() {
    ++m_commands;
    if (m_quiet) return;
    check();
    if (m_commands_left >= 0 && m_commands_left-- == 0) throw KilledHere{};
    if (draw(3) == 0) act();
    // Another process of radosload, from its beginning to its end.
    if (m_nested || draw(12) != 0) return;
    m_nested = true;
    EXPECT_TRUE(cleanup(m_site, {}));
    m_nested = false;
  }

  void act() {
    m_strangers.act();
    note_theirs();
  }

  // A manifest of a run that never was, with the names of whatever there is.
  void forge() {
    const std::string run = "forged-" + std::to_string(++m_count);
    Manifest forged = m_site.manifest(run, 4);
    forged.content = Content::image;
    forged.images = {"disk0", "disk1", "disk2", "copied-mark"};
    forged.state = draw(2) == 0 ? State::deleting : State::ready;
    m_site.store(run, forged);
    m_runs.push_back(run);
    m_images.add("copied-mark").metadata =
        cluster::encode_mark({.run = run, .id = "0", .name = "copied-mark"});
  }

  // What must not change.
  bool may_go(const std::string& name, const MemoryImage& image) const {
    return m_images.is_ours(name, image) && !m_protected.contains(m_images.made.at(image.id).first);
  }

  void note_theirs() {
    std::map<std::string, Theirs> now;
    for (const auto& [name, image] : m_images.named) {
      if (may_go(name, image)) continue;
      now[image.id] = {.name = proper_name(name, image.id), .text = image.text()};
      const bool made_here = m_images.made.contains(image.id);
      if (made_here && !m_images.is_ours(name, image)) m_was_away.insert(image.id);
    }
    for (const auto& [id, entry] : m_images.trash) {
      now[id] = {.name = entry.first, .in_trash = true, .text = entry.second.text()};
      m_was_away.insert(id);
    }
    m_theirs = std::move(now);
  }

  // That it had before it got one of our names for a moment.
  std::string proper_name(const std::string& name, const std::string& id) const {
    if (!is_private(name)) return name;
    if (const auto known = m_theirs.find(id); known != m_theirs.end()) return known->second.name;
    const auto made = m_images.made.find(id);
    return made == m_images.made.end() ? name : made->second.second;
  }

  void check() const {
    std::map<std::string, Theirs> now;
    for (const auto& [name, image] : m_images.named) now[image.id] = {name, false, image.text()};
    for (const auto& [id, entry] : m_images.trash) {
      now[id] = {entry.first, true, entry.second.text()};
    }
    for (const auto& [id, theirs] : m_theirs) {
      const auto found = now.find(id);
      ASSERT_NE(found, now.end()) << theirs.name << " of others is gone: " << theirs.text;
      EXPECT_EQ(found->second.text, theirs.text) << theirs.name;
      EXPECT_EQ(found->second.in_trash, theirs.in_trash) << theirs.name;
      EXPECT_TRUE(found->second.name == theirs.name || is_private(found->second.name))
          << theirs.name << " is called " << found->second.name;
    }
  }

  // Ours for a moment by name, and its own is taken: whose run stays in the index, with that
  // reason.
  bool somebody_lacks_a_name() const {
    for (const auto& [name, image] : m_images.named) {
      if (is_private(name) && !m_images.is_ours(name, image)) return true;
    }
    return false;
  }

  void expect_only_stuck(const std::map<std::string, std::string>& stuck) {
    for (const auto& [name, image] : m_images.named) {
      if (!m_images.is_ours(name, image)) {
        // Whoever was killed just then has left it to the next cleanup, which gives the name back
        // unless it has been taken.
        EXPECT_TRUE(!is_private(name) || m_images.named.contains(proper_name(name, image.id)))
            << image.text() << " has lost its name";
        continue;
      }
      const auto& [run, given] = m_images.made.at(image.id);
      // It was elsewhere when its run was cleaned up, and has come back.
      if (!m_site.objects.contains(manifest_object(run))) {
        EXPECT_TRUE(m_was_away.contains(image.id)) << name << " is left, and nobody knows of it";
        continue;
      }
      EXPECT_FALSE(image.snapshots.empty()) << name << " is left";
      const auto said = stuck.find(run);
      ASSERT_NE(said, stuck.end()) << name << " is left";
      EXPECT_NE(said->second.find("snapshots"), std::string::npos) << said->second;
    }
  }

  std::mt19937_64 m_random;
  MemorySite m_site;
  MemoryImages& m_images;
  Strangers m_strangers;
  std::vector<std::string> m_runs;
  std::set<std::string> m_protected;       // runs that are alive or kept, during a cleanup
  std::map<std::string, Theirs> m_theirs;  // by id
  std::set<std::string> m_was_away;        // ids of ours that others have moved
  std::string m_working;                   // the run whose process is at work
  std::uint64_t m_commands = 0;
  int m_count = 0;
  int m_commands_left = -1;  // until who is at work is killed
  bool m_nested = false;
  bool m_quiet = false;
};

TEST(ImageModel, ForeignImagesStay_ImagesOfTheRunAreRemoved) {
  std::uint64_t commands = 0;
  testing::for_each_model_seed(1000, [&commands](std::uint64_t seed) {
    ImageModel model(seed);
    for (int i = 0; i < 8; ++i) model.step();
    model.finish();
    commands += model.commands();
  });
  RecordProperty("commands", std::to_string(commands));
}

}  // namespace
}  // namespace radosload::footprint
