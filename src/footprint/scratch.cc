#include "footprint/scratch.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "footprint/scratch_commands.h"
#include "observe/fetch_osd_map.h"
#include "observe/space.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

constexpr std::chrono::seconds between_looks(1);

// One attempt, step by step: rule, pool, mark, weights, upmaps, waiting, name. In this order
// a killed process leaves only what find_scratch() finds.
class Maker {
 public:
  Maker(AdminCommands& commands, const ScratchPlan& plan, const ScratchMaking& making,
        const ScratchHooks& hooks)
      : m_commands(commands),
        m_plan(plan),
        m_making(making),
        m_hooks(hooks),
        m_name(making_name(plan.name, making.mark)) {}

  Result<std::int64_t> run() {
    Status done = make();
    if (done) return m_pool;
    return fail(undone(std::move(done).error()));
  }

 private:
  Status make() {
    const auto steps = {&Maker::make_rule,  &Maker::make_pool, &Maker::check_pool, &Maker::put_mark,
                        &Maker::make_small, &Maker::note_osds, &Maker::steer,      &Maker::bind,
                        &Maker::await,      &Maker::finish,    &Maker::name};
    for (const auto step : steps) {
      if (m_hooks.interrupted()) return fail(interruption());
      if (Status done = (this->*step)(); !done) return done;
    }
    return {};
  }

  Status tell(const std::string& command, const std::string& attempt) {
    return tell_mons(m_commands, command, attempt);
  }

  static Error interruption() {
    return {.attempt = "make the scratch pool", .reason = "interrupted", .exit = Exit::interrupted};
  }

  Status make_rule() {
    m_hooks.step("its CRUSH rule");
    m_begun = true;
    return tell(rule_command(m_name, m_plan.take), "make the CRUSH rule " + m_name);
  }

  Status make_pool() {
    m_hooks.step("creating the pool");
    return tell(pool_command(m_name, static_cast<std::uint32_t>(m_plan.locations.size())),
                "make the pool " + m_name);
  }

  // `osd pool create` says nothing when there is one already, and a mark is put by name: so the
  // pool is looked at before. Only with our rule, unmarked and of our size it is the one just made.
  Status check_pool() {
    RADOSLOAD_ASSIGN(const auto view, fetch_scratch(m_commands));
    const auto found = find_scratch(view);
    const auto ours = std::find_if(found.begin(), found.end(), [&](const ScratchFound& one) {
      return one.name == m_name && one.pool >= 0;
    });
    if (ours == found.end() || ours->state != ScratchFound::State::unmarked ||
        ours->pg_num != m_plan.locations.size()) {
      m_begun = false;
      return fail({.attempt = "make the pool",
                   .subject = m_plan.name,
                   .reason = "another client created or removed it at the same time",
                   .hint = "radosload leaves it as it is; 'radosload scratch list' shows the pools",
                   .exit = Exit::refused});
    }
    m_pool = ours->pool;
    m_size = ours->size;
    return {};
  }

  Status put_mark() {
    const std::string attempt = "mark the pool as radosload's";
    if (Status done = tell(application_command(m_name), attempt); !done) return done;
    return tell(metadata_command(m_name, scratch_key, encode_mark(m_making.mark)), attempt);
  }

  // Some releases make size 1 of no pool at once.
  Status make_small() {
    if (m_size == 1) return {};
    return tell(pool_setting(m_name, "size", "1"), "set the pool's size to 1");
  }

  Status note_osds() {
    const std::string osds = osds_noted(m_plan.osds);
    if (osds.empty()) return {};
    return tell(metadata_command(m_name, scratch_osds_key, osds), "note the pool's OSDs");
  }

  Status steer() {
    if (!m_plan.others) return {};
    m_hooks.step("its CRUSH weights");
    const std::string attempt = "give the pool CRUSH weights of its own";
    Status done = tell(weight_set_command(m_name), attempt);
    for (const std::int32_t osd : m_plan.osds) {
      if (!done) return done;
      done = tell(weightless_command(m_name, osd), attempt);
    }
    return done;
  }

  Status bind() {
    m_hooks.step("binding its PGs to their OSDs");
    for (std::uint32_t pg = 0; pg < m_plan.locations.size(); ++pg) {
      if (m_hooks.interrupted()) return fail(interruption());
      m_hooks.progress(fmt::format("PG {} of {}", pg + 1, m_plan.locations.size()));
      const std::int32_t osd = m_plan.locations[pg];
      Status done = tell(upmap_command(m_pool, pg, osd),
                         fmt::format("bind PG {}.{:x} to osd.{}", m_pool, pg, osd));
      if (!done) return done;
    }
    return {};
  }

  Status await() {
    m_hooks.step("waiting for its PGs");
    const Time deadline = m_hooks.now() + m_making.limit;
    for (;;) {
      const auto pgs = observe::fetch_pgs(m_commands, m_pool);
      const auto settled = pgs ? placement::settled(*pgs, m_pool, m_plan.locations)
                               : placement::Settled{.waiting = pgs.error().message()};
      if (settled.waiting.empty()) return {};
      if (m_hooks.interrupted()) return fail(interruption());
      if (m_hooks.now() >= deadline) {
        return fail(
            {.attempt = "bind the pool to its OSDs",
             .reason =
                 fmt::format("{} of {} PGs are on their OSDs after {}: {}", settled.pgs,
                             m_plan.locations.size(), human_text(m_making.limit), settled.waiting),
             .hint = "check the cluster with 'radosload status', or wait longer with --wait TIME",
             .exit = Exit::flawed});
      }
      m_hooks.progress(fmt::format("{} of {} PGs are on their OSDs; {}", settled.pgs,
                                   m_plan.locations.size(), settled.waiting));
      m_hooks.sleep(between_looks);
    }
  }

  Status finish() {
    ScratchMark mark = m_making.mark;
    mark.ready = true;
    return tell(metadata_command(m_name, scratch_key, encode_mark(mark)), "mark the pool as ready");
  }

  // The rule first: no other client removes the pool while it has the name of its creation, and a
  // rule with its final name and no pool does not show who created it.
  Status name() {
    // A rule that another create left may have the name. The pool's metadata shows its owner
    // anyway.
    (void)tell(rule_renaming(m_name, m_plan.name), "give the rule its name");
    return tell(pool_renaming(m_name, m_plan.name), "give the pool its name");
  }

  // Whether a command that failed was carried out all the same is not known, so what to remove is
  // looked up.
  Error undone(Error error) {
    if (!m_begun) return error;
    m_hooks.step("removing what was created so far");
    const std::string left = take_back();
    if (!error.hint.empty()) error.hint += "\n  ";
    error.hint +=
        left.empty()
            ? "radosload has removed what it had created"
            : fmt::format(
                  "parts of {} may be left ({}): 'radosload cleanup --scratch' removes them",
                  m_plan.name, left);
    return error;
  }

  // Why something is left; empty when nothing is.
  std::string take_back() {
    const auto view = fetch_scratch(m_commands);
    if (!view) return view.error().message();
    for (const ScratchFound& found : find_scratch(*view)) {
      // By a unique name, or the id of the pool that was made.
      const bool made_here = found.name == m_name || (m_pool >= 0 && found.pool == m_pool);
      if (!made_here) continue;
      const auto gone = delete_scratch(m_commands, found, {});
      if (!gone) return gone.error().message();
      if (!gone->empty()) return *gone;
    }
    return {};
  }

  AdminCommands& m_commands;
  const ScratchPlan& m_plan;
  const ScratchMaking& m_making;
  const ScratchHooks& m_hooks;
  const std::string m_name;  // of pool and rule, until it is made
  std::int64_t m_pool = -1;
  std::uint32_t m_size = 0;
  bool m_begun = false;  // something of it may be there
};

}  // namespace

Result<std::int64_t> make_scratch(AdminCommands& commands, const ScratchPlan& plan,
                                  const ScratchMaking& making, const ScratchHooks& hooks) {
  return Maker(commands, plan, making, hooks).run();
}

Result<ScratchView> fetch_scratch(AdminCommands& commands) {
  ScratchView view;
  RADOSLOAD_ASSIGN(view.map, observe::fetch_osd_map(commands));
  RADOSLOAD_ASSIGN(const auto rules,
                   commands.mon(R"({"prefix": "osd crush rule dump", "format": "json"})"));
  RADOSLOAD_ASSIGN(view.rules, parse_crush_rules(rules));
  return view;
}

}  // namespace radosload::footprint
