// In what two OSDs differ besides the property under comparison. A difference between them in speed
// may then come from that. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "placement/osd_inventory.h"

namespace radosload::placement {

struct Confounder {
  enum class Gravity : std::uint8_t {
    unknown,  // the value of one or both is not known
    bends,    // a comparison is possible, but must mention it
    unfair,   // too different: a comparison proves nothing
  };
  std::string what = {};  // "drive model"
  std::string a = {};     // "ST5000LM000-2AN170"; empty when not known
  std::string b = {};
  Gravity gravity = Gravity::bends;
  std::uint32_t weight = 0;  // how much it bends, beside others of its kind
};

// How far apart is too far.
struct MatchLimits {
  double size_ratio = 1.05;   // of drives: vendors' sizes of one class differ by less
  double fill_noted = 0.05;   // of the drive
  double fill_unfair = 0.10;  // a disk is slower where it is fuller, and its database larger
  double pgs_noted = 1.1;
  double pgs_unfair = 1.5;  // one that is still being filled, or drained
  double primaries_noted = 1.2;
  double capacity_noted = 1.1;
  double memory_noted = 1.1;
};

// Everything that differs, and what is not known, the gravest first.
std::vector<Confounder> confounders(const Osd& a, const Osd& b, const MatchLimits& limits = {});

bool fair(const std::vector<Confounder>& found);
// The sum over what bends or may bend.
std::uint32_t burden(const std::vector<Confounder>& found);

}  // namespace radosload::placement
