#include "cli/options.h"

#include <cstdlib>

namespace radosload::cli {

CLI::Option* add_duration(CLI::App& command, const std::string& name, Time& into,
                          const std::string& help) {
  return command
      .add_option_function<std::string>(
          name,
          [&into](const std::string& text) {
            const auto parsed = parse_duration(text);
            if (!parsed) throw CLI::ValidationError(parsed.error().message());
            into = *parsed;
          },
          help)
      ->default_str(option_text(into))
      ->type_name("TIME");
}

Result<record::Store> open_store() {
  RADOSLOAD_ASSIGN(const auto folder,
                   record::store_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME")));
  return record::Store::open(folder);
}

}  // namespace radosload::cli
