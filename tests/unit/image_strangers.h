// Others who do with the images of a namespace what they like, ours among them: one thing at a
// time.
#pragma once

#include <iterator>
#include <random>
#include <string>

#include "image_support.h"

namespace radosload::footprint::testing {

// Nobody but radosload gives such names.
inline bool is_private(const std::string& name) {
  return name.starts_with("radosload.");
}

class Strangers {
 public:
  Strangers(MemoryImages& images, std::mt19937_64& random) : m_images(images), m_random(random) {}

  void begin_step() { m_name_taken = false; }

  void act() {
    const std::string name = any_image();
    switch (draw(16)) {
      case 0:
        if (!m_images.full) m_images.rename_by_others(name, new_name());
        break;
      case 1:
      case 2:
        replace(name);
        break;
      case 3:
        m_images.copy(name, new_name(), draw(2) == 0);
        break;
      case 4:
        m_images.clone(name, "snap", new_name());
        break;
      case 5:
        if (!name.empty()) m_images.named[name].snapshots.emplace("snap", draw(2) == 0);
        break;
      case 6:
      case 7:
        drop_snapshot(name);
        break;
      case 8:
        if (!name.empty()) m_images.move_to_trash(name);
        break;
      case 9:
        restore();
        break;
      case 10:
        if (!name.empty()) toggle(m_images.named[name].watched);
        break;
      case 11:
        if (!name.empty()) toggle(m_images.named[name].unreadable);
        break;
      case 12:
        remove_mark(name);
        break;
      case 13:
        take_name(some_name());
        break;
      case 14:
        name_again();
        break;
      default:
        for (auto& [open, image] : m_images.named) image.watched = image.unreadable = false;
        break;
    }
  }

  void take_name(const std::string& name) {
    if (m_images.named.contains(name) || !may_take(name)) return;
    m_images.add(name).data = "theirs";
  }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
  static void toggle(bool& state) { state = !state; }
  std::string some_name() { return "disk" + std::to_string(draw(3)); }
  std::string new_name() { return "mine-" + std::to_string(++m_count); }
  std::string any_image() {
    if (m_images.named.empty()) return "";
    auto image = m_images.named.begin();
    std::advance(image, draw(int(m_images.named.size())));
    return image->first;
  }

  // Who gives a name to another image does so once in a step: against two in a row, the second
  // while the first gets its name back, no order of commands would help. A full pool has no room
  // for it.
  bool may_take(const std::string& name) {
    if (m_images.full || m_name_taken || name.empty() || is_private(name)) return false;
    return m_name_taken = true;
  }

  // The image gets another name, and one of theirs its name: new, a clone, a copy, or one that was
  // migrated within the pool, as rbd does it.
  void replace(const std::string& name) {
    if (!may_take(name)) return;
    const std::string old = new_name();
    m_images.rename_by_others(name, old);
    switch (draw(4)) {
      case 0:
        m_images.named[old].snapshots.emplace("snap", true);
        m_images.clone(old, "snap", name);
        break;
      case 1:
        m_images.copy(old, name, false);
        break;
      case 2:
        m_images.copy(old, name, true);
        m_images.move_to_trash(old);
        break;
      default:
        m_images.add(name).data = "theirs";
        break;
    }
  }

  // One of ours that somebody has given another name gets its own back.
  void name_again() {
    for (const auto& [name, image] : m_images.named) {
      const auto made = m_images.made.find(image.id);
      if (made == m_images.made.end() || is_private(name)) continue;
      if (m_images.is_ours(name, image)) continue;
      const std::string given = made->second.second;
      if (m_images.named.contains(given) || !may_take(given)) return;
      m_images.rename_by_others(std::string(name), given);
      return;
    }
  }

  // Not in the very moment before it is removed, which nothing could help against.
  void remove_mark(const std::string& name) {
    if (m_images.full || name.empty() || is_private(name) || draw(3) != 0) return;
    m_images.named[name].metadata.clear();
  }

  void drop_snapshot(const std::string& name) {
    if (name.empty()) return;
    MemoryImage& image = m_images.named[name];
    if (!m_images.has_clones(image.id)) image.snapshots.clear();
  }

  void restore() {
    if (m_images.trash.empty()) return;
    const std::string id = m_images.trash.begin()->first;
    const std::string name = draw(2) == 0 ? m_images.trash[id].first : new_name();
    if (name.starts_with("mine-") || may_take(name)) m_images.restore(id, name);
  }

  MemoryImages& m_images;
  std::mt19937_64& m_random;
  int m_count = 0;
  bool m_name_taken = false;
};

}  // namespace radosload::footprint::testing
