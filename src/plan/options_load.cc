// Rows of the table of options: what the load is, how long and how fast, and what guards it.
#include "plan/arrival_text.h"
#include "plan/limits.h"
#include "plan/option_fields.h"
#include "plan/pattern_keys.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

std::optional<std::string> get_pattern(const RunPlan& plan) {
  if (plan.pattern.name.empty()) return std::nullopt;
  return plan.pattern.name;
}

// Another name brings its own keys; the same one leaves those that are in force.
std::string set_pattern(RunPlan& plan, std::string_view text) {
  if (text == plan.pattern.name) return {};
  auto pattern = parse_pattern(text);
  if (!pattern) return pattern.error().reason;
  plan.pattern = *std::move(pattern);
  return {};
}

Option pattern_row() {
  return {.name = "pattern",
          .group = Group::where,
          .type = "NAME[,key=value...]",
          .help =
              "named pattern or suite; 'radosload patterns' lists them. A key with a "
              "list of values (qd=1:4:16) makes a run for each",
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
                           return applied ? std::string() : applied.error().reason;
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
                   return std::string();
                 }}};
}

std::vector<Option> pattern_rows() {
  std::vector<Option> rows = {pattern_row()};
  for (const Key& key : keys()) rows.push_back(key_row(key));
  rows.push_back(no_verify_row());
  return rows;
}

// A size that somebody has named counts more than that of an image.
std::vector<Option> named_rows() {
  return {{.name = "size-named", .access = field<&RunPlan::size_named>()},
          {.name = "object-size-named", .access = field<&RunPlan::object_size_named>()}};
}

std::optional<std::string> get_rate(const RunPlan& plan) {
  if (plan.arrival.law == Arrival::Law::closed) return std::nullopt;
  return option_text(plan.arrival);
}

std::string set_rate(RunPlan& plan, std::string_view text) {
  const auto arrival = parse_arrival(text);
  if (!arrival) return arrival.error().reason;
  plan.arrival = *arrival;
  return {};
}

std::string set_clients(RunPlan& plan, std::string_view text) {
  const auto clients = parse_count(text);
  if (!clients || *clients == 0 || *clients > max_lanes) {
    return fmt::format("the number of clients goes from 1 to {}", max_lanes);
  }
  plan.clients = static_cast<std::uint32_t>(*clients);
  return {};
}

std::vector<Option> pace_rows() {
  return {
      {.name = "time",
       .group = Group::pace,
       .type = "TIME",
       .help = "length of the measured phase; 0: no limit",
       .access = field<&RunPlan::extent, &Extent::time>()},
      {.name = "ops",
       .group = Group::pace,
       .type = "N",
       .help = "end after so many operations",
       .access = field<&RunPlan::extent, &Extent::ops>()},
      {.name = "bytes",
       .group = Group::pace,
       .type = "SIZE",
       .help = "end after so many bytes",
       .access = field<&RunPlan::extent, &Extent::bytes>()},
      {.name = "warmup",
       .group = Group::pace,
       .type = "TIME",
       .help = "load before anything is measured",
       .access = field<&RunPlan::warmup>()},
      {.name = "rate",
       .group = Group::pace,
       .type = "OPS[/s][,poisson|constant]",
       .help = "open loop: so many operations a second, however slow the answers; may be a list",
       .listed = true,
       .access = {.form = Form::text, .get = get_rate, .set = set_rate}},
      {.name = "clients",
       .group = Group::pace,
       .type = "N",
       .help = "independent cluster handles; may be a list",
       .listed = true,
       .access = {.form = Form::number,
                  .get = [](const RunPlan& plan) { return fmt::format("{}", plan.clients); },
                  .set = set_clients}},
      {.name = "seed",
       .group = Group::pace,
       .type = "N",
       .help = "same seed, same operations [drawn, and printed]",
       .matters = Matters::as_drawn,
       .access = field<&RunPlan::seed>()},
  };
}

std::vector<Option> watching_rows() {
  return {
      {.name = "observer-id",
       .group = Group::watching,
       .type = "ID",
       .help = "user that reads the OSDs' own counters and does nothing else "
               "('radosload help pinning')",
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
       .help = "leave the objects for a later --reuse",
       .matters = Matters::no,
       .access = field<&RunPlan::keep>()},
      {.name = "reuse",
       .group = Group::safety,
       .type = "RUN|last",
       .help = "run whose objects to use instead of writing new ones",
       .in_config = InConfig::one_run,
       .matters = Matters::no,
       .access = field<&RunPlan::reuse>()},
      {.name = "allow-unhealthy",
       .group = Group::safety,
       .help = "start in HEALTH_ERR too, or with PGs that take no operations",
       .matters = Matters::no,
       .access = field<&RunPlan::allow_unhealthy>()},
      {.name = "push-through",
       .group = Group::safety,
       .help = "go on when health turns to HEALTH_ERR, operations get slow or the pool full",
       .matters = Matters::no,
       .access = field<&RunPlan::push_through>()},
      {.name = "op-timeout",
       .group = Group::safety,
       .type = "TIME",
       .help = "give up an operation after this; 0: never",
       .access = field<&RunPlan::op_timeout>()},
      {.name = "drain",
       .group = Group::safety,
       .type = "TIME",
       .help = "wait for what is in flight at the end",
       .access = field<&RunPlan::drain>()},
      {.name = "prefill-rate",
       .group = Group::safety,
       .type = "SIZE",
       .help = "bytes a second at most; 0: no limit",
       .matters = Matters::no,
       .access = field<&RunPlan::prefill_rate>()},
  };
}

}  // namespace

std::vector<Option> options_of_load() {
  std::vector<Option> rows;
  for (auto part : {pattern_rows, named_rows, pace_rows, watching_rows, safety_rows}) {
    for (Option& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace radosload::plan
