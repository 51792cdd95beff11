#include "cli/options/options.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

WrongValue not_taken(const std::string& option, const std::string& text,
                     const radosload::Error& error) {
  return WrongValue({.attempt = "use",
                     .subject = option + " " + text,
                     .reason = error.reason,
                     .hint = error.hint,
                     .exit = Exit::usage});
}

}  // namespace

CLI::Option* add_duration(CLI::App& command, const std::string& name, Time& into,
                          const std::string& help) {
  return command
      .add_option_function<std::string>(
          name,
          [&into, name](const std::string& text) {
            const auto parsed = parse_duration(text);
            if (!parsed) throw not_taken(name, text, parsed.error());
            into = *parsed;
          },
          help)
      ->default_str(option_text(into))
      ->type_name("TIME");
}

CLI::Option* add_size(CLI::App& command, const std::string& name, Bytes& into,
                      const std::string& help) {
  return command
      .add_option_function<std::string>(
          name,
          [&into, name](const std::string& text) {
            const auto parsed = parse_bytes(text);
            if (!parsed) throw not_taken(name, text, parsed.error());
            into = *parsed;
          },
          help)
      ->type_name("SIZE");
}

CLI::Option* add_trace_file(CLI::App& command, std::string& into, const std::string& help) {
  return command
      .add_option_function<std::string>(
          "--trace",
          [&into](const std::string& file) {
            if (!file.ends_with(".npy")) {
              throw WrongValue({.attempt = fmt::format("write the trace to {}", printable(file)),
                                .reason = "a trace is a NumPy array, and the name of its file "
                                          "ends in .npy",
                                .hint = "write --trace FILE.npy; for CSV, run 'radosload trace "
                                        "FILE.npy --format csv' afterwards",
                                .exit = Exit::usage});
            }
            into = file;
          },
          help)
      ->type_name("FILE.npy");
}

CLI::Validator one_of_choices(std::string_view choices) {
  std::vector<std::string> all;
  while (!choices.empty()) {
    const std::string_view one = choices.substr(0, choices.find('|'));
    all.emplace_back(one);
    choices.remove_prefix(std::min(one.size() + 1, choices.size()));
  }
  return CLI::IsMember(all);
}

Result<record::Store> open_store() {
  RADOSLOAD_ASSIGN(const auto folder,
                   record::store_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME")));
  return record::Store::open(folder);
}

}  // namespace radosload::cli
