// The commands of the program. Each declares its options to the parser, and sets the action that
// runs if the command is chosen. An action returns the exit status; the caller prints an Error.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

using Action = std::function<Result<Exit>()>;

// Each function adds one subcommand; parsing sets the action of the given one. from_files: the long
// names of options whose values come from config files.
void add_run(CLI::App& program, Action& chosen, const std::set<std::string>& from_files);
void add_join(CLI::App& program, Action& chosen);
void add_patterns(CLI::App& program, Action& chosen);
void add_list(CLI::App& program, Action& chosen);
void add_mark(CLI::App& program, Action& chosen);
void add_compare(CLI::App& program, Action& chosen);
void add_baseline(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen);
void add_explain(CLI::App& program, Action& chosen);
void add_trace(CLI::App& program, Action& chosen);
void add_cleanup(CLI::App& program, Action& chosen);
void add_status(CLI::App& program, Action& chosen);
void add_osds(CLI::App& program, Action& chosen);
void add_watch(CLI::App& program, Action& chosen);
void add_auth(CLI::App& program, Action& chosen);
void add_probe(CLI::App& program, Action& chosen);
void add_scratch(CLI::App& program, Action& chosen);
void add_time(CLI::App& program, Action& chosen);
void add_study(CLI::App& program, Action& chosen, const std::set<std::string>& from_files);
void add_replicas(CLI::App& program, Action& chosen, const std::set<std::string>& from_files);
void add_bug_report(CLI::App& program, Action& chosen);
void add_help(CLI::App& program, Action& chosen);

// -c, --id, -n, -k, -m, --cluster, with Ceph's own meanings; shared by every subcommand that talks
// to a cluster.
void add_cluster_options(CLI::App& command, ClusterOptions& options);

}  // namespace radosload::cli
