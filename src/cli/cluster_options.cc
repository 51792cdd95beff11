#include <cstdlib>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cluster/ceph_args.h"

namespace radosload::cli {

void add_cluster_options(CLI::App& command, ClusterOptions& options) {
  const std::string group = cluster_group;
  command.add_option("-c,--conf", options.conf, "Ceph config [CEPH_CONF, /etc/ceph/ceph.conf]")
      ->type_name("FILE")
      ->group(group);
  auto* const id =
      command
          .add_option_function<std::string>(
              "--id,--user",
              [&options](const std::string& given) { options.name = "client." + given; },
              "user without its type: admin")
          ->type_name("ID")
          ->group(group);
  command.add_option("-n,--name", options.name, "user with its type [client.admin]")
      ->type_name("TYPE.ID")
      ->excludes(id)
      ->group(group);
  command.add_option("-k,--keyring", options.keyring, "the user's keyring")
      ->type_name("FILE")
      ->group(group);
  command.add_option("-m,--mon-host", options.mon_host, "addresses of the mons")
      ->type_name("HOSTS")
      ->group(group);
  command.add_option("--cluster", options.cluster, "name of the cluster")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_duration(command, "--connect-timeout", options.timeout,
               "how long to wait for mons and for each answer")
      ->group(group);
  command.parse_complete_callback([&options] {
    const char* const words = std::getenv("CEPH_ARGS");
    if (words != nullptr) options = cluster::with_ceph_args(options, words);
  });
}

}  // namespace radosload::cli
