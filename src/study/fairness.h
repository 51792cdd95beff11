// Whether the OSDs of a study's arms differ in more than the question. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "placement/osd_inventory.h"
#include "study/schedule.h"

namespace radosload::study {

struct Fairness {
  std::vector<std::string> differences;  // a sentence each
  bool unfair = false;                   // one of them makes the comparison prove nothing
};

// Each OSD of a later arm beside the one of the first arm that is most like it: with that it is
// compared, in effect. Units other than OSDs are not compared.
Fairness fairness_of(const std::vector<ArmUnits>& arms, const placement::OsdInventory& inventory);

// Why a study with such arms does not begin; nothing if it may, or is forced to.
std::optional<Error> refusal_of(const Fairness& fairness, bool force);

// 3 for "osd.3"; nothing for another unit.
std::optional<std::int32_t> osd_of_unit(const std::string& unit);

}  // namespace radosload::study
