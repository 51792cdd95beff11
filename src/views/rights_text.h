// The text and the JSON of `radosload auth`: the least rights for each feature, and the command
// that makes a user with them. Pure.
#pragma once

#include <string>

#include "observe/rights.h"

namespace radosload::views {

// All features.
std::string rights_list_text(const observe::RightsFor& whom);
// One feature, with the command ready to paste.
std::string rights_text(const observe::Rights& rights, const observe::RightsFor& whom);

// {schema: "radosload.auth/1",
//  features: [{feature, what, user, mon, mgr, osd, command, note}]}
// osd is null where no rights on OSDs are needed. `feature`: that one alone; empty: all.
std::string rights_json(std::string_view feature, const observe::RightsFor& whom);

}  // namespace radosload::views
