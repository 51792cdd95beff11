// The commands of scratch pools, and what their failures mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

#include "placement/scratch_layout.h"

namespace radosload::footprint {

// A rule of that name, which spreads over OSDs.
std::string rule_command(const std::string& name, const placement::CrushTake& take);
std::string rule_removal(const std::string& name);
std::string rule_renaming(const std::string& name, const std::string& new_name);
std::string pool_command(const std::string& name, std::uint32_t pg_num);
// Refused when there is one of the new name already.
std::string pool_renaming(const std::string& name, const std::string& new_name);
std::string pool_removal(const std::string& name);
std::string pool_setting(const std::string& pool, std::string_view key, const std::string& value);
std::string application_command(const std::string& pool);
std::string metadata_command(const std::string& pool, std::string_view key,
                             const std::string& value);
// A pool's own CRUSH weights, at first those of the others; and an OSD's in it set to 0.
std::string weight_set_command(const std::string& pool);
std::string weightless_command(const std::string& pool, std::int32_t osd);
std::string upmap_command(std::int64_t pool, std::uint32_t pg, std::int32_t osd);

// Sends the mons one command. The error says what was attempted and what to do:
// missing rights with the line that grants them, what the mons do not allow as a refusal.
Status tell_mons(AdminCommands& commands, const std::string& command, const std::string& attempt);

// A setting that the mons run with, wherever it comes from.
Result<std::string> mon_setting(AdminCommands& commands, const std::string& key);
// Whether a switch is on, according to the mgr or to the mons' database: a new value reaches the
// database at once and the mgr seconds later.
Result<bool> mon_allows(AdminCommands& commands, const std::string& key);

}  // namespace radosload::footprint
