#include "record/slow_op.h"

#include <algorithm>

#include "radosload/outcome.h"

#include <fmt/format.h>

namespace radosload::record {

namespace {

constexpr std::array<std::string_view, wait_count> wait_names = {
    "to-osd",  "receive", "queue",    "blocked", "execution", "commit",
    "replica", "shards",  "from-osd", "silent",  "client"};

}  // namespace

std::string_view wait_name(Wait wait) {
  return wait_names.at(static_cast<std::size_t>(wait));
}

std::optional<Wait> wait_from_name(std::string_view name) {
  const auto* const found = std::find(wait_names.begin(), wait_names.end(), name);
  if (found == wait_names.end()) return std::nullopt;
  return static_cast<Wait>(found - wait_names.begin());
}

std::string pg_text(const SlowOp& op) {
  return op.pg == no_pg || op.pool < 0 ? std::string() : fmt::format("{}.{:x}", op.pool, op.pg);
}

std::string outcome_text(const SlowOp& op) {
  if (!op.answered) return "unanswered";
  return op.rc < 0 ? rc_name(op.rc) : "ok";
}

}  // namespace radosload::record
