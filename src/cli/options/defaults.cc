#include "cli/options/defaults.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/options/config_check.h"
#include "cluster/ceph_args.h"
#include "record/file.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;
using Entries = std::vector<ConfigEntry>;

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<Entries> read_config(const fs::path& path) {
  std::error_code code;
  // A folder that must not be searched (the home of sudo's user) counts as empty.
  if (path.empty() || !fs::exists(path, code)) return Entries();
  auto text = record::read_file(path);
  if (!text) {
    Error error = std::move(text).error();
    error.hint = "--no-config ignores the config files";
    error.exit = Exit::usage;
    return fail(std::move(error));
  }
  return parse_config(*text, path.string());
}

// The cluster options that the environment sets.
Names named_by_environment() {
  Names names;
  if (*variable("CEPH_CONF") != '\0') names.insert("conf");
  if (*variable("CEPH_KEYRING") != '\0') names.insert("keyring");
  const ClusterOptions untouched;
  const auto said = cluster::with_ceph_args(untouched, variable("CEPH_ARGS"));
  if (said.conf != untouched.conf) names.insert("conf");
  if (said.cluster != untouched.cluster) names.insert("cluster");
  if (said.mon_host != untouched.mon_host) names.insert("mon-host");
  if (said.name != untouched.name) names.insert("name");
  if (said.keyring != untouched.keyring) names.insert("keyring");
  return names;
}

bool any_of(const Names& names, std::initializer_list<const char*> wanted) {
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const char* name) { return names.contains(name); });
}

// The options that config files must not set: the command line or the environment has set them, or
// has selected another cluster (with other users) or another user (with another keyring).
Names given_way(const Names& named, const Given& given) {
  Names gone = named;
  if (any_of(named, {"conf", "cluster", "mon-host"})) {
    gone.insert({"conf", "cluster", "mon-host", "id", "name", "keyring", "observer-id",
                 "observer-keyring"});
  }
  if (any_of(named, {"id", "name"})) gone.insert({"id", "name", "keyring"});
  if (named.contains("json")) gone.insert("format");
  if (named.contains("format")) gone.insert("json");
  if (named.contains("observer-id")) gone.insert("observer-keyring");
  if (given.without_cluster) {
    gone.insert({"pool", "namespace", "keep", "observer-id", "observer-keyring"});
  }
  if (given.pretended) gone.insert({"power", "power-cmd", "power-idle"});
  return gone;
}

Entries section_of(const Entries& entries, const std::string& section) {
  Entries found;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(found),
               [&](const ConfigEntry& entry) { return entry.section == section; });
  return found;
}

// The sections that this command uses, in order of priority.
std::vector<Entries> layers_of(const std::vector<Entries>& files, const std::string& command) {
  std::vector<Entries> layers;
  for (const Entries& file : files) {
    layers.push_back(section_of(file, command));
    layers.push_back(section_of(file, cluster_section));
  }
  return layers;
}

void take_layer(const Entries& layer, const Declared& declared, const Names& gone,
                Defaults& defaults) {
  for (const ConfigEntry& entry : layer) {
    const auto option = declared.find(entry.key);
    if (option == declared.end() || gone.contains(entry.key)) continue;
    defaults.options.insert(entry.key);
    const auto word = word_of(entry, option->second);
    if (word.empty()) continue;
    defaults.words.push_back(word);
    if (std::find(defaults.files.begin(), defaults.files.end(), entry.file) ==
        defaults.files.end()) {
      defaults.files.push_back(entry.file);
    }
  }
}

Defaults fold(const std::vector<Entries>& files, const Given& given) {
  Defaults defaults;
  Names named = given.options;
  named.merge(named_by_environment());
  for (const Entries& layer : layers_of(files, given.command)) {
    take_layer(layer, given.declared, given_way(named, given), defaults);
    for (const ConfigEntry& entry : layer) named.insert(entry.key);
  }
  for (const Entries& file : files) {
    for (const ConfigEntry& pool : section_of(file, pools_section)) {
      defaults.pools.emplace(pool.key, pool.value);
    }
  }
  return defaults;
}

}  // namespace

ConfigPaths config_paths() {
  ConfigPaths paths;
  const char* const system = std::getenv("RADOSLOAD_CONFIG");
  paths.system = system != nullptr ? system : "/etc/radosload/radosload.conf";
  // By the XDG specification a relative path in this variable must be ignored.
  const std::string_view xdg = variable("XDG_CONFIG_HOME");
  const std::string_view home = variable("HOME");
  if (xdg.starts_with('/')) {
    paths.user = fs::path(xdg) / "radosload" / "radosload.conf";
  } else if (home.starts_with('/')) {
    paths.user = fs::path(home) / ".config" / "radosload" / "radosload.conf";
  }
  return paths;
}

Result<Defaults> defaults_for(const std::vector<std::string>& words, const ConfigPaths& paths) {
  const auto given = given_by(words);
  if (!given || !given->reads_config) return Defaults();
  std::vector<Entries> files;
  for (const fs::path& path : {paths.user, paths.system}) {
    RADOSLOAD_ASSIGN(auto entries, read_config(path));
    for (const ConfigEntry& entry : entries) {
      RADOSLOAD_TRY(check_entry(entry));
    }
    files.push_back(std::move(entries));
  }
  return fold(files, *given);
}

}  // namespace radosload::cli
