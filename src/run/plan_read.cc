#include "run/plan_read.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/patterns.h"
#include "record/plan_codec.h"

#include <fmt/format.h>

namespace radosload::run {

using record::JsonText;

namespace {

Error unreadable(std::string reason) {
  return Error{.attempt = "read the recorded plan",
               .reason = std::move(reason),
               .hint = "give all options of the run again",
               .exit = Exit::usage};
}

// Reads one option after the other and keeps the first thing that is wrong.
class Reader {
 public:
  explicit Reader(const JsonText& plan) : m_plan(plan) {}

  std::string text(const char* key) const { return m_plan.text_at(key); }
  std::vector<std::string> list(const char* key) const {
    std::vector<std::string> items;
    for (;;) {
      std::string item = m_plan.text_at(fmt::format("{}/{}", key, items.size()));
      if (item.empty()) return items;
      items.push_back(std::move(item));
    }
  }
  bool flag(const char* key) const { return text(key) == "true"; }
  template <typename Value>
  Value parsed(const char* key, Result<Value> (*parse)(std::string_view)) {
    auto value = parse(text(key));
    if (value) return *std::move(value);
    if (!m_wrong) m_wrong = unreadable(fmt::format("{} is '{}'", key, text(key)));
    return {};
  }
  template <typename Enum, std::size_t N>
  Enum named(const char* key, const std::array<std::string_view, N>& names) {
    for (std::size_t i = 0; i < N; ++i) {
      if (names.at(i) == text(key)) return static_cast<Enum>(i);
    }
    if (!m_wrong) m_wrong = unreadable(fmt::format("{} is '{}'", key, text(key)));
    return {};
  }
  const std::optional<Error>& wrong() const { return m_wrong; }

 private:
  const JsonText& m_plan;
  std::optional<Error> m_wrong;
};

std::string yes_no(const Reader& plan, const char* key) {
  return plan.flag(key) ? "yes" : "no";
}

// As the pattern language writes it; a record has some of them in other words.
std::string key_value(const Reader& plan, const std::string& key) {
  if (key == "access") return plan.text("access") == "sequential" ? "seq" : "rand";
  if (key == "flush") return yes_no(plan, "flush-each-write");
  if (key == "dist" && plan.text("dist") == "zipf") return "zipf:" + plan.text("theta");
  return plan.text(key.c_str());
}

Result<Pattern> pattern_from(const Reader& plan) {
  auto plain = plan::parse_pattern(plan.text("pattern"));
  if (!plain) return plain;
  std::vector<plan::Setting> settings;
  for (const plan::Setting& key : plan::describe(*plain)) {
    if (key.key != "pattern") settings.push_back({key.key, key_value(plan, key.key)});
  }
  return plan::parse_pattern(plan.text("pattern"), settings);
}

ClusterOptions cluster_from(Reader& plan) {
  return {.conf = plan.text("conf"),
          .name = plan.text("name"),
          .cluster = plan.text("cluster"),
          .keyring = plan.text("keyring"),
          .mon_host = plan.text("mon-host"),
          .timeout = plan.parsed("timeout", parse_duration)};
}

ImagePlan images_from(Reader& plan) {
  ImagePlan images;
  images.names = plan.list("image");
  images.nspace = plan.text("image-namespace");
  images.data_pool = plan.text("data-pool");
  images.create = plan.parsed("create", parse_bytes);
  images.destroy_data = plan.flag("destroy-data");
  images.cache = plan.flag("rbd-cache");
  images.passphrase_file = plan.text("luks-passphrase");
  return images;
}

}  // namespace

Result<RunPlan> plan_from(const JsonText& recorded) {
  static constexpr std::array<std::string_view, 4> targets = {"rados", "null", "sim", "rbd"};
  static constexpr std::array<std::string_view, 3> laws = {"closed", "constant", "poisson"};
  Reader reader(recorded);
  auto pattern = pattern_from(reader);
  if (!pattern) return fail(unreadable(pattern.error().message()));
  RunPlan plan;
  plan.cluster = cluster_from(reader);
  plan.target = reader.named<TargetKind>("target", targets);
  plan.pool = reader.text("pool");
  plan.nspace = reader.text("namespace");
  plan.images = images_from(reader);
  plan.pins = {.osds = reader.text("osd"),
               .mode = reader.text("pin") == "all" ? PinMode::all : PinMode::primary};
  plan.observer = {.id = reader.text("observer-id"), .keyring = reader.text("observer-keyring")};
  plan.size_named = reader.flag("size-named");
  plan.object_size_named = reader.flag("object-size-named");
  plan.pattern = *std::move(pattern);
  plan.arrival = {.law = reader.named<Arrival::Law>("arrival", laws),
                  .ops_per_second = recorded.number_at("rate").value_or(0)};
  plan.extent = {.time = reader.parsed("time", parse_duration),
                 .ops = reader.parsed("ops", parse_count),
                 .bytes = reader.parsed("bytes", parse_bytes)};
  plan.warmup = reader.parsed("warmup", parse_duration);
  plan.drain = reader.parsed("drain", parse_duration);
  plan.op_timeout = reader.parsed("op-timeout", parse_duration);
  const std::uint64_t clients = reader.parsed("clients", parse_count);
  if (clients > std::numeric_limits<std::uint32_t>::max()) return fail(unreadable("clients"));
  plan.clients = static_cast<std::uint32_t>(clients);
  plan.seed = reader.parsed("seed", parse_count);
  plan.sim = reader.text("sim");
  plan.keep = reader.flag("keep");
  plan.reuse = reader.text("reuse");
  plan.allow_unhealthy = reader.flag("allow-unhealthy");
  plan.push_through = reader.flag("push-through");
  plan.prefill_rate = reader.parsed("prefill-rate", parse_bytes);
  if (reader.wrong()) return fail(*reader.wrong());
  // Another version's options would be lost without a word, and other things measured.
  if (record::plan_json(plan) != recorded) {
    return fail(unreadable("it has options that this version of radosload does not know"));
  }
  if (auto valid = validate(plan); !valid) return fail(std::move(valid).error());
  return plan;
}

}  // namespace radosload::run
