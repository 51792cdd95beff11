#include "cli/command_line.h"

namespace radosload::cli {

namespace {

constexpr const char* about =
    "radosload puts a known load on a Ceph cluster, knows which OSD serves each operation,\n"
    "watches the cluster while it measures, and says what its numbers prove.";
constexpr const char* examples =
    "Examples:\n"
    "  radosload --pool hdd --pattern randrw4k     measure a pool for a minute\n"
    "  radosload patterns                          what else can be asked of it\n"
    "  radosload status                            the cluster, and what would bend a run on it\n"
    "  radosload osds                              its OSDs, and which may fairly be compared\n"
    "  radosload run -h                            every option of a run\n"
    "  radosload help config                       defaults of your own; 'help' lists more\n";

// Wherever a pool is named, a name from the config files will do.
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

}  // namespace

CommandLine::CommandLine() : app(about, "radosload") {
  app.footer(examples);
  app.set_version_flag("-V,--version", "radosload " RADOSLOAD_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  add_run(app, chosen, from_files);
  add_patterns(app, chosen);
  add_list(app, chosen);
  add_compare(app, chosen);
  add_report(app, chosen);
  add_trace(app, chosen);
  add_cleanup(app, chosen);
  add_status(app, chosen);
  add_osds(app, chosen);
  add_scratch(app, chosen);
  add_replicas(app, chosen, from_files);
  add_bug_report(app, chosen);
  add_help(app, chosen);
  for (CLI::App* const command : app.get_subcommands({})) {
    resolve_pools(*command, *this);
    command
        ->add_flag("--no-config", no_config,
                   "leave the config files unread ('radosload help config')")
        ->configurable(false);
    add_log_options(*command, log);
  }
}

std::string long_name(const CLI::Option& option) {
  const auto& names = option.get_lnames();
  return names.empty() ? std::string() : names.front();
}

}  // namespace radosload::cli
