#include "run/slow_ops.h"

#include <algorithm>
#include <chrono>

namespace radosload::run {

namespace {

Time whole_microseconds(Time time) {
  return std::chrono::floor<std::chrono::microseconds>(time);
}

}  // namespace

std::vector<record::SlowOp> slow_ops(const PassEnd& pass,
                                     const std::function<std::string(std::uint64_t)>& name_of,
                                     std::int64_t pool) {
  std::vector<record::SlowOp> listed;
  listed.reserve(pass.end.slowest.size());
  for (const engine::SlowOp& op : pass.end.slowest) {
    listed.push_back({.kind = op.op.kind,
                      .object = name_of ? name_of(op.op.object) : std::string(),
                      .pool = op.op.pg == no_pg ? -1 : pool,
                      .pg = pool < 0 ? no_pg : op.op.pg,
                      .osd = op.op.osd,
                      .offset = op.op.offset,
                      .bytes = op.op.length,
                      .at = op.submitted - pass.end.measure_start,
                      .wall = whole_microseconds(op.submitted + pass.wall_ahead),
                      .service = op.completed - op.submitted,
                      .response = op.response(),
                      .rc = std::min(op.rc, 0),
                      .answered = op.answered,
                      .waited = {}});
  }
  return listed;
}

}  // namespace radosload::run
