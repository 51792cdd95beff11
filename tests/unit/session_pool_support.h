// A namespace in memory with the objects of sessions: versions, attributes and watchers as an OSD
// keeps them. Before each call of the removal under test another client may act.
#pragma once

#include <cerrno>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <utility>

#include "footprint/owner.h"
#include "footprint/session_removal.h"

namespace radosload::footprint {

class MemorySessions final : public SessionPool {
 public:
  struct Object {
    std::uint64_t version = 0;
    std::map<std::string, std::string> attributes = {};
    std::list<obj_watch_t> watchers = {};
  };

  // Called before each operation with how many there have been. Its own do not count.
  std::function<void(int)> before = {};

  int attributes(const std::string& object, cluster::BoundedIo::Attributes& into,
                 std::uint64_t* version) override {
    act();
    const auto found = m_objects.find(object);
    if (found == m_objects.end()) return -ENOENT;
    into = found->second.attributes;
    if (version != nullptr) *version = found->second.version;
    return 0;
  }
  int watchers(const std::string& object, std::list<obj_watch_t>& into) override {
    act();
    const auto found = m_objects.find(object);
    if (found == m_objects.end()) return -ENOENT;
    into = found->second.watchers;
    return 0;
  }
  int write(const std::string& object, const SessionWrite& write) override {
    act();
    const auto found = m_objects.find(object);
    const bool there = found != m_objects.end();
    const std::uint64_t version = there ? found->second.version : 0;
    if (write.over && *write.over != version) return *write.over < version ? -ERANGE : -EOVERFLOW;
    if (write.exists && !there) return -ENOENT;
    if (write.only_if) {
      if (!there) return -ENOENT;
      const auto& [key, value] = *write.only_if;
      const auto attribute = found->second.attributes.find(key);
      if (attribute == found->second.attributes.end()) return -ENODATA;
      if (attribute->second != value) return -ECANCELED;
    }
    if (write.removes) {
      if (!there) return -ENOENT;
      m_objects.erase(found);
      return 0;
    }
    Object& changed = m_objects[object];
    for (const auto& [key, value] : write.set) changed.attributes[key] = value;
    changed.attributes.erase(write.unset);
    changed.version = ++m_last_version;
    return 0;
  }
  Time limit() const override { return std::chrono::seconds(8); }

  // As other clients do it.
  void begin(const std::string& session, const std::string& member) {
    as_another([&] {
      note(session);
      write(session_hub(session), {.set = {{session_serial_key, "1"}, {session_shards_key, "1"}}});
      note(session);
      write(session_members(session, 0), {.set = {{session_owner_key(member), owner_of(member)},
                                                  {session_chunks_key(member), "1"}}});
      write(session_part(session, member, 0), {});
    });
  }
  void watch(const std::string& session) {
    obj_watch_t watcher{};
    watcher.watcher_id = stranger;
    m_objects[session_hub(session)].watchers = {watcher};
  }
  // The leader's State. False when it has lost the session.
  bool lead(const std::string& session, const std::string& over, const std::string& serial) {
    bool done = false;
    as_another([&] {
      done = write(session_hub(session), {.only_if = std::pair(session_serial_key, over),
                                          .set = {{session_serial_key, serial}}}) >= 0;
    });
    return done;
  }
  void remove_all() { m_objects.clear(); }
  // A member that has just come.
  void tell_late(const std::string& session) {
    write(session_members(session, 0), {.exists = true, .set = {{session_entry_key("late"), ""}}});
  }

  const std::map<std::string, Object>& objects() const { return m_objects; }
  bool noted(const std::string& session) const {
    const auto index = m_objects.find(std::string(sessions_object));
    return index != m_objects.end() &&
           index->second.attributes.contains(session_index_key(session));
  }
  // All that begin() makes.
  bool whole(const std::string& session, const std::string& member) const {
    return noted(session) && m_objects.contains(session_hub(session)) &&
           m_objects.contains(session_members(session, 0)) &&
           m_objects.contains(session_part(session, member, 0));
  }
  int operations() const { return m_operations; }

 private:
  static constexpr std::uint64_t stranger = 4711;

  void act() {
    if (m_acting) return;
    const int number = m_operations++;
    const auto other = before;  // which may put another one in its place
    if (other) as_another([&] { other(number); });
  }
  void as_another(const std::function<void()>& work) {
    const bool nested = std::exchange(m_acting, true);
    work();
    m_acting = nested;
  }
  void note(const std::string& session) {
    write(std::string(sessions_object), {.set = {{session_index_key(session), "1"}}});
  }
  static std::string owner_of(const std::string& member) {
    return encode_owner({.host = "elsewhere",
                         .boot = member,
                         .pid_space = "p",
                         .pid = 7,
                         .started_ticks = 1,
                         .client = 2});
  }

  std::map<std::string, Object> m_objects;
  std::uint64_t m_last_version = 0;
  int m_operations = 0;
  bool m_acting = false;
};

}  // namespace radosload::footprint
