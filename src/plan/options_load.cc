// Rows of the table of options: what the load is, how long and how fast, and what guards it.
#include "plan/arrival_text.h"
#include "plan/labels.h"
#include "plan/limits.h"
#include "plan/option_fields.h"
#include "plan/pattern_keys.h"
#include "plan/warmup.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

std::optional<std::string> get_pattern(const RunPlan& plan) {
  if (plan.pattern.name.empty()) return std::nullopt;
  return plan.pattern.name;
}

// Another name brings its own keys; the same one leaves those that are in force.
Refusal set_pattern(RunPlan& plan, std::string_view text) {
  if (text == plan.pattern.name) return {};
  auto pattern = parse_pattern(text);
  if (!pattern) return refusal_of(pattern.error());
  plan.pattern = *std::move(pattern);
  return {};
}

Option pattern_row() {
  return {.name = "pattern",
          .group = Group::where,
          .type = "NAME[,key=value...]",
          .help =
              "pattern or suite ('radosload patterns' lists them); a list of values "
              "(qd=1:4:16) makes a run for each value",
          .listed = true,
          .access = {.form = Form::text, .get = get_pattern, .set = set_pattern}};
}

Form form_of(const Key& key) {
  const bool number = key.help.values == "N" || key.help.values == "PERCENT";
  if (number) return Form::number;
  return key.help.values == "yes|no" ? Form::flag : Form::text;
}

Option key_row(const Key& key) {
  return {.name = key.help.key,
          .group = Group::pattern,
          .type = key.help.values,
          .help = key.help.summary,
          .in_config = InConfig::of_pattern,
          .listed = true,
          .access = {.form = form_of(key),
                     .get = [&key](const RunPlan& plan) -> std::optional<std::string> {
                       if (!key.applies(plan.pattern)) return std::nullopt;
                       return key.get(plan.pattern);
                     },
                     .set =
                         [&key](RunPlan& plan, std::string_view text) {
                           const auto applied = apply(plan.pattern, key.help.key, text);
                           return applied ? Refusal() : refusal_of(applied.error());
                         }}};
}

Option no_verify_row() {
  return {
      .name = "no-verify",
      .group = Group::pattern,
      .help = "the same as --verify off",
      .in_config = InConfig::of_pattern,
      .listed = true,
      .short_for = "verify",
      .access = {.form = Form::flag, .get = nullptr, .set = [](RunPlan& plan, std::string_view) {
                   plan.pattern.verify = Verify::off;
                   return Refusal();
                 }}};
}

std::vector<Option> pattern_rows() {
  std::vector<Option> rows = {pattern_row()};
  for (const Key& key : keys()) rows.push_back(key_row(key));
  rows.push_back(no_verify_row());
  return rows;
}

// A size that the user has given has priority over that of an image.
std::vector<Option> named_rows() {
  return {{.name = "size-named", .access = field<&RunPlan::size_named>()},
          {.name = "object-size-named", .access = field<&RunPlan::object_size_named>()}};
}

std::optional<std::string> get_rate(const RunPlan& plan) {
  if (plan.arrival.law == Arrival::Law::closed) return std::nullopt;
  return option_text(plan.arrival);
}

Refusal set_rate(RunPlan& plan, std::string_view text) {
  const auto arrival = parse_arrival(text);
  if (!arrival) return refusal_of(arrival.error());
  plan.arrival = *arrival;
  return {};
}

Refusal set_clients(RunPlan& plan, std::string_view text) {
  const auto clients = parse_count(text);
  if (!clients || *clients == 0 || *clients > max_lanes) {
    return {fmt::format("the number of clients is from 1 to {}", max_lanes),
            text.find(',') == std::string_view::npos ? "for example --clients 4" : ""};
  }
  plan.clients = static_cast<std::uint32_t>(*clients);
  return {};
}

std::vector<Option> pace_rows() {
  return {
      {.name = "time",
       .group = Group::pace,
       .type = "TIME",
       .help = "duration of the measured phase; 0: no limit",
       .access = field<&RunPlan::extent, &Extent::time>()},
      {.name = "ops",
       .group = Group::pace,
       .type = "N",
       .help = "end after N operations",
       .access = field<&RunPlan::extent, &Extent::ops>()},
      {.name = "bytes",
       .group = Group::pace,
       .type = "SIZE",
       .help = "end after this many bytes",
       .access = field<&RunPlan::extent, &Extent::bytes>()},
      {.name = "warmup",
       .group = Group::pace,
       .type = "TIME|auto",
       .help = "duration of the load before measuring starts; auto: until it is steady, 1m at most",
       .access = {.form = Form::text,
                  .get = [](const RunPlan& plan) { return warmup_value(plan); },
                  .set = set_warmup}},
      {.name = "rate",
       .group = Group::pace,
       .type = "OPS[/s][,poisson|constant]",
       .help =
           "open loop: operations per second, sent on time even if answers are slow; may be a list "
           "(100:200)",
       .listed = true,
       .access = {.form = Form::text, .get = get_rate, .set = set_rate}},
      {.name = "clients",
       .group = Group::pace,
       .type = "N",
       .help = "number of independent connections to the cluster; may be a list",
       .listed = true,
       .access = {.form = Form::number,
                  .get = [](const RunPlan& plan) { return fmt::format("{}", plan.clients); },
                  .set = set_clients}},
      {.name = "seed",
       .group = Group::pace,
       .type = "N",
       .help = "the same seed gives the same operations [random, shown in the report]",
       .matters = Matters::as_drawn,
       .access = field<&RunPlan::seed>()},
  };
}

Refusal set_slowest(RunPlan& plan, std::string_view text) {
  const auto count = parse_count(text);
  if (!count || *count > most_slowest) {
    return {fmt::format("the number of listed operations is from 0 to {}", most_slowest),
            "for example --slowest 20; 0 lists none"};
  }
  plan.slowest = *count;
  return {};
}

std::vector<Option> watching_rows() {
  return {
      {.name = "slowest",
       .group = Group::output,
       .type = "N",
       .help = "list the N slowest operations with object, OSD and time; 0: none",
       .matters = Matters::no,
       .access = {.form = Form::number,
                  .get = [](const RunPlan& plan) { return fmt::format("{}", plan.slowest); },
                  .set = set_slowest}},
      {.name = "observer-id",
       .group = Group::watching,
       .type = "ID",
       .help = "user that only reads the counters of the OSDs ('radosload help pinning')",
       .from_file = FromFile::replaced,
       .access = field<&RunPlan::observer, &ObserverPlan::id>()},
      {.name = "observer-keyring",
       .group = Group::watching,
       .type = "FILE",
       .help = "the observer's keyring",
       .from_file = FromFile::replaced,
       .access = field<&RunPlan::observer, &ObserverPlan::keyring>()},
  };
}

std::vector<Option> safety_rows() {
  return {
      {.name = "keep",
       .group = Group::safety,
       .help = "keep the objects or images for a later --reuse",
       .matters = Matters::no,
       .access = field<&RunPlan::keep>()},
      {.name = "reuse",
       .group = Group::safety,
       .type = "RUN|last",
       .help = "use the objects that this run has kept, instead of writing new ones",
       .in_config = InConfig::one_run,
       .matters = Matters::no,
       .access = field<&RunPlan::reuse>()},
      {.name = "allow-unhealthy",
       .group = Group::safety,
       .help = "start even in HEALTH_ERR, or with inactive PGs",
       .matters = Matters::no,
       .access = field<&RunPlan::allow_unhealthy>()},
      {.name = "push-through",
       .group = Group::safety,
       .help = "continue when health becomes HEALTH_ERR, operations get slow or the pool gets full",
       .matters = Matters::no,
       .access = field<&RunPlan::push_through>()},
      {.name = "op-timeout",
       .group = Group::safety,
       .type = "TIME",
       .help = "time limit of an operation; 0: none",
       .access = field<&RunPlan::op_timeout>()},
      {.name = "drain",
       .group = Group::safety,
       .type = "TIME",
       .help = "time limit for operations in flight at the end",
       .access = field<&RunPlan::drain>()},
      {.name = "prefill-rate",
       .group = Group::safety,
       .type = "SIZE",
       .help = "limit for writing the objects before the run, in bytes per second; 0: none",
       .matters = Matters::no,
       .access = field<&RunPlan::prefill_rate>()},
  };
}

std::vector<Option> output_rows() {
  return {
      {.name = "label",
       .group = Group::output,
       .type = "KEY=VALUE",
       .help = "note this in the record of the run; may be repeated ('list --label' finds the run)",
       .matters = Matters::no,
       .access = {.form = Form::list,
                  .get = [](const RunPlan& plan) { return labels_text(plan.labels); },
                  .set = [](RunPlan& plan,
                            std::string_view text) { return read_labels(plan.labels, text); }}},
  };
}

}  // namespace

std::vector<Option> options_of_load() {
  std::vector<Option> rows;
  for (auto part : {pattern_rows, named_rows, pace_rows, watching_rows, safety_rows, output_rows}) {
    for (Option& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace radosload::plan
