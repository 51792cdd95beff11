#include "session/documents.h"

#include <exception>
#include <utility>
#include <vector>

#include "base/json_reading.h"
#include "plan/differences.h"
#include "plan/plan_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::session {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view session_schema = "radosload.session/1";

std::string document_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename Value, typename Read>
Result<Value> read_document(std::string_view text, const char* what, Read&& read) {
  RADOSLOAD_ASSIGN(const auto json, read_ordered_json(text));
  try {
    return read(json);
  } catch (const std::exception& error) {
    return fail({.attempt = "read", .subject = what, .reason = error.what()});
  }
}

Step step_from(const Json& json) {
  for (auto step = Step::gather; step <= Step::over;
       step = static_cast<Step>(static_cast<std::uint8_t>(step) + 1)) {
    if (json.get<std::string>() == step_name(step)) return step;
  }
  throw std::runtime_error("it names a step that is none");
}

Json joint_json(const JointRates& joint) {
  return {{"members", joint.members},
          {"ops", joint.all.ops},
          {"bytes", joint.all.bytes},
          {"lowest", joint.lowest},
          {"lowest_ops", joint.lowest_ops}};
}

JointRates joint_from(const Json& json) {
  return {.members = json.at("members").get<std::uint64_t>(),
          .all = {.ops = json.at("ops").get<std::uint64_t>(),
                  .bytes = json.at("bytes").get<std::uint64_t>()},
          .lowest = json.at("lowest").get<std::string>(),
          .lowest_ops = json.at("lowest_ops").get<std::uint64_t>()};
}

}  // namespace

std::string encode(const Charter& charter) {
  RunPlan plan = charter.plan;
  plan.cluster = {};
  return document_text({{"schema", session_schema},
                        {"run", charter.run},
                        {"program", charter.program},
                        {"fsid", charter.fsid},
                        {"shards", charter.shards},
                        {"plan", plan::plan_json(plan)}});
}

Result<Charter> decode_charter(std::string_view text) {
  return read_document<Charter>(text, "what the session is",
                                [](const Json& json) -> Result<Charter> {
                                  if (json.at("schema") != session_schema)
                                    throw std::runtime_error("it has another schema");
                                  RADOSLOAD_ASSIGN(auto plan, plan::plan_from(json.at("plan")));
                                  // A shell command comes from this machine's user only.
                                  plan.power = {};
                                  return Charter{.run = json.at("run").get<std::string>(),
                                                 .program = json.at("program").get<std::string>(),
                                                 .fsid = json.at("fsid").get<std::string>(),
                                                 .plan = std::move(plan),
                                                 .shards = json.at("shards").get<std::uint32_t>()};
                                });
}

std::string encode(const State& state) {
  Json lost = Json::array();
  for (const Loss& loss : state.lost) {
    lost.push_back(
        {{"member", loss.member}, {"step", step_name(loss.step)}, {"reason", loss.reason}});
  }
  return document_text({{"serial", state.serial},
                        {"term", state.term},
                        {"leader", state.leader},
                        {"step", step_name(state.step)},
                        {"roster", state.roster},
                        {"lost", std::move(lost)},
                        {"called_off", state.called_off},
                        {"ended", state.ended},
                        {"start_ns", state.start.count()},
                        {"start_term", state.start_term},
                        {"waits_for", state.waits_for},
                        {"joint", joint_json(state.joint)}});
}

Result<State> decode_state(std::string_view text) {
  return read_document<State>(text, "the state of the session", [](const Json& json) {
    State state{.serial = json.at("serial").get<std::uint64_t>(),
                .term = json.at("term").get<std::uint64_t>(),
                .leader = json.at("leader").get<std::string>(),
                .step = step_from(json.at("step")),
                .roster = json.at("roster").get<std::vector<MemberId>>(),
                .lost = {},
                .called_off = json.at("called_off").get<bool>(),
                .ended = json.at("ended").get<std::string>(),
                .start = Time(json.at("start_ns").get<std::int64_t>()),
                .start_term = json.at("start_term").get<std::uint64_t>(),
                .waits_for = json.at("waits_for").get<std::string>(),
                .joint = joint_from(json.at("joint"))};
    for (const Json& loss : json.at("lost")) {
      state.lost.push_back({.member = loss.at("member").get<std::string>(),
                            .step = step_from(loss.at("step")),
                            .reason = loss.at("reason").get<std::string>()});
    }
    return state;
  });
}

std::string encode(const Entry& entry) {
  Json json = {{"id", entry.id},
               {"who", entry.who},
               {"beat", entry.beat},
               {"done", step_name(entry.done)},
               {"progress", entry.progress},
               {"ops", entry.rates.ops},
               {"bytes", entry.rates.bytes},
               {"clock_term", entry.clock_term},
               {"chunks", entry.chunks},
               {"clock_bound_ns", entry.clock_bound.count()},
               {"wants_end", entry.wants_end},
               {"leaves", entry.leaves},
               {"failed", entry.failed}};
  if (entry.start_delay) json["start_delay_ns"] = entry.start_delay->count();
  return document_text(json);
}

Result<Entry> decode_entry(std::string_view text) {
  return read_document<Entry>(text, "what a member tells of itself", [](const Json& json) {
    Entry entry{.id = json.at("id").get<std::string>(),
                .who = json.at("who").get<std::string>(),
                .beat = json.at("beat").get<std::uint64_t>(),
                .done = step_from(json.at("done")),
                .progress = json.at("progress").get<std::uint64_t>(),
                .rates = {.ops = json.at("ops").get<std::uint64_t>(),
                          .bytes = json.at("bytes").get<std::uint64_t>()},
                .clock_term = json.at("clock_term").get<std::uint64_t>(),
                .chunks = json.at("chunks").get<std::uint64_t>(),
                .start_delay = {},
                .clock_bound = Time(json.at("clock_bound_ns").get<std::int64_t>()),
                .wants_end = json.at("wants_end").get<std::string>(),
                .leaves = json.at("leaves").get<bool>(),
                .failed = json.at("failed").get<std::string>()};
    if (json.contains("start_delay_ns")) {
      entry.start_delay = Time(json.at("start_delay_ns").get<std::int64_t>());
    }
    return entry;
  });
}

std::string misfit(const Charter& charter, const std::string& program, const std::string& fsid,
                   const RunPlan* plan) {
  if (charter.fsid != fsid) {
    return fmt::format("it belongs to cluster {}, but this is cluster {}", charter.fsid, fsid);
  }
  if (charter.program != program) {
    return fmt::format("its members run {}, but this is {}", charter.program, program);
  }
  if (plan == nullptr) return {};
  RunPlan mine = *plan;
  RunPlan its = charter.plan;
  if (mine.seed == 0) mine.seed = its.seed;  // the session has not drawn its seed yet
  const auto different = plan::differences({&its, &mine});
  if (different.empty()) return {};
  return fmt::format("it has --{} {}, but this is --{} {}", different.front().option,
                     different.front().values.at(0), different.front().option,
                     different.front().values.at(1));
}

}  // namespace radosload::session
