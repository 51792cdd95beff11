#include "record/plan_codec.h"

#include <array>

#include <nlohmann/json.hpp>

namespace radosload::record {

namespace {

using PlanJson = nlohmann::json;

template <std::size_t N, typename Enum>
std::string_view name_in(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

std::string_view operation_name(const Pattern& pattern) {
  if (pattern.metadata) return op_kind_name(*pattern.metadata);
  if (!pattern.writes_data()) return op_kind_name(OpKind::read);
  return pattern.reads_data() ? "mixed" : op_kind_name(OpKind::write);
}

PlanJson pattern_json(const Pattern& pattern) {
  static constexpr std::array<std::string_view, 2> accesses = {"random", "sequential"};
  static constexpr std::array<std::string_view, 3> caches = {"warm", "bypass", "drop"};
  static constexpr std::array<std::string_view, 4> checks = {"off", "stamp", "generation", "full"};
  const bool zipf = pattern.distribution.law == Distribution::Law::zipf;
  return {{"pattern", pattern.name},
          {"op", operation_name(pattern)},
          {"read", pattern.is_data() ? PlanJson(pattern.read_percent) : PlanJson()},
          {"access", name_in(accesses, pattern.access)},
          {"dist", zipf ? "zipf" : "uniform"},
          {"theta", zipf ? PlanJson(pattern.distribution.theta) : PlanJson()},
          {"bs", option_text(pattern.block_size)},
          {"qd", pattern.queue_depth},
          {"object-size", option_text(pattern.object_size)},
          {"size", option_text(pattern.working_set)},
          {"objects", pattern.objects},
          {"flush-each-write", pattern.flush_each_write},
          {"cache", name_in(caches, pattern.cache)},
          {"verify", name_in(checks, pattern.verify)}};
}

PlanJson cluster_json(const ClusterOptions& cluster) {
  return {{"conf", cluster.conf},         {"name", cluster.name},
          {"cluster", cluster.cluster},   {"keyring", cluster.keyring},
          {"mon-host", cluster.mon_host}, {"timeout", option_text(cluster.timeout)}};
}

}  // namespace

JsonText plan_json(const RunPlan& plan) {
  static constexpr std::array<std::string_view, 4> targets = {"rados", "null", "sim", "rbd"};
  static constexpr std::array<std::string_view, 3> arrivals = {"closed", "constant", "poisson"};
  const bool open = plan.arrival.law != Arrival::Law::closed;
  PlanJson json = {{"target", name_in(targets, plan.target)},
                   {"pool", plan.pool},
                   {"namespace", plan.nspace},
                   {"image", plan.images.names},
                   {"image-namespace", plan.images.nspace},
                   {"data-pool", plan.images.data_pool},
                   {"create", option_text(plan.images.create)},
                   {"destroy-data", plan.images.destroy_data},
                   {"rbd-cache", plan.images.cache},
                   {"luks-passphrase", plan.images.passphrase_file},
                   {"osd", plan.pins.osds},
                   {"pin", plan.pins.mode == PinMode::all ? "all" : "primary"},
                   {"size-named", plan.size_named},
                   {"object-size-named", plan.object_size_named},
                   {"arrival", name_in(arrivals, plan.arrival.law)},
                   {"rate", open ? PlanJson(plan.arrival.ops_per_second) : PlanJson()},
                   {"time", option_text(plan.extent.time)},
                   {"ops", plan.extent.ops},
                   {"bytes", option_text(plan.extent.bytes)},
                   {"warmup", option_text(plan.warmup)},
                   {"drain", option_text(plan.drain)},
                   {"op-timeout", option_text(plan.op_timeout)},
                   {"clients", plan.clients},
                   {"seed", plan.seed},
                   {"sim", plan.sim},
                   {"keep", plan.keep},
                   {"reuse", plan.reuse},
                   {"allow-unhealthy", plan.allow_unhealthy},
                   {"push-through", plan.push_through},
                   {"prefill-rate", option_text(plan.prefill_rate)}};
  // Left out where there is none: series from before there were observers can be resumed.
  if (plan.observer.any()) {
    json["observer-id"] = plan.observer.id;
    json["observer-keyring"] = plan.observer.keyring;
  }
  json.update(cluster_json(plan.cluster));
  json.update(pattern_json(plan.pattern));
  // Options are text from a command line, which need not be UTF-8; then it is not worth failing.
  const auto text = JsonText::parse(json.dump(-1, ' ', false, PlanJson::error_handler_t::replace));
  return text ? *text : JsonText();
}

}  // namespace radosload::record
