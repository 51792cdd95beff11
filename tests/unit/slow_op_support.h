// Operations as we send them, and as OSDs tell of them.
#pragma once

#include <utility>
#include <vector>

#include "observe/historic_ops.h"
#include "record/slow_op.h"
#include "watch/slow_op_match.h"

namespace radosload::watch::testing {

inline constexpr Time noon = std::chrono::hours(490'000);
inline const OurObjects ours{.pool = 2, .nspace = "radosload"};

// An operation of ours on "x", with these events so many ms after it was received.
inline observe::OsdOp seen_op(Time received, const std::vector<std::pair<const char*, int>>& events,
                              std::uint64_t tid = 1) {
  observe::OsdOp op{.client = 7,
                    .tid = tid,
                    .pool = ours.pool,
                    .nspace = ours.nspace,
                    .object = "x",
                    .extents = {{.verb = "write", .offset = 0, .length = 4096}},
                    .initiated = received,
                    .events = {}};
  for (const auto& [name, ms] : events) {
    op.events.push_back({.name = name, .at = received + std::chrono::milliseconds(ms)});
  }
  return op;
}

inline record::SlowOp our_write(Time sent, Time took, std::int32_t osd = 3) {
  return {.kind = OpKind::write,
          .object = "x",
          .pool = ours.pool,
          .pg = 1,
          .osd = osd,
          .bytes = 4096,
          .wall = sent,
          .service = took,
          .response = took};
}

}  // namespace radosload::watch::testing
