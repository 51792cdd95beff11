// The rights that each feature needs, as the caps of a Ceph user: the least that works. `radosload
// auth`, help, refusals and docs/production.md have them from here. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

namespace radosload::observe {

// Features that need the same rights, and so can share a user.
struct Rights {
  std::string_view features;  // "run, pinning": what `radosload auth` takes
  std::string_view what;      // one line
  std::string_view user;      // a name for it: "load" of client.load
  std::string_view mon;
  std::string_view mgr;
  std::string_view mds = {};  // of files only
  std::string_view osd;       // with POOL and NAMESPACE; empty: none
  std::string_view note;      // what is missing with less, or what these rights could do
  std::string_view use;       // a command with that user, but for --id and --keyring

  std::vector<std::string_view> names() const;  // of the features, one by one
};

// Whom and what the rights are for. What is empty stays as the table has it.
struct RightsFor {
  std::string user = {};  // with "client." or without
  std::string pool = {};
  std::string nspace = {};
  std::string fs = {};  // a file system
};

// What the table has, for that user.
struct Caps {
  std::string mon = {};
  std::string mgr = {};
  std::string mds = {};
  std::string osd = {};
};

std::span<const Rights> all_rights();

// An unknown feature is a usage error that names the nearest one.
Result<const Rights*> rights_for(std::string_view feature);

// A name that a line for a shell cannot hold is a usage error.
Status check_names(const RightsFor& whom);

// "client.load"
std::string user_name(const Rights& rights, const RightsFor& whom = {});
Caps caps_of(const Rights& rights, const RightsFor& whom = {});
// "mon 'allow r' mgr 'allow r' osd 'allow *'"
std::string caps_text(const Rights& rights, const RightsFor& whom = {});
// "ceph auth get-or-create client.load mon 'allow r' ..."
std::string grant_command(const Rights& rights, const RightsFor& whom = {});

// The end of a hint, for a refusal: "'radosload auth watch' prints the rights it needs".
std::string rights_hint(std::string_view feature);
// The hint for operations on a pool that are not answered.
std::string silence_hint(std::string_view feature);

}  // namespace radosload::observe
