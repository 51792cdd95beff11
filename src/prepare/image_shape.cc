#include "prepare/image_shape.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

Error refusal(const RunPlan& plan, std::string reason, std::string hint) {
  const auto& names = plan.images.names;
  return Error{.attempt = "use the image",
               .subject = names.empty() ? "that the run would make"
                                        : fmt::format("{}", fmt::join(names, ", ")),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::refused};
}

// Objects of theirs that the working set takes in each of them.
Result<std::uint64_t> objects_used(const RunPlan& plan, const ImageShape& shape, Bytes object) {
  const std::uint64_t hold = shape.size.count / object.count;
  const std::uint64_t every = object.count * shape.count;
  const std::uint64_t wanted = (plan.pattern.working_set.count + every - 1) / every;
  if (plan.size_named && wanted > hold) {
    return fail(refusal(plan,
                        fmt::format("its size is {}, but the working set is {}",
                                    human_text(Bytes{shape.size.count * shape.count}),
                                    human_text(plan.pattern.working_set)),
                        "take a smaller --size, or leave it out for all the image holds"));
  }
  return std::min(wanted, hold);
}

}  // namespace

std::uint64_t image_count(const RunPlan& plan, std::uint32_t processes) {
  if (!plan.images.names.empty()) return plan.images.names.size();
  return std::uint64_t{plan.clients} * processes;
}

Result<RunPlan> fit_to_images(const RunPlan& plan, const ImageShape& shape) {
  RunPlan fitted = plan;
  Pattern& pattern = fitted.pattern;
  if (shape.object_size.count > 0) {
    if (plan.object_size_named && pattern.object_size != shape.object_size) {
      return fail(
          refusal(plan,
                  fmt::format("its object size is {}, but object-size={} was given",
                              option_text(shape.object_size), option_text(pattern.object_size)),
                  "leave out object-size: an existing image has its own"));
    }
    pattern.object_size = shape.object_size;
  }
  pattern.object_size = std::min(pattern.object_size, shape.size);
  if (pattern.block_size > pattern.object_size) {
    return fail(
        refusal(plan,
                fmt::format("operations of {} do not fit its objects of {}",
                            option_text(pattern.block_size), option_text(pattern.object_size)),
                "take a smaller block size: bs=" + option_text(pattern.object_size)));
  }
  pattern.whole_objects = pattern.whole_objects && pattern.block_size == pattern.object_size;
  RADOSLOAD_ASSIGN(const auto used, objects_used(plan, shape, pattern.object_size));
  pattern.working_set = Bytes{used * pattern.object_size.count * shape.count};
  return fitted;
}

}  // namespace radosload::prepare
