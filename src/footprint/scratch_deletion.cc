// Removing one scratch pool, after a check that it is still the one that was found.

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "footprint/scratch.h"
#include "footprint/scratch_commands.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

std::string changed(const std::string& name) {
  return fmt::format("{} changed during its removal: another client is working on it", name);
}

class Deletion {
 public:
  Deletion(AdminCommands& commands, const ScratchFound& found, const ScratchInUse& in_use)
      : m_commands(commands),
        m_found(found),
        m_in_use(in_use),
        m_name(found.name),
        m_rule(found.rule) {}

  Result<std::string> run() {
    RADOSLOAD_ASSIGN(const auto now, find_again(m_found.name));
    if (!now || !unchanged(m_found, *now)) return changed(m_found.name);
    if (m_found.pool >= 0) {
      auto left = remove_pool();
      if (!left || !left->empty()) return left;
    }
    if (Status done = remove_rule(); !done) return fail(done.error());
    return check_gone();
  }

 private:
  Status tell(const std::string& command, const std::string& attempt) {
    return tell_mons(m_commands, command, attempt);
  }

  // The scratch pool, or the rule without one, that has that name now.
  Result<std::optional<ScratchFound>> find_again(const std::string& name) {
    RADOSLOAD_ASSIGN(const auto view, fetch_scratch(m_commands));
    for (ScratchFound& one : find_scratch(view)) {
      const bool same_kind = (one.pool >= 0) == (m_found.pool >= 0);
      if (one.name == name && same_kind) return std::optional(std::move(one));
    }
    return std::optional<ScratchFound>();
  }

  Result<std::string> remove_pool() {
    if (!is_ours_alone(m_name)) {
      auto aside = put_aside();
      if (!aside || !aside->empty()) return aside;
    }
    const auto use = m_in_use ? m_in_use(m_name) : Result<std::string>();
    const std::string kept =
        use ? *use : fmt::format("its objects could not be listed: {}", use.error().message());
    if (!kept.empty()) return put_back(kept);
    put_rule_aside();
    Status done = tell(pool_removal(m_name), "remove the pool " + m_found.name);
    if (done || done.error().errnum == ENOENT) return std::string();
    Error error = std::move(done).error();
    if (error.errnum == EPERM) {
      error.hint =
          "allow it with 'ceph config set mon mon_allow_pool_delete true', try again, and set it "
          "to "
          "false afterwards";
    }
    auto back = put_back("");
    give_rule_back();
    if (!back) return back;
    return fail(std::move(error));
  }

  // Renames the pool; if what has the new name then is another pool, that had taken the old one at
  // this very moment, it gets it back.
  Result<std::string> put_aside() {
    const std::string aside = leaving_name(m_found.name, m_found.pool);
    if (Status done = tell(pool_renaming(m_name, aside), "put the pool aside"); !done) {
      return fail(done.error());
    }
    m_name = aside;
    const auto now = find_again(aside);
    if (!now) return put_back_for(now.error());
    ScratchFound expected = m_found;
    expected.name = aside;
    if (*now && unchanged(expected, **now)) return std::string();
    return put_back(changed(m_found.name));
  }

  Result<std::string> put_back(const std::string& why) {
    if (m_name == m_found.name) return why;
    Status done =
        tell(pool_renaming(m_name, m_found.name), fmt::format("give {} its name back", m_name));
    if (done) return why;
    Error error = std::move(done).error();
    error.hint = fmt::format("ceph osd pool rename {} {}", m_name, m_found.name);
    return fail(std::move(error));
  }

  Result<std::string> put_back_for(const Error& error) {
    auto back = put_back("");
    return back ? fail(error) : back;
  }

  // If this process is killed between the pool and the rule, the rule's name must still say whose
  // it is. As well as it goes: without that name it is removed, too.
  void put_rule_aside() {
    if (m_rule.empty() || is_ours_alone(m_rule)) return;
    const std::string aside = leaving_name(m_rule, m_found.rule_id);
    if (!tell(rule_renaming(m_rule, aside), "put the rule aside")) return;
    m_rule = aside;
    const auto view = fetch_scratch(m_commands);
    if (!view) return;
    // Another rule may have taken its name at this very moment.
    const RuleSeen* const rule = view->rule(aside);
    if (rule != nullptr && rule->id != m_found.rule_id) give_rule_back();
  }

  // As well as it goes; the next removal finds it.
  void give_rule_back() {
    if (m_rule == m_found.rule) return;
    (void)tell(rule_renaming(m_rule, m_found.rule), "give the rule its name back");
    m_rule = m_found.rule;
  }

  Status remove_rule() {
    if (m_rule.empty()) return {};
    RADOSLOAD_ASSIGN(const auto view, fetch_scratch(m_commands));
    const RuleSeen* const rule = view.rule(m_rule);
    if (rule == nullptr || rule->id != m_found.rule_id) return {};
    const bool used =
        std::any_of(view.map.pools.begin(), view.map.pools.end(),
                    [&](const placement::Pool& pool) { return pool.crush_rule == rule->id; });
    if (used) {  // by another pool, whose it is then
      give_rule_back();
      return {};
    }
    Status done = tell(rule_removal(m_rule), "remove the CRUSH rule " + m_found.rule);
    return done || done.error().errnum == ENOENT ? Status() : done;
  }

  Result<std::string> check_gone() {
    RADOSLOAD_ASSIGN(const auto view, fetch_scratch(m_commands));
    const bool pool_left = std::any_of(
        view.map.pools.begin(), view.map.pools.end(),
        [&](const placement::Pool& pool) { return m_found.pool >= 0 && pool.id == m_found.pool; });
    const std::size_t upmaps = m_found.pool >= 0 ? view.upmaps_of(m_found.pool) : 0;
    if (!pool_left && upmaps == 0) return std::string();
    return fail(
        {.attempt = "remove the scratch pool",
         .subject = m_found.name,
         .reason = fmt::format("the mons accepted the removal, but {}",
                               pool_left ? "the pool still exists"
                                         : fmt::format("{} of its upmaps still exist", upmaps)),
         .exit = Exit::flawed});
  }

  AdminCommands& m_commands;
  const ScratchFound& m_found;
  const ScratchInUse& m_in_use;
  std::string m_name;  // of the pool, now
  std::string m_rule;  // of the rule, now; empty: none will be removed
};

}  // namespace

Result<std::string> delete_scratch(AdminCommands& commands, const ScratchFound& found,
                                   const ScratchInUse& in_use) {
  return Deletion(commands, found, in_use).run();
}

}  // namespace radosload::footprint
