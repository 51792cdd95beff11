// The table of all options of a run, by their long names. The rows define the command line, its
// help, man pages and completion, what a config file may set, the JSON of a plan, what a resumed
// series must agree in, and which differences a comparison of runs mentions.
//
// A new option is a field of RunPlan and a row here; the rows stand in options_where.cc and
// options_load.cc, those of the pattern's keys in pattern_keys.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "plan/refusal.h"

namespace radosload::plan {

// The title under which --help shows an option.
enum class Group : std::uint8_t {
  hidden,  // follows from other options: only in the plan's JSON
  where,
  images,
  osds,
  pattern,
  pace,
  session,
  watching,
  power,
  safety,
  output,
  cluster,
};
std::string_view title_of(Group group);

// How a value looks in JSON. As text a switch is yes or no, and a list has commas.
enum class Form : std::uint8_t { text, number, flag, list };

// Whether a config file may set it.
enum class InConfig : std::uint8_t {
  allowed,
  one_run,     // as a default it could do harm
  of_pattern,  // a pattern's name means the same everywhere
};

// Whether the figures of a run depend on it.
enum class Matters : std::uint8_t {
  yes,      // a series is only resumed with the same value, and a comparison names the difference
  no,       // how the cluster is reached, what a safety guard lets pass
  as_drawn  // the seed: one that is not drawn yet agrees with any
};

// Which value holds when a series is resumed from a file, which another user may have written.
enum class FromFile : std::uint8_t {
  kept,        // the file's value; it may not be given beside --resume
  replaced,    // the command line's: which user, which config
  said_again,  // the file's, if the command line has the same: a file grants no rights
};

// The value as text; nothing where the option does not apply to this plan.
using GetText = std::function<std::optional<std::string>(const RunPlan&)>;
using SetText = std::function<Refusal(RunPlan&, std::string_view)>;

struct TextAccess {
  Form form = Form::text;
  GetText get;
  SetText set;
};

struct Option {
  std::string_view name;        // "pool", as in --pool
  char letter = '\0';           // 'p', as in -p; none: '\0'
  std::string_view other = {};  // another long name for the same
  Group group = Group::hidden;
  std::string_view type = {};  // what help calls the value: "POOL", "SIZE", "primary|all"
  std::string_view help = {};
  bool may_have_value = false;  // a switch that takes one after a '=', and is "yes" without it
  InConfig in_config = InConfig::allowed;
  Matters matters = Matters::yes;
  FromFile from_file = FromFile::kept;
  bool listed = false;  // a list of values makes a run for each: see plan/steps
  // Of a short form, the option that it sets. It has no value of its own and stands in no record.
  std::string_view short_for = {};
  TextAccess access = {};

  bool recorded() const { return short_for.empty(); }
  Form form() const { return access.form; }
  std::optional<std::string> get(const RunPlan& plan) const { return access.get(plan); }
};

// All rows, in the order of --help. The pattern stands before its keys, which it sets, and short
// forms behind what they set.
std::span<const Option> options();
// Null when there is no option of that name.
const Option* find_option(std::string_view name);

// The error names the option and the text.
Status set_option(const Option& option, RunPlan& plan, std::string_view text);

// Its default; empty where that depends on other options, as the pattern's keys do.
std::string default_text(const Option& option);

}  // namespace radosload::plan
