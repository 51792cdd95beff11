#include "support/scenario.h"

#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "placement/object_hash.h"
#include "plan/options.h"
#include "prepare/engine_plan.h"
#include "prepare/inactive_pgs.h"
#include "prepare/pinning.h"
#include "run/pass_runner.h"
#include "run/recording.h"
#include "support/asked_session.h"
#include "watch/stuck_op_locator.h"

#include <fmt/format.h>

namespace radosload::test {

namespace {

constexpr const char* run_id = "20261128-120000-fade";

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return *std::move(result);
}

void must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message());
}

// "--time 60 --push-through": a switch is followed by another option, or by nothing.
RunPlan plan_from(const std::string& words) {
  RunPlan plan;
  plan.pool = SimulatedCluster::pool_name;
  plan.warmup = Time(0);
  plan.seed = 1;
  std::istringstream given(words);
  for (std::string name; given >> name;) {
    const plan::Option* const option = plan::find_option(name.substr(2));
    if (option == nullptr) throw std::runtime_error("there is no option " + name);
    std::string value = "yes";
    if (option->form() != plan::Form::flag) given >> value;
    must(plan::set_option(*option, plan, value));
  }
  return plan;
}

prepare::ClusterSession session_with(SimulatedCluster& cluster, const RunPlan& plan,
                                     bool observed) {
  auto admin = cluster.connect();
  auto session = session_on(*admin, plan);
  session.admin = std::move(admin);
  if (observed) session.observer = cluster.connect();
  session.unsampled = "there are no clients";
  session.instances = {1};
  return session;
}

}  // namespace

std::map<std::string, std::uint64_t> Played::errors() const {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [rc, count] : total().errors) counts[rc_name(rc)] = count;
  return counts;
}

std::vector<std::string> Played::events(const std::string& kind) const {
  std::vector<std::string> texts;
  for (const record::Event& event : record.events) {
    if (event.kind == kind) texts.push_back(event.text);
  }
  return texts;
}

Scenario::Scenario(const std::string& words, Options options)
    : m_plan(plan_from(words)),
      m_options(options),
      m_cluster(options.shape),
      m_interrupts(std::make_unique<base::Interrupts>([] {})) {
  const std::uint64_t stamp = workload::stamp_id(run_id);
  std::optional<workload::Payload> content;
  if (options.keeps_content) content.emplace(stamp, workload::Writer{.id = stamp});
  m_target = std::make_unique<FaultyTarget>(options.latency, content);
  m_target->on_served = [this](const Op& op) { m_cluster.osd_serves(op.osd); };
  m_target->time_out_after(m_plan.op_timeout);
}

// Operations that were never answered refer to their target and its loops for ever, as in the
// program, which then leaves without destroying them.
Scenario::~Scenario() {
  if (run::abandoned_passes() == m_abandoned_before) return;
  struct LeftBehind {
    std::unique_ptr<FaultyTarget> target;
    std::vector<std::unique_ptr<engine::SimLoop>> loops;
  };
  static auto& left_behind = *new std::vector<LeftBehind>();
  left_behind.push_back({.target = std::move(m_target), .loops = std::move(m_loops)});
}

void Scenario::before(const Happening& happening) {
  Stricken all{m_cluster, *m_target, *m_interrupts};
  happening(all);
}

prepare::ObjectNaming Scenario::names() const {
  placement::ObjectHash hash(m_plan.nspace, m_session.space.pool.pg_num);
  return {.name_of = [](std::uint64_t object) { return fmt::format("object.{:016x}", object); },
          .prefixes = {"object."},
          .pool = m_session.space.pool.id,
          .nspace = m_plan.nspace,
          .pg_of = [hash](const std::string& name) mutable { return hash(name); }};
}

Status Scenario::place(engine::EnginePlan& load, const prepare::ObjectNaming& names,
                       std::shared_ptr<ObjectPlacement>& locations) const {
  prepare::Picked picked;
  if (m_plan.pins.any()) {
    RADOSLOAD_ASSIGN(picked, prepare::pick_objects(m_plan, m_session, load.layout, names, 0));
    load.layout.objects = picked.numbers.size();
  }
  locations = prepare::locate_objects(m_session, load.layout, names, picked.numbers);
  load.layout.locations = locations;
  return {};
}

// Time stands still while a question is under way, so that each has its answer by the next second.
Result<run::PassEnd> Scenario::conduct(run::Pass pass, std::uint32_t lanes, watch::RunWatch& watch,
                                       Told& told) {
  engine::SimLoop& loop = *m_loops.emplace_back(std::make_unique<engine::SimLoop>());
  m_target->begin_on(loop);
  for (const auto& [time, happening] : pass.plan.prefill ? m_in_prefill : m_in_load) {
    loop.at(time, [this, happening = happening] { before(happening); });
  }
  const auto await_answers = [&watch] {
    // Time: between two looks; the virtual clock stands still.
    while (watch.waiting()) std::this_thread::sleep_for(std::chrono::microseconds(50));
  };
  pass.health = [=, health = pass.health](Time now, Time oldest) {
    auto finding = health(now, oldest);
    await_answers();
    return finding;
  };
  pass.on_phase = [=, on_phase = pass.on_phase](Phase phase, Time now) {
    on_phase(phase, now);
    await_answers();
  };
  const run::Stage stage{.control = &loop, .lanes = std::vector<Loop*>(lanes, &loop)};
  return run::run_pass(std::move(pass), *m_target, stage, *m_interrupts, told);
}

Result<run::RunResult> Scenario::run(Told& told) {
  m_session = session_with(m_cluster, m_plan, m_options.observed);
  RADOSLOAD_TRY(prepare::check_health(m_plan, m_session));
  RADOSLOAD_TRY(prepare::check_pgs(m_plan, m_session));
  RADOSLOAD_ASSIGN(auto load, prepare::engine_plan_for(m_plan, {}, m_session.pinned));
  const auto naming = names();
  std::shared_ptr<ObjectPlacement> locations;
  RADOSLOAD_TRY(place(load, naming, locations));
  if (m_options.keeps_content) {
    const std::uint64_t stamp = workload::stamp_id(run_id);
    load.payload.emplace(stamp, workload::Writer{.id = stamp});
  }
  const watch::StuckOpLocator locate_stuck(m_session, naming);
  watch::RunWatch watch(m_session, naming, locations);
  run::PowerWatch power(m_plan.power);
  const run::PassRunner runner{
      .plan = m_plan,
      .names = naming,
      .locate_stuck = locate_stuck,
      .watch = watch,
      .power = power,
      .interrupts = *m_interrupts,
      .listener = told,
      .conduct = [&](run::Pass pass,
                     std::uint32_t lanes) { return conduct(std::move(pass), lanes, watch, told); },
      .gone_pools =
          [this] {
            return m_cluster.has_pool() ? std::set<std::string>() : std::set{m_plan.pool};
          }};
  RADOSLOAD_TRY(runner.write_objects(load));
  const run::OutputOptions output;
  run::Recording recording(m_plan, prepare::header_for(m_plan, "test", run_id, {}), output, told);
  return runner.measure(std::move(load), recording);
}

Played Scenario::play() {
  Told told;
  auto result = run(told);
  Played played;
  if (result) {
    played.exit = result->exit;
    played.record = std::move(result->record);
  } else {
    played.exit = result.error().exit;
    played.error = result.error().message();
  }
  played.notes = std::move(told.notes);
  played.stuck = std::move(told.stuck);
  m_in_prefill.clear();
  m_in_load.clear();
  return played;
}

}  // namespace radosload::test
