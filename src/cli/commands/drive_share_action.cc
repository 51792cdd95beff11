#include "cli/commands/drive_share_action.h"

#include <utility>

#include "cli/commands/saved.h"
#include "cli/output.h"
#include "report/drive_share.h"
#include "views/drive_share_json.h"

namespace radosload::cli {

namespace {

tl::unexpected<Error> wrong_drives(std::string reason, std::string hint) {
  return fail({.attempt = "compare a pool with its drives",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

}  // namespace

void add_drive_options(CLI::App& command, DriveWords& words) {
  const std::string group = "A pool and its drives";
  command
      .add_option("--against-drives", words.runs,
                  "runs of the pool's drives, each with reads or writes alone: shows the share of "
                  "their sum that the pool delivers")
      ->expected(1, -1)
      ->type_name("RUN")
      ->group(group);
  command
      .add_option("--drives", words.equal, "so many equal drives there are [as many as have a run]")
      ->check(CLI::Range(1, 100'000).description(""))
      ->type_name("N")
      ->group(group);
}

Result<Exit> compare_with_drives(const std::vector<std::string>& names, const DriveWords& words,
                                 const std::string& format) {
  if (names.size() != 1) {
    return wrong_drives("--against-drives takes one run of a pool before it",
                        "for example: radosload compare last --against-drives RUN RUN");
  }
  if (format != "text" && format != "json") {
    return wrong_drives("--format " + format + " is of verdicts", "use --format text or json");
  }
  RADOSLOAD_ASSIGN(const auto pool, load_run(names.front()));
  std::vector<record::RunRecord> drives;
  for (const std::string& name : words.runs) RADOSLOAD_TRY(add_saved(name, drives));
  RADOSLOAD_ASSIGN(const auto share, report::share_of_drives(pool.record, drives, words.equal));
  return format == "json" ? print_result(views::drive_share_json(share))
                          : print_text(report::drive_share_text(share));
}

}  // namespace radosload::cli
