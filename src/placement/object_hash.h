// Which PG an object hashes to, worked out as Ceph's clients do it. librados can tell the same
// (get_object_pg_hash_position2), at the price of a lock and a look at the map for each name; a
// choice of objects on thousands of OSDs asks for hundreds of thousands. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace radosload::placement {

// Robert Jenkins' hash of 1996, pools' default (object_hash 2).
std::uint32_t rjenkins(std::string_view bytes) noexcept;

// Which of pg_num PGs a hash belongs to, so that most objects stay where they are when pg_num
// grows.
std::uint32_t stable_mod(std::uint32_t hash, std::uint32_t pg_num) noexcept;

// The PG of an object without a locator. Keeps the namespace's part of the text between calls.
class ObjectHash {
 public:
  ObjectHash(std::string_view nspace, std::uint32_t pg_num);
  std::uint32_t operator()(std::string_view name);

 private:
  std::string m_text;
  std::size_t m_prefix;
  std::uint32_t m_pg_num;
};

}  // namespace radosload::placement
