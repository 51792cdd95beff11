#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/options/format_options.h"
#include "cli/output.h"
#include "cluster/admin.h"
#include "observe/cluster_status.h"
#include "views/status_text.h"

namespace radosload::cli {

namespace {

struct StatusOptions {
  ClusterOptions cluster;
  std::string format = "text";
};

Result<Exit> show_status(const StatusOptions& options) {
  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(options.cluster));
  RADOSLOAD_ASSIGN(const auto status, observe::fetch_status(*admin));
  return print_result(options.format == "json" ? views::status_json(status)
                                               : views::status_text(status));
}

}  // namespace

void add_status(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("status", "Show the cluster, and what may distort a run on it");
  auto options = std::make_shared<StatusOptions>();
  add_cluster_options(*command, options->cluster);
  add_format_options(*command, options->format);
  command->final_callback(
      [options, &chosen] { chosen = [options] { return show_status(*options); }; });
}

}  // namespace radosload::cli
