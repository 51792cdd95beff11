#include "cli/format_options.h"

#include <algorithm>
#include <string_view>

#include "radosload/printable.h"
#include "radosload/result.h"

#include "base/suggest.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

constexpr const char* output_group = "Output";

void check_format(const std::vector<std::string>& names, const std::string& given) {
  if (std::find(names.begin(), names.end(), given) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest_word(given, known);
  const Error error{.reason = fmt::format("--format {}: there is no such format", printable(given)),
                    .hint = near.empty()
                                ? fmt::format("this command prints {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near)};
  throw CLI::ValidationError(error.message());
}

}  // namespace

void add_format_options(CLI::App& command, std::string& format, const FormatChoice& choice) {
  const std::vector<std::string> names = choice.names;
  CLI::Option* const option =
      command
          .add_option_function<std::string>(
              choice.other_name.empty() ? "--format" : "--format," + choice.other_name,
              [&format, names](const std::string& given) {
                check_format(names, given);
                format = given;
              },
              choice.help)
          ->default_str(format)
          ->type_name(fmt::format("{}", fmt::join(names, "|")))
          ->group(output_group);
  // Declared after --format, so its callback sees what that was given.
  command
      .add_flag_callback(
          "--json",
          [&format, option] {
            if (option->count() > 0 && format != "json") {
              throw CLI::ValidationError(
                  fmt::format("--json and --format {} contradict each other: give one of them",
                              printable(format)));
            }
            format = "json";
          },
          "the same as --format json")
      ->group(output_group);
}

}  // namespace radosload::cli
