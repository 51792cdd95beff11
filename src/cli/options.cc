#include "cli/options.h"

#include <cstdlib>

#include <fmt/core.h>

namespace radosload::cli {

namespace {

// Ours say what is wrong and how it is written; CLI11 carries it to the top.
template <typename Value>
CLI::Option* add_parsed(CLI::App& command, const std::string& name, Value& into,
                        const std::string& help, Result<Value> (*parse)(std::string_view)) {
  return command
      .add_option_function<std::string>(
          name,
          [&into, parse, name](const std::string& text) {
            if (text.find(':') != std::string::npos) {
              throw CLI::ValidationError(
                  fmt::format("{} takes no list: one value is wanted, and not '{}'", name, text));
            }
            const auto parsed = parse(text);
            if (!parsed) throw CLI::ValidationError(parsed.error().message());
            into = *parsed;
          },
          help)
      ->default_str(option_text(into));
}

}  // namespace

CLI::Option* add_duration(CLI::App& command, const std::string& name, Time& into,
                          const std::string& help) {
  return add_parsed(command, name, into, help, parse_duration)->type_name("TIME");
}

CLI::Option* add_bytes(CLI::App& command, const std::string& name, Bytes& into,
                       const std::string& help) {
  return add_parsed(command, name, into, help, parse_bytes)->type_name("SIZE");
}

Result<record::Store> open_store() {
  const auto folder = record::store_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"));
  if (!folder) return fail(folder.error());
  return record::Store::open(*folder);
}

}  // namespace radosload::cli
