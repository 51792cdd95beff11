#include "views/rights_text.h"

#include <algorithm>

#include "plan/command.h"
#include "report/layout.h"
#include "views/json_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using observe::Rights;
using observe::RightsFor;

constexpr std::size_t rights_columns = 80;

std::string wrapped(std::string_view text) {
  return report::paragraph("", text, 0, 0, rights_columns);
}

std::string keyring_of(const std::string& user) {
  return fmt::format("ceph.{}.keyring", user);
}

// "    mon '...' mgr '...'", and a line each for MDSs and OSDs where there are any.
std::string caps_lines(const observe::Caps& caps, std::string_view end) {
  std::string text = fmt::format("    mon '{}' mgr '{}'{}\n", caps.mon, caps.mgr, end);
  if (!caps.mds.empty()) text += fmt::format("    mds '{}'{}\n", caps.mds, end);
  if (!caps.osd.empty()) text += fmt::format("    osd '{}'{}\n", caps.osd, end);
  return text;
}

// Lines that a shell takes as one.
std::string command_lines(const Rights& rights, const RightsFor& whom) {
  const std::string user = observe::user_name(rights, whom);
  return fmt::format("ceph auth get-or-create {} \\\n{}    -o {}\n", user,
                     caps_lines(observe::caps_of(rights, whom), " \\"), keyring_of(user));
}

void put(std::string& command, std::string_view place, const std::string& name) {
  const std::size_t at = command.find(place);
  if (at == std::string::npos || name.empty()) return;
  command.replace(at, place.size(), plan::shell_word(name));
}

// The command for the user, with its options.
std::string use_text(const Rights& rights, const RightsFor& whom) {
  std::string command(rights.use);
  put(command, "POOL", whom.pool);
  put(command, "FILESYSTEM", whom.fs);
  const std::string user = observe::user_name(rights, whom);
  return fmt::format("{} \\\n    --id {} --keyring {}\n", command, user.substr(user.find('.') + 1),
                     keyring_of(user));
}

nlohmann::ordered_json feature_json(std::string_view feature, const Rights& rights,
                                    const RightsFor& whom) {
  const observe::Caps caps = observe::caps_of(rights, whom);
  return {{"feature", feature},
          {"what", rights.what},
          {"user", observe::user_name(rights, whom)},
          {"mon", caps.mon},
          {"mgr", caps.mgr},
          {"mds", or_null(caps.mds)},
          {"osd", or_null(caps.osd)},
          {"command", observe::grant_command(rights, whom)},
          {"note", rights.note}};
}

}  // namespace

std::string rights_list_text(const RightsFor& whom) {
  std::string text = "The least rights for each feature:\n";
  for (const Rights& rights : observe::all_rights()) {
    text += fmt::format("\n{}\n", rights.features);
    text +=
        report::paragraph("", fmt::format("{}.", rights.what), report::indent, 0, rights_columns);
    text += caps_lines(observe::caps_of(rights, whom), "");
  }
  return text + "\n'radosload auth FEATURE' prints the command that makes a user with them.\n";
}

std::string rights_text(const Rights& rights, const RightsFor& whom) {
  std::string text = wrapped(fmt::format("The least rights for {}.", rights.what));
  text += "\n" + command_lines(rights, whom) + "\n" + wrapped(rights.note);
  if (rights.osd.find("POOL") != std::string_view::npos && whom.pool.empty()) {
    text += wrapped("Replace POOL, or give --pool.");
  }
  if (!rights.mds.empty() && whom.fs.empty()) text += wrapped("Replace FILESYSTEM, or give --fs.");
  return text + "\nThen, for example:\n\n" + use_text(rights, whom);
}

std::string rights_json(std::string_view feature, const RightsFor& whom) {
  nlohmann::ordered_json json = {{"schema", "radosload.auth/1"},
                                 {"features", nlohmann::ordered_json::array()}};
  for (const Rights& rights : observe::all_rights()) {
    for (const std::string_view name : rights.names()) {
      if (feature.empty() || feature == name) {
        json["features"].push_back(feature_json(name, rights, whom));
      }
    }
  }
  return json_text(json);
}

}  // namespace radosload::views
