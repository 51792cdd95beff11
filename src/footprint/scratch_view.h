// Scratch pools as a cluster shows them: which of its pools and CRUSH rules are ours, and in which
// state each is. Pure: two commands' JSON, and what follows from them.
//
// A scratch pool has a CRUSH rule of its own, of the same name, which is made before it: so a pool
// is known as ours from the moment there is one, although Ceph takes our mark (the application
// "radosload" with the key "scratch") only afterwards. Whatever has neither is never touched.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "footprint/manifest.h"
#include "placement/scratch_plan.h"

namespace radosload::footprint {

inline constexpr std::string_view scratch_prefix = "radosload-scratch-";
// The application and its keys in a pool's metadata.
inline constexpr std::string_view scratch_application = "radosload";
inline constexpr std::string_view scratch_key = "scratch";
inline constexpr std::string_view scratch_osds_key = "scratch_osds";

// With the prefix, whether it was given or not.
std::string scratch_name(std::string_view given);
// What a pool on these OSDs is called when nobody says.
std::string scratch_name(const std::vector<std::int32_t>& osds);

// The value of our mark: who makes or has made the pool. Ceph takes 128 bytes of few kinds; what it
// does not take is left out.
struct ScratchMark {
  bool ready = false;  // otherwise it is being made, or was when its maker died
  Owner owner = {};
  std::string since = {};  // 20261121T040012Z

  bool operator==(const ScratchMark&) const = default;
};
std::string encode_mark(const ScratchMark& mark);
// Never fails: of a mark that says nothing we understand, all is empty and the pool is ready.
ScratchMark decode_mark(std::string_view text);

// A pool's OSDs as its metadata have them, "0-3.7"; empty when they are too many.
std::string osds_noted(const std::vector<std::int32_t>& osds);

struct PoolSeen {
  std::int64_t id = -1;
  std::string name = {};
  std::uint32_t size = 0;
  std::uint32_t pg_num = 0;
  std::int64_t rule = -1;
  std::map<std::string, std::map<std::string, std::string>> applications = {};
};

struct RuleSeen {
  std::int64_t id = -1;
  std::string name = {};
  placement::CrushTake take = {};  // its first; empty when it has none
};

struct ScratchView {
  std::vector<PoolSeen> pools = {};
  std::vector<RuleSeen> rules = {};
  std::vector<std::string> upmaps = {};  // PGs with an entry in either table: "7.1f"
  std::string oldest_client = {};        // require_min_compat_client; empty: none is required

  const PoolSeen* pool(std::string_view name) const;
  const RuleSeen* rule(std::string_view name) const;
  std::size_t upmaps_of(std::int64_t pool) const;
  // Where rules begin that pools use.
  std::vector<placement::CrushTake> takes_in_use() const;
};

// `osd dump` and `osd crush rule dump`.
Status parse_scratch_dump(const std::string& json, ScratchView& into);
Status parse_scratch_rules(const std::string& json, ScratchView& into);

struct ScratchFound {
  enum class State : std::uint8_t {
    ready,
    making,     // marked, but not to the end: somebody is at it, or was
    unmarked,   // not even marked: somebody is, or was, in the middle of the first commands
    rule_only,  // a rule without a pool
  };
  State state = State::ready;
  std::string name = {};
  std::int64_t pool = -1;  // -1: there is none
  std::uint32_t size = 0;
  std::uint32_t pg_num = 0;
  std::size_t upmaps = 0;
  std::string rule = {};  // ours, to be removed too; empty: it has another's
  std::string osds = {};  // that it was bound to: "0,3"; empty: they were too many to note
  ScratchMark mark = {};
};

std::string_view state_name(ScratchFound::State state);
// By name.
std::vector<ScratchFound> find_scratch(const ScratchView& view);

}  // namespace radosload::footprint
