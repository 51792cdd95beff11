// Plans for tests: from a few keys of their JSON, and random ones.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/patterns.h"
#include "plan/plan_codec.h"
#include "plan/warmup.h"

#include <nlohmann/json.hpp>

namespace radosload::plan::testing {

// Every key that is left out has its default.
inline RunPlan plan_of(std::string_view json) {
  auto plan = plan_from(nlohmann::ordered_json::parse(json));
  if (!plan) throw std::runtime_error(plan.error().message());
  return *std::move(plan);
}

inline rc::Gen<std::string> names() {
  return rc::gen::element<std::string>("", "a", "0-3,kind=wal", "/etc/ceph/x.conf", "client.x",
                                       "10.0.0.1:6789", "a b=\"c\"", "\u00fc");
}

inline rc::Gen<Time> times() {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000),
                      [](std::int64_t ns) { return Time(ns % 7 == 0 ? ns / 1000 * 1000 : ns); });
}

inline rc::Gen<Bytes> sizes() {
  return rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 1U << 30U),
                      [](std::uint64_t n) { return Bytes{n % 3 == 0 ? n << 20U : n}; });
}

inline rc::Gen<std::vector<std::string>> image_lists() {
  using Names = std::vector<std::string>;
  return rc::gen::elementOf(std::vector<Names>{Names{}, Names{"vm1"}, Names{"a", "b@s"}});
}

// A named pattern with values of its own for the keys that it has.
inline rc::Gen<Pattern> patterns() {
  return rc::gen::exec([] {
    const auto all = catalogue();
    Pattern pattern = all[*rc::gen::inRange<std::size_t>(0, all.size())].defaults;
    const std::vector<Setting> settings = {
        {"read", *rc::gen::element<std::string>("0", "33.3", "0.00001", "100")},
        {"bs", *rc::gen::element<std::string>("512", "4k", "1M")},
        {"qd", *rc::gen::element<std::string>("1", "77")},
        {"object-size", *rc::gen::element<std::string>("1M", "8M")},
        {"size", *rc::gen::element<std::string>("1G", "17T")},
        {"objects", *rc::gen::element<std::string>("1", "1000000")},
        {"entries", *rc::gen::element<std::string>("1", "2000")},
        {"access", *rc::gen::element<std::string>("rand", "seq")},
        {"dist", *rc::gen::element<std::string>("uniform", "zipf:1.1", "zipf:0.001")},
        {"cache", *rc::gen::element<std::string>("warm", "bypass", "drop")},
        {"dsync", *rc::gen::element<std::string>("yes", "no")},
        {"flush", *rc::gen::element<std::string>("yes", "no")},
        {"verify", *rc::gen::element<std::string>("off", "stamp", "generation", "full")}};
    for (const Setting& setting : settings) {
      const bool wanted = *rc::gen::arbitrary<bool>();
      // What means nothing to this pattern is refused, and changes nothing.
      if (wanted) static_cast<void>(apply(pattern, setting.key, setting.value));
    }
    return pattern;
  });
}

// Of any values, whether or not they contradict each other.
inline rc::Gen<RunPlan> plans() {
  return rc::gen::exec([] {
    RunPlan plan;
    plan.cluster = {.conf = *names(),
                    .name = *names(),
                    .cluster = *names(),
                    .keyring = *names(),
                    .mon_host = *names(),
                    .timeout = *times()};
    plan.target = *rc::gen::element(TargetKind::rados, TargetKind::null, TargetKind::sim,
                                    TargetKind::rbd, TargetKind::block, TargetKind::cephfs);
    plan.pool = *names();
    plan.nspace = *names();
    plan.images = {.names = *image_lists(),
                   .nspace = *names(),
                   .data_pool = *names(),
                   .create = *sizes(),
                   .destroy_data = *rc::gen::arbitrary<bool>(),
                   .cache = *rc::gen::arbitrary<bool>(),
                   .passphrase_file = *names()};
    plan.drive.path = *names();
    plan.files.system = *names();
    if (!plan.images.destroy_data) plan.drive.serial = *names();
    plan.pins = {.osds = *names(), .mode = *rc::gen::element(PinMode::primary, PinMode::all)};
    plan.observer = {.id = *names(), .keyring = *names()};
    plan.power = {.sensors = *rc::gen::element(PowerSensors::off, PowerSensors::rapl,
                                               PowerSensors::hwmon, PowerSensors::automatic),
                  .command = *names(),
                  .idle = *times()};
    plan.session = {.name = *names(),
                    .members = *rc::gen::element<std::string>("", "1", "2-2000"),
                    .wait = *times(),
                    .share = *rc::gen::element(Sharing::split, Sharing::all)};
    plan.pattern = *patterns();
    plan.size_named = *rc::gen::arbitrary<bool>();
    plan.object_size_named = *rc::gen::arbitrary<bool>();
    plan.arrival = *rc::gen::elementOf(std::vector<Arrival>{{Arrival::Law::closed, 0},
                                                            {Arrival::Law::constant, 0.001},
                                                            {Arrival::Law::poisson, 1234.5},
                                                            {Arrival::Law::constant, 1e9}});
    plan.extent = {
        .time = *times(), .ops = *rc::gen::arbitrary<std::uint64_t>(), .bytes = *sizes()};
    plan.warmup_auto = *rc::gen::arbitrary<bool>();
    plan.warmup = plan.warmup_auto ? plan::longest_auto_warmup : *times();
    plan.drain = *times();
    plan.op_timeout = *times();
    plan.clients = *rc::gen::inRange(1U, 18000U);
    plan.seed = *rc::gen::arbitrary<std::uint64_t>();
    plan.sim = *names();
    plan.slowest = *rc::gen::inRange<std::uint64_t>(0, 1001);
    plan.keep = *rc::gen::arbitrary<bool>();
    plan.reuse = *names();
    plan.allow_unhealthy = *rc::gen::arbitrary<bool>();
    plan.push_through = *rc::gen::arbitrary<bool>();
    plan.prefill_rate = *sizes();
    plan.labels = *rc::gen::elementOf(
        std::vector<Labels>{{}, {{"rack", "3"}}, {{"a.b-c_D", "x=y \u00fc"}, {"host", "n1"}}});
    return plan;
  });
}

}  // namespace radosload::plan::testing
