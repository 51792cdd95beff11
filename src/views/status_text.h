// The text and the JSON of `radosload status`. Pure.
#pragma once

#include <string>

#include "observe/cluster_status.h"

namespace radosload::views {

std::string status_text(const observe::ClusterStatus& status);
// {schema: "radosload.status/1", ...}
std::string status_json(const observe::ClusterStatus& status);

}  // namespace radosload::views
