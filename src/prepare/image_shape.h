// A plan cut to fit the images it runs on.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::prepare {

// What every image of a run is like.
struct ImageShape {
  Bytes size;
  Bytes object_size;        // 0: they will be made, with objects as the plan wants them
  std::uint64_t count = 1;  // of images
};

// The plan with the images' object size, and no more than they hold. Refuses what they cannot
// carry.
Result<RunPlan> fit_to_images(const RunPlan& plan, const ImageShape& shape);

// How many images a plan runs on: those it names, or one for each client of each process.
std::uint64_t image_count(const RunPlan& plan, std::uint32_t processes = 1);

}  // namespace radosload::prepare
