// The objects of sessions in a namespace in memory, and processes that make sessions there, one
// command at a time and in the order of session::Board: they live, take part, die, or are stopped
// for so long that the OSDs give up on their watch.
#pragma once

#include <cerrno>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "footprint/owner.h"
#include "footprint/session_objects.h"
#include "site_support.h"

namespace radosload::footprint::testing {

class MemorySessions final : public SessionSite {
 public:
  explicit MemorySessions(MemorySite& site) : m_site(site) {}

  std::map<std::string, std::set<std::uint64_t>> watches = {};  // by object: the clients
  std::function<void()> passes = [] {};                         // time does

  int attributes(const std::string& object, Attributes& into, std::uint64_t* version) override {
    m_site.before("session attributes");
    const auto found = m_site.objects.find(object);
    if (found == m_site.objects.end()) return -ENOENT;
    into = found->second.attributes;
    if (version != nullptr) *version = found->second.version;
    return 0;
  }
  int watchers(const std::string& object, std::vector<Watcher>& into) override {
    m_site.before("session watchers");
    if (!m_site.objects.contains(object)) return -ENOENT;
    for (const std::uint64_t client : watches[object]) into.push_back({client, "10.0.0.1:0/1"});
    return 0;
  }
  int set_attribute(const std::string& object, const std::string& key) override {
    m_site.before("session set");
    put(object, key, "1");
    return 0;
  }
  int remove_attribute(const std::string& object, const std::string& key,
                       std::uint64_t version) override {
    m_site.before("session strike out");
    if (const int rc = has_version(object, version); rc < 0) return rc;
    MemorySite::Stored& stored = m_site.objects[object];
    if (stored.attributes.erase(key) == 0) return -ENODATA;
    stored.version = m_site.next_version();
    return 0;
  }
  int remove_object(const std::string& object, std::uint64_t version) override {
    m_site.before("session remove as seen");
    if (const int rc = has_version(object, version); rc < 0) return rc;
    return drop(object);
  }
  int remove_object(const std::string& object) override {
    m_site.before("session remove");
    return drop(object);
  }
  void pause(Time) override {
    m_site.before("session pause");
    passes();
  }
  Time limit() const override { return std::chrono::seconds(8); }

  void put(const std::string& object, const std::string& key, const std::string& value) {
    MemorySite::Stored& stored = m_site.objects[object];
    stored.attributes[key] = value;
    stored.version = m_site.next_version();
  }

 private:
  int has_version(const std::string& object, std::uint64_t version) const {
    const auto found = m_site.objects.find(object);
    if (found == m_site.objects.end()) return -ENOENT;
    if (found->second.version == version) return 0;
    return found->second.version > version ? -ERANGE : -EOVERFLOW;
  }
  int drop(const std::string& object) {
    watches.erase(object);
    return m_site.objects.erase(object) > 0 ? 0 : -ENOENT;
  }

  MemorySite& m_site;
};

class SessionProcesses {
 public:
  SessionProcesses(MemorySite& site, MemorySessions& sessions, std::mt19937_64& random)
      : m_site(site), m_sessions(sessions), m_random(random) {
    m_sessions.passes = [this] { let_time_pass(); };
  }

  // Another one comes: it makes the session, or takes part in it.
  void begin() {
    Process one{.session = "s" + std::to_string(draw(2)), .client = 100 + m_count++};
    one.member = "m" + std::to_string(one.client);
    m_living.push_back(one);
  }
  // One of them carries out its next command.
  void advance() {
    if (m_living.empty()) return;
    advance(m_living[static_cast<std::size_t>(draw(int(m_living.size())))]);
  }
  // One of them is killed. The OSDs keep its watch for a while.
  void die() {
    if (m_living.empty()) return;
    const auto one = static_cast<std::size_t>(draw(int(m_living.size())));
    if (!m_living[one].ending) bury(m_living[one].client);
  }
  void all_die() {
    while (!m_living.empty()) bury(m_living.front().client);
    m_sessions.watches.clear();
  }
  // A leader ends its session; whoever acts between any two commands may stop it for a minute.
  void end_one() {
    const Process* leader = nullptr;
    for (const Process& one : m_living) {
      if (one.leads && one.at == Step::taking_part && !one.ending) leader = &one;
    }
    if (leader == nullptr) return;
    const std::string session = leader->session;
    const std::string member = leader->member;
    const std::uint64_t client = leader->client;
    find(client)->ending = true;
    let_followers_go(session);
    try {
      EXPECT_TRUE(remove_session(m_sessions, session, [&](const SessionSite::Attributes& hub) {
        return hub.contains("leader") && hub.at("leader") == member;
      }));
    } catch (...) {
      bury(client);
      throw;
    }
    forget(client);
  }
  // As one does that comes and finds a session of its name.
  void remove_deserted() {
    const std::string session = "s" + std::to_string(draw(2));
    const auto before = look_at_session(m_sessions, session);
    ASSERT_TRUE(before);
    if (before->missing || before->lives) return;
    m_sessions.pause(session_second_look);
    const auto now = look_at_session(m_sessions, session);
    ASSERT_TRUE(now);
    if (now->missing || now->lives || !unchanged(*before, *now)) return;
    EXPECT_TRUE(remove_dead_session(m_sessions, session, *now));
  }
  // Those that are at their end hear nothing for a minute.
  void stop_those_at_their_end() {
    for (Process& one : m_living) {
      if (one.ending) unwatch(one.client);
    }
  }

  // What those that live have made is there, and leads to them.
  void check(const std::string& when) const {
    for (const Process& one : m_living) {
      const bool member = one.leads ? one.incarnation != 0 : one.at >= Step::watching;
      if (one.ending || !member) continue;
      const auto hub = m_site.objects.find(session_hub(one.session));
      ASSERT_NE(hub, m_site.objects.end()) << one.session << " has lost its hub " << when;
      EXPECT_EQ(hub->second.attributes.at("made"), std::to_string(one.incarnation)) << when;
      check_entered(one, when);
    }
  }
  // All are dead and a cleanup has been here. Of one that was killed between its hub and its
  // second entry the index need not tell.
  void expect_nothing_left(bool scanned) const {
    for (const auto& [name, stored] : m_site.objects) {
      if (!is_of_session(name)) continue;
      EXPECT_TRUE(!scanned && m_unlisted.contains(session_of(name))) << name << " is left";
    }
  }

 private:
  enum class Step : std::uint8_t {
    coming,
    noted,
    made,
    noted_again,
    members_made,
    told,
    watching,
    taking_part
  };
  struct Process {
    std::string session;
    std::uint64_t client = 0;
    std::string member = {};
    Step at = Step::coming;
    bool leads = false;
    bool ending = false;
    std::uint64_t incarnation = 0;  // of the session that it is in; 0: of none
    std::uint64_t parts = 0;
  };

  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

  Owner owner_of(const Process& one) const {
    Owner owner = m_this;
    owner.client = one.client;
    // Nobody here can tell whether that one has ended.
    if (one.client % 3 == 0) owner.boot = "elsewhere";
    return owner;
  }

  Process* find(std::uint64_t client) {
    for (Process& one : m_living) {
      if (one.client == client) return &one;
    }
    return nullptr;
  }
  void forget(std::uint64_t client) {
    std::erase_if(m_living, [&](const Process& one) { return one.client == client; });
    unwatch(client);
  }
  void unwatch(std::uint64_t client) {
    for (auto& [object, clients] : m_sessions.watches) clients.erase(client);
  }

  void unwatch_the_dead() {
    for (auto& [object, clients] : m_sessions.watches) {
      std::erase_if(clients, [this](std::uint64_t client) { return find(client) == nullptr; });
    }
  }

  void bury(std::uint64_t client) {
    const Process one = *find(client);
    if (one.at == Step::made) m_unlisted.insert(one.session);
    std::erase_if(m_living, [&](const Process& other) { return other.client == client; });
    Owner gone = owner_of(one);
    gone.started_ticks += 1;  // the pid is another's now
    const auto told = m_site.objects.find(session_members(one.session, 0));
    const std::string key = session_owner_key(one.member);
    if (told != m_site.objects.end() && told->second.attributes.contains(key)) {
      told->second.attributes[key] = encode_owner(gone);
    }
    if (draw(2) == 0) unwatch(client);
  }

  // Two seconds at least: everybody gets on, leaders write, and at last watches of the dead end.
  void let_time_pass() {
    constexpr int all_steps = 8;
    for (Process& one : m_living) {
      for (int i = 0; i < all_steps && one.at != Step::taking_part; ++i) advance(one);
    }
    if (draw(20) == 0) unwatch_the_dead();
    for (Process& one : m_living) {
      if (one.leads && !one.ending && one.at == Step::taking_part) write_state(one);
    }
  }

  void advance(Process& one) {
    if (one.ending) return;
    switch (one.at) {
      case Step::coming:
        return come(one);
      case Step::noted:
        return make_hub(one);
      case Step::made:
        m_sessions.put(std::string(sessions_object), "session." + one.session, "1");
        break;
      case Step::noted_again:
        touch(session_members(one.session, 0));
        break;
      case Step::members_made:
        return tell(one);
      case Step::told:
        m_sessions.watches[session_hub(one.session)].insert(one.client);
        if (one.leads) touch(session_clock(one.session, one.member));
        break;
      case Step::watching:
        break;
      case Step::taking_part:
        return take_part(one);
    }
    one.at = static_cast<Step>(static_cast<std::uint8_t>(one.at) + 1);
  }

  // What an earlier session has left is removed first, unless it is alive.
  void come(Process& one) {
    const auto hub = m_site.objects.find(session_hub(one.session));
    if (hub != m_site.objects.end()) return join(one);
    m_sessions.put(std::string(sessions_object), "session." + one.session, "1");
    one.at = Step::noted;
  }
  void make_hub(Process& one) {
    const std::string hub = session_hub(one.session);
    if (m_site.objects.contains(hub)) {
      one.at = Step::coming;
      return join(one);
    }
    one.incarnation = ++m_incarnations;
    one.leads = true;
    m_sessions.put(hub, session_shards_key, "1");
    m_sessions.put(hub, "made", std::to_string(one.incarnation));
    m_sessions.put(hub, "leader", one.member);
    one.at = Step::made;
  }
  // Only a session that lives takes others in.
  void join(Process& one) {
    for (const Process& other : m_living) {
      const bool open = other.session == one.session && other.at == Step::taking_part;
      if (!open || other.ending || !other.leads) continue;
      one.incarnation = other.incarnation;
      one.at = Step::members_made;
      return;
    }
  }
  void tell(Process& one) {
    const std::string object = session_members(one.session, 0);
    const auto hub = m_site.objects.find(session_hub(one.session));
    const bool there = hub != m_site.objects.end() && m_site.objects.contains(object) &&
                       hub->second.attributes["made"] == std::to_string(one.incarnation);
    if (!there && !one.leads) {
      one.incarnation = 0;  // its leader has died before it was a member
      one.at = Step::coming;
    }
    if (!there) return;
    one.parts = 1;
    m_sessions.put(object, session_owner_key(one.member), encode_owner(owner_of(one)));
    m_sessions.put(object, session_chunks_key(one.member), "1");
    one.at = Step::told;
  }
  void take_part(Process& one) {
    if (draw(2) == 0) {
      if (one.leads) write_state(one);
      return;
    }
    if (!m_site.objects.contains(session_members(one.session, 0))) return;
    touch(session_part(one.session, one.member, one.parts - 1));
    m_sessions.put(session_members(one.session, 0), session_chunks_key(one.member),
                   std::to_string(++one.parts));
  }
  void write_state(const Process& one) {
    m_sessions.put(session_hub(one.session), "state", std::to_string(m_site.next_version()));
  }
  // They are through before the leader removes the session.
  void let_followers_go(const std::string& session) {
    std::vector<std::uint64_t> through;
    for (const Process& one : m_living) {
      const bool follows = one.session == session && !one.leads && one.incarnation != 0;
      if (follows) through.push_back(one.client);
    }
    for (const std::uint64_t client : through) forget(client);
  }
  void touch(const std::string& object) { m_site.objects[object].version = m_site.next_version(); }

  void check_entered(const Process& one, const std::string& when) const {
    const auto index = m_site.objects.find(std::string(sessions_object));
    const bool entered = index != m_site.objects.end() &&
                         index->second.attributes.contains("session." + one.session);
    EXPECT_TRUE(entered || one.at <= Step::made) << one.session << " is not in the index " << when;
    if (one.at < Step::told) return;
    const auto members = m_site.objects.find(session_members(one.session, 0));
    ASSERT_NE(members, m_site.objects.end()) << one.session << " has lost its members " << when;
    EXPECT_TRUE(members->second.attributes.contains(session_owner_key(one.member))) << when;
    for (std::uint64_t part = 0; part + 1 < one.parts; ++part) {
      EXPECT_TRUE(m_site.objects.contains(session_part(one.session, one.member, part))) << when;
    }
  }

  MemorySite& m_site;
  MemorySessions& m_sessions;
  std::mt19937_64& m_random;
  const Owner m_this = this_process();
  std::vector<Process> m_living;
  std::set<std::string> m_unlisted;
  std::uint64_t m_count = 0;
  std::uint64_t m_incarnations = 0;
};

}  // namespace radosload::footprint::testing
