// Setting and removing the flags of OSDs on many random clusters, while others act between any two
// commands: other clients set and unset the same flags, processes of radosload begin, stay, end and
// clean up. Makers are killed at any command, before or after it was carried out, and answers get
// lost. A flag that was there before stays; a live process keeps its flag; and a last cleanup
// leaves none of ours. A flag that another client sets while a note of ours is there is like our
// own. RADOSLOAD_MODEL_SEED=N repeats one, RADOSLOAD_MODEL_CLUSTERS=N tries more.
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "footprint/osd_flags.h"
#include "footprint/owner.h"
#include "unit/model_seeds.h"

#include <nlohmann/json.hpp>

namespace radosload::footprint {
namespace {

struct KilledMaker {};

// Real processes that do nothing: whether an owner is alive is asked of the system.
class Sleepers {
 public:
  static constexpr int count = 4;
  Sleepers() {
    for (Owner& owner : m_owners) owner = start();
  }
  ~Sleepers() {
    for (const Owner& owner : m_owners) {
      ::kill(static_cast<pid_t>(owner.pid), SIGKILL);
      ::waitpid(static_cast<pid_t>(owner.pid), nullptr, 0);
    }
  }
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;
  Sleepers(Sleepers&&) = delete;
  Sleepers& operator=(Sleepers&&) = delete;
  const Owner& operator[](int one) const { return m_owners.at(static_cast<std::size_t>(one)); }

 private:
  static Owner start() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return {};
    const pid_t child = ::fork();
    if (child == 0) {
      const std::uint64_t ticks = this_process().started_ticks;
      if (::write(ends[1], &ticks, sizeof ticks) != sizeof ticks) ::_exit(1);
      for (;;) ::pause();
    }
    Owner owner = this_process();
    owner.pid = child;
    if (::read(ends[0], &owner.started_ticks, sizeof owner.started_ticks) < 0) owner = {};
    ::close(ends[0]);
    ::close(ends[1]);
    return owner;
  }
  std::array<Owner, count> m_owners;
};

class ModelOsds final : public AdminCommands {
 public:
  std::map<std::string, std::string> keys;
  std::set<int> noout;
  // Before a command, and between carrying it out and its answer; false: the answer is lost.
  std::function<bool(bool of_flag)> before = [](bool) { return true; };
  std::function<bool(bool of_flag)> after = [](bool) { return true; };

  Result<std::string> mon(const std::string& command) override {
    const auto asked = nlohmann::json::parse(command);
    const std::string prefix = asked["prefix"];
    const bool of_flag = prefix == "osd set-group" || prefix == "osd unset-group";
    if (!before(of_flag)) return lost();
    std::string answer = carry_out(prefix, asked);
    if (!after(of_flag)) return lost();
    return answer;
  }
  Result<std::string> mgr(const std::string&) override { return std::string(); }
  Result<std::string> osd(int, const std::string&) override { return std::string(); }

  bool noted(int osd) const {
    const std::string lead = std::string(noout_keys) + "osd." + std::to_string(osd);
    return std::any_of(keys.begin(), keys.end(),
                       [&](const auto& one) { return one.first.starts_with(lead); });
  }

 private:
  std::string carry_out(const std::string& prefix, const nlohmann::json& asked) {
    if (prefix == "config-key dump") return nlohmann::json(keys).dump();
    if (prefix == "config-key set") keys[asked["key"]] = asked["val"];
    if (prefix == "config-key rm") keys.erase(asked["key"]);
    if (prefix == "osd set-group") noout.insert(osd_in(asked));
    if (prefix == "osd unset-group") noout.erase(osd_in(asked));
    if (prefix != "osd info") return "";
    const bool set = noout.contains(asked["id"].get<int>());
    return nlohmann::json{{"up", 1},
                          {"up_from", 3},
                          {"state", set ? nlohmann::json{"noout"} : nlohmann::json::array()}}
        .dump();
  }
  static int osd_in(const nlohmann::json& asked) {
    return std::stoi(asked["who"][0].get<std::string>().substr(4));
  }
  static Result<std::string> lost() {
    return fail({.attempt = "ask the mons", .reason = "no answer", .errnum = ETIMEDOUT});
  }
};

class FlagsModel {
 public:
  FlagsModel(std::uint64_t seed, const Sleepers& sleepers) : m_random(seed), m_sleepers(sleepers) {
    m_cluster.before = [this](bool of_flag) { return gap(of_flag); };
    m_cluster.after = [this](bool of_flag) {
      if (m_killed_after && m_commands_left == 0) throw KilledMaker{};
      return m_quiet || !of_flag || draw(40) != 0;
    };
  }

  void step() {
    act(draw(8));
    check();
  }

  void finish() {
    while (!m_holders.empty()) release();
    m_quiet = true;
    EXPECT_TRUE(remove_flags(m_cluster, {}));
    for (const auto& [key, note] : m_cluster.keys) {
      EXPECT_NE(note.find("elsewhere"), std::string::npos) << key << " is left";
    }
    // What processes of other machines left goes by force only.
    EXPECT_TRUE(remove_flags(m_cluster, {.force = true}));
    EXPECT_TRUE(m_cluster.keys.empty());
    for (const int osd : m_cluster.noout) {
      EXPECT_TRUE(m_foreign.contains(osd) || m_doubtful.contains(osd)) << osd << " is left";
    }
    check();
  }
  int kills() const { return m_kills; }
  int kept() const { return m_kept; }

 private:
  struct Holder {
    int osd;
    int sleeper;
    FlagNote note;
  };

  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

  void act(int what) {
    if (what < 4) make(draw(2) == 0, draw(3) == 0);
    if (what == 4) release();
    if (what == 5) clean();
    if (what == 6) set_by_another(draw(3));
    if (what == 7) unset_by_another(draw(3));
  }

  // False: the command is not carried out.
  bool gap(bool of_flag) {
    if (m_quiet) return true;
    if (m_commands_left > 0) --m_commands_left;
    if (m_commands_left == 0 && !m_killed_after) throw KilledMaker{};
    if (draw(4) == 0) set_by_another(draw(3));
    if (draw(12) == 0) unset_by_another(draw(3));
    if (m_depth < 2 && draw(4) == 0) nested();
    check();
    return !of_flag || draw(40) != 0;
  }

  // Another process from its beginning to its end, or one that stays.
  void nested() {
    const int left = m_commands_left;
    const bool after = m_killed_after;
    m_commands_left = -1;
    act(draw(6));
    m_commands_left = left;
    m_killed_after = after;
  }

  void make(bool doomed, bool stays) {
    const int sleeper = free_sleeper();
    if (sleeper < 0) return;
    ++m_depth;
    Holder maker{draw(3), sleeper, {m_sleepers[sleeper], std::to_string(++m_count)}};
    if (draw(8) == 0) maker.note.owner.boot = "elsewhere" + std::to_string(m_count);
    m_busy.insert(sleeper);
    m_commands_left = doomed ? 1 + draw(14) : -1;
    m_killed_after = draw(2) == 0;
    if (doomed) m_doomed.insert(maker.osd);
    try {
      const auto done = set_noout(m_cluster, maker.osd, maker.note);
      if (done && *done == Noout::ours && stays && !doomed) {
        m_holders.push_back(maker);
        if (m_cluster.noout.contains(maker.osd)) m_on[maker.osd] = maker.note.since;
        --m_depth;
        return;
      }
      if (done && *done == Noout::ours) (void)unset_noout(m_cluster, maker.osd, maker.note);
      if (done && *done == Noout::there) ++m_kept;
    } catch (const KilledMaker&) {
      ++m_kills;
    }
    m_commands_left = -1;
    if (doomed) m_doomed.erase(m_doomed.find(maker.osd));
    bury(maker);
    --m_depth;
  }

  void release() {
    if (m_holders.empty()) return;
    const Holder holder = m_holders.back();
    m_holders.pop_back();
    m_on.erase(holder.osd);
    ++m_depth;
    (void)unset_noout(m_cluster, holder.osd, holder.note);
    --m_depth;
    bury(holder);
  }

  void clean() {
    std::map<int, std::string> on = m_on;
    std::erase_if(on, [this](const auto& one) { return !m_cluster.noout.contains(one.first); });
    ++m_depth;
    ++m_cleaning;
    (void)remove_flags(m_cluster, {});
    --m_cleaning;
    --m_depth;
    for (const auto& [osd, since] : on) {
      const auto now = m_on.find(osd);
      if (now == m_on.end() || now->second != since) continue;
      EXPECT_TRUE(m_cluster.noout.contains(osd)) << "a live process lost the flag of osd." << osd;
    }
  }

  // The process has ended: another one may get its pid, but not its start.
  void bury(const Holder& maker) {
    m_busy.erase(maker.sleeper);
    const Owner& owner = maker.note.owner;
    std::map<std::string, std::string> keys;
    for (const auto& [key, text] : m_cluster.keys) {
      auto note = nlohmann::json::parse(text);
      if (note["since"] != maker.note.since) {
        keys[key] = text;
        continue;
      }
      note["started_ticks"] = owner.started_ticks + 1000000 + static_cast<std::uint64_t>(m_count);
      keys[key + "." + std::to_string(m_count)] = note.dump();
    }
    m_cluster.keys = std::move(keys);
  }

  int free_sleeper() const {
    for (int one = 0; one < Sleepers::count; ++one) {
      if (!m_busy.contains(one)) return one;
    }
    return -1;
  }

  void set_by_another(int osd) {
    // Against a kill between the look and what follows from it, and against a cleanup between the
    // two, no order of commands would help.
    const bool clear = !m_cluster.noted(osd) && !m_doomed.contains(osd) && m_cleaning == 0;
    if (m_cluster.noout.insert(osd).second) (clear ? m_foreign : m_doubtful).insert(osd);
  }
  void unset_by_another(int osd) {
    m_cluster.noout.erase(osd);
    m_foreign.erase(osd);
    m_doubtful.erase(osd);
    m_on.erase(osd);
  }

  void check() {
    for (const int osd : m_foreign) {
      ASSERT_TRUE(m_cluster.noout.contains(osd))
          << "the flag of osd." << osd << " was there before, and is gone";
    }
    std::erase_if(m_doubtful, [this](int osd) { return !m_cluster.noout.contains(osd); });
  }

  std::mt19937_64 m_random;
  const Sleepers& m_sleepers;
  ModelOsds m_cluster;
  std::vector<Holder> m_holders;
  std::set<int> m_busy;             // sleepers that are owners now
  std::set<int> m_foreign;          // flags that were there before, by other clients
  std::set<int> m_doubtful;         // set by other clients while a note of ours was there
  std::multiset<int> m_doomed;      // OSDs of makers that will be killed
  std::map<int, std::string> m_on;  // flags of live processes: since when
  int m_cleaning = 0;
  bool m_quiet = false;
  bool m_killed_after = false;
  int m_commands_left = -1;
  int m_depth = 0;
  int m_count = 0;
  int m_kills = 0;
  int m_kept = 0;
};

TEST(FlagsModel, ForeignAndLiveFlagsStay_FlagsOfEndedProcessesAreRemoved) {
  const Sleepers sleepers;
  int kills = 0;
  int kept = 0;
  testing::for_each_model_seed(1500, [&](std::uint64_t seed) {
    FlagsModel model(seed, sleepers);
    for (int i = 0; i < 12 && !::testing::Test::HasFailure(); ++i) model.step();
    model.finish();
    kills += model.kills();
    kept += model.kept();
  });
  EXPECT_GT(kills, 0);
  EXPECT_GT(kept, 0);
}

}  // namespace
}  // namespace radosload::footprint
