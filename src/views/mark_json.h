// What `radosload mark` has done, as JSON for scripts. Pure.
#pragma once

#include <string>
#include <vector>

namespace radosload::views {

// {schema: "radosload.mark/1", text, runs: [ID]}: the runs that got the mark.
std::string mark_json(const std::string& text, const std::vector<std::string>& runs);

}  // namespace radosload::views
