// What the objects of a run are called, for those who look for one of them in the cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rados/librados.hpp>

namespace radosload::prepare {

// What an operation's object is called, and the pool that it is in.
struct ObjectNaming {
  std::function<std::string(std::uint64_t object)>
      name_of;                             // empty: an operation has no one object
  std::vector<std::string> prefixes = {};  // one of these begins each of the names
  librados::IoCtx pool;
};

}  // namespace radosload::prepare
