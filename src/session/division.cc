#include "session/division.h"

#include <algorithm>

#include <fmt/format.h>

namespace radosload::session {

namespace {

std::uint64_t own_share(std::uint64_t whole, workload::Part part) {
  return workload::share_of(whole, part.index, part.of).size();
}

Error indivisible(std::string reason, std::string hint) {
  return Error{.attempt = "divide the load",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage};
}

}  // namespace

Result<RunPlan> plan_of_member(const RunPlan& whole, workload::Part part) {
  RunPlan own = whole;
  // Other members may write any block, so its content cannot be predicted. Of several images each
  // belongs to one member.
  const bool own_blocks = whole.target == TargetKind::rbd && whole.images.names.size() != 1;
  if (!own_blocks) own.pattern.verify = std::min(own.pattern.verify, Verify::stamp);
  if (whole.session.share == Sharing::all) {
    own.arrival.ops_per_second *= part.of;
    return own;
  }
  own.pattern.queue_depth = static_cast<std::uint32_t>(own_share(whole.pattern.queue_depth, part));
  if (whole.pattern.queue_depth / part.of < whole.clients) {
    return fail(indivisible(
        fmt::format("--qd {} is too little for {} members with {} each", whole.pattern.queue_depth,
                    part.of,
                    whole.clients == 1 ? "a client" : fmt::format("{} clients", whole.clients)),
        fmt::format("--qd is the total of all members: give --qd {} or more, or --share all",
                    std::uint64_t{part.of} * whole.clients)));
  }
  const auto limit = [&](std::uint64_t amount, const char* name) -> Status {
    if (amount == 0 || amount >= part.of) return {};
    return fail(
        indivisible(fmt::format("--{} {} is less than the {} members", name, amount, part.of),
                    fmt::format("give --{} {} or more, or --share all", name, part.of)));
  };
  RADOSLOAD_TRY(limit(whole.extent.ops, "ops"));
  RADOSLOAD_TRY(limit(whole.extent.bytes.count, "bytes"));
  own.extent.ops = own_share(whole.extent.ops, part);
  own.extent.bytes = Bytes{own_share(whole.extent.bytes.count, part)};
  return own;
}

}  // namespace radosload::session
