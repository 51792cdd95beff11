#include "cli/command_line.h"

#include <string>

#include "cli/command_texts.h"
#include "cli/help_text.h"
#include "cli/version.h"

namespace radosload::cli {

namespace {

constexpr const char* about =
    "radosload loads a Ceph cluster and measures it. It knows which OSD serves each operation, "
    "watches the cluster, and reports how far to trust the figures.";
constexpr const char* examples =
    "Examples:\n"
    "  radosload --target sim --pattern randrw4k   try it without a cluster\n"
    "  radosload --pool hdd --pattern randrw4k     measure a pool for a minute\n"
    "  radosload run --help                        show all options of a run\n"
    "  radosload help pinning                      explain a topic ('help': all)\n";

// Every option that takes a pool also accepts a name that config files define for a pool.
void resolve_pools(CLI::App& command, CommandLine& line) {
  for (CLI::Option* const option : command.get_options()) {
    if (option->get_type_name() != "POOL") continue;
    option->transform([&line](const std::string& given) {
      const auto found = line.pools.find(given);
      if (found == line.pools.end()) return given;
      line.renamed.push_back(given);
      return found->second;
    });
  }
}

// Keeps the declared text of a command that has no text here.
void describe_commands(CLI::App& program) {
  for (CLI::App* const command : program.get_subcommands({})) {
    command->get_option("--help")->description("show this help");
    command->group("Other commands");
    for (const CommandText& text : command_texts()) {
      if (text.command != command->get_name()) continue;
      command->footer(footer_of(text))->group(std::string(text.group));
    }
  }
}

}  // namespace

CommandLine::CommandLine() : app(about, "radosload") {
  app.formatter(help_formatter());
  app.get_option("--help")->description("show this help");
  app.set_version_flag("-V,--version", version_text, "show the versions of radosload and librados");
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  // --help lists the commands in this order.
  add_run(app, chosen, from_files);
  add_join(app, chosen);
  add_replicas(app, chosen, from_files);
  add_study(app, chosen, from_files);
  add_mark(app, chosen);
  add_list(app, chosen);
  add_report(app, chosen);
  add_explain(app, chosen);
  add_compare(app, chosen);
  add_baseline(app, chosen);
  add_trace(app, chosen);
  add_status(app, chosen);
  add_osds(app, chosen);
  add_watch(app, chosen);
  add_probe(app, chosen);
  add_time(app, chosen);
  add_scratch(app, chosen);
  add_cleanup(app, chosen);
  add_auth(app, chosen);
  add_patterns(app, chosen);
  add_bug_report(app, chosen);
  add_help(app, chosen);
  for (CLI::App* const command : app.get_subcommands({})) {
    resolve_pools(*command, *this);
    add_display_options(*command, display);
    command->add_flag("--no-config", no_config, "ignore the config files ('radosload help config')")
        ->configurable(false);
    add_log_options(*command, log);
  }
  describe_commands(app);
  app.footer(examples);  // now, so that no command inherits it
}

std::string long_name(const CLI::Option& option) {
  const auto& names = option.get_lnames();
  return names.empty() ? std::string() : names.front();
}

}  // namespace radosload::cli
