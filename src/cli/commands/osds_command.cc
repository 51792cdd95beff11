// `radosload osds`: shows the properties of each OSD, and which OSDs are comparable.

#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/options/format_options.h"
#include "cli/output.h"
#include "cluster/admin.h"
#include "observe/osds.h"
#include "placement/osd_match.h"
#include "placement/osd_select.h"
#include "views/osds_text.h"

namespace radosload::cli {

namespace {

struct OsdsOptions {
  ClusterOptions cluster;
  std::string list = "all";
  bool match = false;
  std::string kinds;
  std::string format = "text";
};

Result<Exit> show_osds(const OsdsOptions& options) {
  // Invalid lists are refused before a cluster is contacted.
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(options.list));
  RADOSLOAD_ASSIGN(const auto kinds, placement::parse_kinds(options.kinds));

  RADOSLOAD_ASSIGN(auto admin, cluster::Admin::open(options.cluster));
  RADOSLOAD_ASSIGN(auto inventory, observe::fetch_osds(*admin));
  RADOSLOAD_ASSIGN(const auto chosen, placement::select_osds(selection, inventory));
  const auto shown = placement::only(std::move(inventory), chosen);
  views::Matches matches;
  if (options.match) {
    RADOSLOAD_ASSIGN(matches, placement::match_osds(shown, kinds));
  }
  if (options.format == "json") return print_result(views::osds_json(shown, matches));
  return print_result(matches ? views::matches_text(shown, *matches) : views::osds_text(shown));
}

}  // namespace

void add_osds(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("osds", "Show what each OSD is, and which OSDs are comparable");
  auto options = std::make_shared<OsdsOptions>();
  command
      ->add_option("LIST", options->list,
                   "OSDs to show, as in 0,3-5,host=NAME,class=hdd,kind=wal; a slash combines: "
                   "kind=wal/host=NAME")
      ->capture_default_str();
  // Without this list of kinds, CLI11 shows a type of its own.
  auto* const match =
      command->add_option("--match", options->kinds,
                          "find comparable pairs of the kinds A and B (plain, wal, db, db+wal), or "
                          "of every two kinds, and name their other differences");
  match->type_name("[A,B]")->expected(0, 1);
  add_format_options(*command, options->format);
  add_cluster_options(*command, options->cluster);
  command->final_callback([options, match, &chosen] {
    options->match = match->count() > 0;
    if (options->kinds == "true" || options->kinds == "{}") options->kinds.clear();
    chosen = [options] { return show_osds(*options); };
  });
}

}  // namespace radosload::cli
