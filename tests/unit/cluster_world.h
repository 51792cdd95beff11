// One cluster in memory for the model of everything that deletes: pools and CRUSH rules, and in
// each pool objects, manifests, images and sessions. Whatever is done to it comes through one
// function, before each command, so that others can act there and processes can be killed.
#pragma once

#include <cerrno>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "footprint/scratch_removal.h"
#include "image_strangers.h"
#include "scratch_world.h"
#include "session_support.h"
#include "site_support.h"

namespace radosload::footprint::testing {

// Images of others, in one namespace.
class TheirImages {
 public:
  explicit TheirImages(MemoryImages& images) : m_images(images) {}

  bool add(const std::string& name) {
    if (m_images.named.contains(name)) return false;
    m_images.add(name).data = "theirs";
    note(name);
    return true;
  }
  // With what its metadata say of who made it. `number`: chooses which.
  void copy(std::size_t number, const std::string& name) {
    if (m_images.named.empty()) return;
    const auto images = static_cast<std::ptrdiff_t>(number % m_images.named.size());
    const auto image = std::next(m_images.named.begin(), images);
    if (m_images.copy(std::string(image->first), name, number % 2 == 0)) note(name);
  }

  void check(const std::string& when) const {
    std::map<std::string, Known> now;
    for (const auto& [name, image] : m_images.named) now[image.id] = {name, image.text()};
    for (const auto& [id, was] : m_known) {
      const auto found = now.find(id);
      ASSERT_NE(found, now.end()) << was.name << " of others is gone " << when;
      EXPECT_EQ(found->second.text, was.text) << when;
      EXPECT_TRUE(found->second.name == was.name || is_private(found->second.name)) << when;
    }
  }
  // They have their names, unless somebody else has taken one meanwhile; and there are no others.
  void expect_nothing_else() const {
    for (const auto& [name, image] : m_images.named) {
      const auto known = m_known.find(image.id);
      ASSERT_NE(known, m_known.end()) << name << " is left";
      const std::string& own = known->second.name;
      EXPECT_TRUE(name == own || m_images.named.contains(own)) << own << " has lost its name";
    }
  }

 private:
  struct Known {
    std::string name = {};
    std::string text = {};
  };
  void note(const std::string& name) {
    const MemoryImage& image = m_images.named[name];
    m_known[image.id] = {name, image.text()};
  }

  MemoryImages& m_images;
  std::map<std::string, Known> m_known;  // by id
};

// What is in one pool.
struct PoolContents {
  PoolContents(std::string name, std::mt19937_64& random) : processes(site, sessions, random) {
    site.pool = std::move(name);
  }
  MemorySite site;
  MemorySessions sessions{site};
  SessionProcesses processes;
  std::map<std::string, std::string> theirs = {};  // objects of others, with their texts
  bool gone = false;                               // with its pool

  void add_theirs(const std::string& name) {
    site.objects[name] = {"theirs"};
    theirs[name] = "theirs";
  }
  void empty() {
    theirs.clear();
    site.objects.clear();
    site.index.clear();
    site.alive.clear();
  }
};

// A run, from its manifest on.
struct ModelRun {
  PoolContents* where = nullptr;
  Manifest manifest = {};
  std::set<std::string> made = {};  // names of objects
  bool ending = false;              // or asked for by name, with --force when it is alive
};

class ClusterWorld {
 public:
  explicit ClusterWorld(std::mt19937_64& random) : m_random(random) {
    scratch.cluster.before = [this](const std::string& prefix) { before("mon " + prefix); };
  }

  World scratch;
  std::function<void(const std::string& call)> before = [](const std::string&) {};
  std::map<std::string, ModelRun> runs = {};

  const json* pool_named(const std::string& name) const {
    for (const json& pool : scratch.cluster.pools()) {
      if (pool["pool_name"] == name) return &pool;
    }
    return nullptr;
  }
  PoolContents& contents_of(const json& pool) {
    auto& there = m_contents[pool["pool"]];
    if (there) return *there;
    const std::string name(lasting_name(pool["pool_name"].get<std::string>()));
    there = std::make_unique<PoolContents>(name, m_random);
    there->site.before = [this](const std::string& call) { before(call); };
    return *there;
  }
  bool has_contents(const json& pool) const { return m_contents.contains(pool["pool"]); }
  // One that others can know by its name.
  PoolContents& any_contents() {
    std::vector<const json*> known;
    for (const json& pool : scratch.cluster.pools()) {
      if (!is_ours_alone(pool["pool_name"].get<std::string>())) known.push_back(&pool);
    }
    return contents_of(*known[m_random() % known.size()]);
  }
  std::vector<PoolContents*> all_contents() {
    std::vector<PoolContents*> all;
    for (const auto& [id, contents] : m_contents) {
      if (!contents->gone) all.push_back(contents.get());
    }
    return all;
  }

  // What is in a pool goes with it. Those who were at it stay there in vain.
  std::vector<PoolContents*> take_those_gone() {
    std::set<int> ids;
    for (const json& pool : scratch.cluster.pools()) ids.insert(pool["pool"].get<int>());
    std::vector<PoolContents*> gone;
    for (const auto& [id, contents] : m_contents) {
      if (contents->gone || ids.contains(id)) continue;
      contents->gone = true;
      gone.push_back(contents.get());
    }
    return gone;
  }

  // As scratch_in_use() does it on a cluster.
  ScratchInUse in_use() {
    return [this](const std::string& name) -> Result<std::string> {
      const json* const pool = pool_named(name);
      if (pool == nullptr) return fail({.reason = "there is no such pool", .errnum = ENOENT});
      if (!has_contents(*pool)) return std::string();
      PoolContents& contents = contents_of(*pool);
      return scratch_in_use(contents.site, contents.site);
    };
  }

  bool lives(const std::string& run) const { return runs.at(run).where->site.alive.contains(run); }
  // Those that have made everything, and stay.
  std::vector<std::string> living() const {
    std::vector<std::string> found;
    for (const auto& [run, known] : runs) {
      const bool stays = known.manifest.state == State::ready && lives(run);
      if (stays && !known.ending && !known.where->gone) found.push_back(run);
    }
    return found;
  }

 private:
  std::mt19937_64& m_random;
  std::map<int, std::unique_ptr<PoolContents>> m_contents;  // by the pool's id
};

}  // namespace radosload::footprint::testing
