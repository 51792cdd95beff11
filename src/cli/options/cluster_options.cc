#include <cstdlib>
#include <string>

#include "cli/commands/command.h"
#include "cli/options/plan_options.h"
#include "cluster/ceph_args.h"

namespace radosload::cli {

void add_cluster_options(CLI::App& command, ClusterOptions& options) {
  for (const plan::Option& option : plan::options()) {
    if (option.group != plan::Group::cluster) continue;
    declare(command, option, [&options, &option](const std::string& text) {
      RunPlan plan;
      plan.cluster = options;
      set_or_throw(option, plan, text);
      options = plan.cluster;
    });
  }
  command.get_option("--name")->excludes(command.get_option("--id"));
  command.parse_complete_callback([&options] {
    const char* const words = std::getenv("CEPH_ARGS");
    if (words != nullptr) options = cluster::with_ceph_args(options, words);
  });
}

}  // namespace radosload::cli
