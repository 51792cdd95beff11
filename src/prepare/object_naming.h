// What the objects of a run are called and which pool they are in, for those who look for one of
// them in the cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace radosload::prepare {

struct ObjectNaming {
  std::function<std::string(std::uint64_t object)>
      name_of;                             // empty: an operation has several objects
  std::vector<std::string> prefixes = {};  // one of these begins each of the names
  std::int64_t pool = -1;
  std::string nspace = {};
  // The PG of a name, as the client's own map of the pool has it; nothing when it does not know.
  // Any thread. Empty: there is no client.
  std::function<std::optional<std::uint32_t>(const std::string& name)> pg_of = {};
};

}  // namespace radosload::prepare
