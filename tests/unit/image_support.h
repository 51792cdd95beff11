// RBD images of one namespace in memory, for tests of what makes and removes them. They behave as
// librbd's do: metadata go with clones and copies and stay through a rename; what is open cannot be
// removed, and no image that has snapshots. Others act before each command.
#pragma once

#include <cerrno>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "cluster/image_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint::testing {

struct MemoryImage {
  std::string id = {};
  std::string metadata = {};  // the mark; empty: there is none
  std::string parent = {};    // "ID@SNAPSHOT" of a clone
  std::string data = {};
  std::map<std::string, bool> snapshots = {};  // and whether it is protected
  bool watched = false;
  bool unreadable = false;  // its metadata_get fails

  // What nobody else may change.
  std::string text() const {
    return fmt::format("id {} metadata '{}' parent {} data {} snapshots {}", id, metadata, parent,
                       data, snapshots);
  }
};

class MemoryImages final : public cluster::ImageCommands {
 public:
  std::map<std::string, MemoryImage> named = {};
  std::map<std::string, std::pair<std::string, MemoryImage>> trash = {};  // by id, with its name
  std::function<void(const std::string& call)> before = [](const std::string&) {};
  std::function<bool()> patience = [] { return false; };
  bool full = false;  // the pool: only what frees space goes through

  // One that somebody has made, with a mark when it was a run.
  MemoryImage& add(const std::string& name, const std::string& run = "") {
    MemoryImage image{.id = new_id()};
    if (!run.empty())
      image.metadata = cluster::encode_mark({.run = run, .id = image.id, .name = name});
    return named[name] = image;
  }

  // What others do with images; as rbd does, with the same names.
  bool rename_by_others(const std::string& from, const std::string& to) {
    if (!named.contains(from) || named.contains(to)) return false;
    auto node = named.extract(from);
    node.key() = to;
    named.insert(std::move(node));
    return true;
  }
  bool copy(const std::string& from, const std::string& to, bool deep) {
    if (!named.contains(from) || named.contains(to)) return false;
    MemoryImage made = named[from];
    made.id = new_id();
    made.watched = made.unreadable = false;
    made.parent.clear();
    if (!deep) made.snapshots.clear();
    for (auto& [snapshot, is_protected] : made.snapshots) is_protected = false;
    named[to] = made;
    return true;
  }
  bool clone(const std::string& from, const std::string& snapshot, const std::string& to) {
    if (!named.contains(from) || named.contains(to)) return false;
    MemoryImage made = named[from];
    if (!made.snapshots.contains(snapshot)) return false;
    made.parent = made.id + "@" + snapshot;
    made.id = new_id();
    made.snapshots.clear();
    made.watched = made.unreadable = false;
    named[to] = made;
    return true;
  }
  bool move_to_trash(const std::string& name) {
    if (!named.contains(name) || named[name].watched) return false;
    auto node = named.extract(name);
    trash[node.mapped().id] = {name, node.mapped()};
    return true;
  }
  bool restore(const std::string& id, const std::string& name) {
    if (!trash.contains(id) || named.contains(name)) return false;
    named[name] = trash[id].second;
    trash.erase(id);
    return true;
  }
  // A clone of it keeps a snapshot.
  bool has_clones(const std::string& id) const {
    const auto is_clone = [&](const MemoryImage& image) {
      return image.parent.starts_with(id + "@");
    };
    for (const auto& [name, image] : named) {
      if (is_clone(image)) return true;
    }
    for (const auto& [other, entry] : trash) {
      if (is_clone(entry.second)) return true;
    }
    return false;
  }

  // Made by a run of ours, under a name that the run has given it, and not unmarked since.
  bool is_ours(const std::string& name, const MemoryImage& image) const {
    const auto found = made.find(image.id);
    if (found == made.end()) return false;
    const auto& [run, given] = found->second;
    if (name == cluster::unfinished_image(run, given)) return true;
    if (image.metadata.empty()) return false;
    return name == given || name == cluster::image_set_aside(run, given);
  }

  int create(const cluster::NewImage& image, const std::string& name) override {
    before("image create");
    if (full) return -ENOSPC;
    if (named.contains(name)) return -EEXIST;
    named[name] = {.id = new_id()};
    made[named[name].id] = {image.run, image.name};
    return 0;
  }
  int mark(const cluster::NewImage& image, const std::string& name) override {
    before("image mark");
    if (!named.contains(name)) return -ENOENT;
    MemoryImage& there = named[name];
    there.metadata = cluster::encode_mark({.run = image.run, .id = there.id, .name = image.name});
    return 0;
  }
  int rename(const std::string& from, const std::string& to) override {
    before("image rename");
    if (!named.contains(from)) return -ENOENT;
    if (full) return -ENOSPC;
    return rename_by_others(from, to) ? 0 : -EEXIST;
  }
  cluster::ImageSeen query(const std::string& name) override {
    before("image look");
    const auto found = named.find(name);
    if (found == named.end()) return {.mark = {.rc = -ENOENT}};
    const MemoryImage& image = found->second;
    const int rc = image.unreadable ? -EIO : image.metadata.empty() ? -ENOENT : 0;
    return {.mark = cluster::mark_seen(rc, image.metadata, image.id, name),
            .watched = image.watched};
  }
  int remove(const std::string& name, const cluster::ImageProgress& progress) override {
    before("image remove");
    if (progress && !progress(0)) return -EINTR;
    const auto found = named.find(name);
    if (found == named.end()) return -ENOENT;
    if (found->second.watched) return -EBUSY;
    if (!found->second.snapshots.empty()) return -ENOTEMPTY;
    named.erase(found);
    return 0;
  }
  bool mirrored_from_elsewhere(const std::string&) override { return false; }
  bool wait(const cluster::ImageProgress& progress) override {
    before("image wait");
    return patience() && (!progress || progress(0));
  }

  // Of those made by commands, by id: the run, and the name they were to get.
  std::map<std::string, std::pair<std::string, std::string>> made = {};

 private:
  static std::string new_id() {
    static int count = 0;
    return fmt::format("{:x}", ++count);
  }
};

}  // namespace radosload::footprint::testing
