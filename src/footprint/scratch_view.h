// Scratch pools as a cluster shows them: which of its pools and CRUSH rules radosload made, and in
// which state each is. Pure: two commands' JSON, and what follows from them.
//
// A scratch pool and the CRUSH rule of its own, which is made before it, are made under a
// unique name (making_name) that contains the maker. So a pool is known as a scratch pool, and
// whose it is, from the moment there is one, although Ceph takes our mark (the application
// "radosload" with the key "scratch") only afterwards. Then both get their names.
//
// A rule that no pool uses is one of radosload if it has such a name of a moment: a maker's, or the
// one for its removal with its own number. One that merely begins like a scratch pool's name may be
// another client's, and goes only when it is named.
//
// A pool is one of radosload if it has a scratch pool's name and no other application, and in
// addition: the mark of a ready pool and size 1; or a maker's name with that maker's mark or,
// before there is a mark, with the CRUSH rule of the same name. A pool that lacks one of these is
// never touched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "footprint/manifest.h"
#include "placement/osd_map.h"
#include "placement/scratch_layout.h"

namespace radosload::footprint {

inline constexpr std::string_view scratch_prefix = "radosload-scratch-";
// The application and its keys in a pool's metadata.
inline constexpr std::string_view scratch_application = "radosload";
inline constexpr std::string_view scratch_key = "scratch";
inline constexpr std::string_view scratch_osds_key = "scratch_osds";

// With the prefix, whether it was given or not.
std::string scratch_name(std::string_view given);
// The name of a pool on these OSDs when the user gives none.
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
// Nothing: radosload did not write it.
std::optional<ScratchMark> decode_mark(std::string_view text);

// What a pool and its rule are called while they are made.
std::string making_name(std::string_view name, const ScratchMark& mark);
struct MakingName {
  std::string name = {};  // that they are to get
  Owner owner = {};       // who makes them; without a host
};
// Nothing: not one of these.
std::optional<MakingName> parse_making_name(std::string_view text);
// The name of a pool or a rule while it is being removed: no other client uses such a name.
std::string leaving_name(std::string_view name, std::int64_t id);
// The name that it has but for that: by which its runs know it.
std::string_view lasting_name(std::string_view name);
// Whether no other pool can come to have that name.
bool is_ours_alone(std::string_view name);

// A pool's OSDs as its metadata have them, "0-3.7"; empty when they are too many.
std::string osds_noted(const std::vector<std::int32_t>& osds);

struct RuleSeen {
  std::int64_t id = -1;
  std::string name = {};
  placement::CrushTake take = {};  // its first; empty when it has none
};

struct ScratchView {
  placement::OsdMap map = {};
  std::vector<RuleSeen> rules = {};

  const RuleSeen* rule(std::string_view name) const;
  std::size_t upmaps_of(std::int64_t pool) const;
  // Where rules begin that pools use.
  std::vector<placement::CrushTake> takes_in_use() const;
};

// `osd crush rule dump`
Result<std::vector<RuleSeen>> parse_crush_rules(const std::string& json);

struct ScratchFound {
  enum class State : std::uint8_t {
    ready,
    making,     // marked as unfinished: its maker works on it, or was killed
    unmarked,   // no mark yet: its maker is at the first commands, or was killed there
    rule_only,  // a rule without a pool
  };
  State state = State::ready;
  std::string name = {};
  std::string meant = {};  // the name it is to get, or had; `name` unless that is one of a moment
  std::int64_t pool = -1;  // -1: there is none
  std::uint32_t size = 0;
  std::uint32_t pg_num = 0;
  std::size_t upmaps = 0;
  std::string rule = {};  // ours, to be removed too; empty: it has another's
  std::int64_t rule_id = -1;
  std::string osds = {};  // that it was bound to: "0,3"; empty: they were too many to note
  ScratchMark mark = {};  // of an unmarked one: who makes it, by its name
};
// A rule of which the beginning of its name alone says that radosload made it.
bool by_prefix_alone(const ScratchFound& found);
// Whether it is still what it was when it was looked at; upmaps come and go.
bool unchanged(const ScratchFound& before, const ScratchFound& now);

std::string_view state_name(ScratchFound::State state);
// By name.
std::vector<ScratchFound> find_scratch(const ScratchView& view);

// Pools and rules of other clients that had taken one of our names at the moment of a removal that
// was killed just then: they have the name for the removal, and must get back the one they had.
struct Misnamed {
  std::string name = {};
  bool is_rule = false;
};
std::vector<Misnamed> find_misnamed(const ScratchView& view);

}  // namespace radosload::footprint
