#include "cli/options/format_options.h"

#include "radosload/printable.h"

#include "cli/options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

constexpr const char* output_group = "Output";

}  // namespace

void add_format_options(CLI::App& command, std::string& format, const FormatChoice& choice) {
  const std::string names = fmt::format("{}", fmt::join(choice.names, "|"));
  CLI::Option* const option =
      command
          .add_option_function<std::string>(
              choice.other_name.empty() ? "--format" : "--format," + choice.other_name,
              [&format](const std::string& given) { format = given; }, choice.help)
          ->default_str(format)
          ->check(one_of_choices(names))
          ->type_name(names)
          ->group(output_group);
  // Declared after --format, so that its callback knows the format that was given.
  command
      .add_flag_callback(
          "--json",
          [&format, option] {
            if (option->count() > 0 && format != "json") {
              throw WrongValue(
                  {.attempt = fmt::format("use --json with --format {}", printable(format)),
                   .reason = "they contradict each other",
                   .hint = "give one of the two",
                   .exit = Exit::usage});
            }
            format = "json";
          },
          "the same as --format json")
      ->group(output_group);
}

}  // namespace radosload::cli
