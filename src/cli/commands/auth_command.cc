// `radosload auth`: prints the rights that a feature needs, and the command that grants them to a
// user.

#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/options/format_options.h"
#include "cli/output.h"
#include "observe/rights.h"
#include "views/rights_text.h"

namespace radosload::cli {

namespace {

struct AuthWords {
  std::string feature;
  observe::RightsFor whom;
  std::string format = "text";
};

Result<Exit> show_rights(const AuthWords& words) {
  RADOSLOAD_TRY(observe::check_names(words.whom));
  const observe::Rights* rights = nullptr;
  if (!words.feature.empty()) {
    RADOSLOAD_ASSIGN(rights, observe::rights_for(words.feature));
  }
  if (words.format == "json") return print_result(views::rights_json(words.feature, words.whom));
  return print_result(rights == nullptr ? views::rights_list_text(words.whom)
                                        : views::rights_text(*rights, words.whom));
}

}  // namespace

void add_auth(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("auth", "Print the least rights that each feature needs");
  auto words = std::make_shared<AuthWords>();
  command
      ->add_option("FEATURE", words->feature,
                   "the feature, such as run, images or watch; without it, all are listed")
      ->type_name("");
  command->add_option("--id", words->whom.user, "the name of the user to be made")->type_name("ID");
  command->add_option("--pool", words->whom.pool, "the pool that the user may use")
      ->type_name("POOL");
  command->add_option("--fs", words->whom.fs, "the file system that the user may use")
      ->type_name("NAME");
  command
      ->add_option("--namespace", words->whom.nspace,
                   "the namespace in that pool; without it: radosload")
      ->type_name("NAME");
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return show_rights(*words); }; });
}

}  // namespace radosload::cli
