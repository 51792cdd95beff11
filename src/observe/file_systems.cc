#include "observe/file_systems.h"

#include <algorithm>
#include <map>
#include <utility>

#include "radosload/printable.h"

#include "observe/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::observe {

namespace {

constexpr const char* fs_dump_command = R"({"prefix": "fs dump", "format": "json"})";

std::int64_t number_or_none(const Json& value) {
  return value.is_number_integer() ? value.get<std::int64_t>() : -1;
}

void read_daemons(const Json& info, FileSystem& into) {
  std::map<std::int64_t, std::string> active;
  for (const auto& [gid, daemon] : info.items()) {
    const std::string state = text(daemon, "state");
    const std::int64_t rank = number_or_none(member(daemon, "rank"));
    if (state == "up:active") {
      active[rank] = text(daemon, "name");
    } else if (state != "up:standby-replay") {
      into.others.push_back(fmt::format("{}: {}", text(daemon, "name"), state));
    }
  }
  for (auto& [rank, name] : active) into.active.push_back(std::move(name));
}

FileSystem read_file_system(const Json& json) {
  FileSystem found;
  const Json& map = member(json, "mdsmap");
  found.name = text(map, "fs_name");
  found.id = number_or_none(member(json, "id"));
  found.metadata_pool = number_or_none(member(map, "metadata_pool"));
  for (const Json& pool : member(map, "data_pools"))
    found.data_pools.push_back(number_or_none(pool));
  found.ranks = small_number(map, "max_mds");
  const Json& info = member(map, "info");
  if (info.is_object()) read_daemons(info, found);
  return found;
}

Error unusable_system(const std::string& name, std::string reason, std::string hint) {
  return {.attempt = "use the file system",
          .subject = name,
          .reason = std::move(reason),
          .hint = std::move(hint),
          .exit = Exit::no_cluster};
}

std::string names_of_systems(const std::vector<FileSystem>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const FileSystem& one : all) names.push_back(printable(one.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<std::vector<FileSystem>> parse_file_systems(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("fs dump", json));
  std::vector<FileSystem> all;
  for (const Json& one : member(parsed, "filesystems")) all.push_back(read_file_system(one));
  return all;
}

Result<FileSystem> find_file_system(AdminCommands& commands, const std::string& name) {
  RADOSLOAD_ASSIGN(const auto dump, commands.mon(fs_dump_command));
  RADOSLOAD_ASSIGN(auto all, parse_file_systems(dump));
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const FileSystem& one) { return one.name == name; });
  if (found == all.end()) {
    return fail(unusable_system(name, "there is no such file system",
                                all.empty()
                                    ? "this user sees none: 'ceph fs ls' lists them, and the mon "
                                      "caps of a user may hide them (allow r fsname=NAME)"
                                    : fmt::format("the cluster has: {}", names_of_systems(all))));
  }
  if (found->active.empty()) {
    return fail(unusable_system(
        name,
        found->others.empty()
            ? "none of its MDSs is running"
            : fmt::format("none of its MDSs is active ({})", fmt::join(found->others, ", ")),
        fmt::format("start one, or wait until 'ceph fs status {}' shows an active one", name)));
  }
  if (found->data_pools.empty()) return fail(unusable_system(name, "it has no data pool", ""));
  return std::move(*found);
}

}  // namespace radosload::observe
