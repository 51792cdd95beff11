// Calls that may never return, made so that the caller always does. librados offers no deadline for
// some commands (a mgr that is gone, an OSD that is stopped), and the one it has for the mgr frees
// memory that a late answer still writes to; so such calls run on a thread of their own and are
// given up when they take too long. What is given up keeps everything it needs alive.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "radosload/units.h"

namespace radosload::cluster {

// What a call is: one that works on objects or images, or one that merely asks a daemon something.
enum class CallKind : std::uint8_t { work, question };

// Runs the call on another thread. False when it did not end in time; then it goes on unwatched,
// and whatever it captured must be its own (shared_ptr, copies).
bool call_within(Time limit, std::function<void()> call, CallKind kind = CallKind::work);

// How many calls have been given up and not come back. While there are any, the process must not
// run static destructors: main leaves through _exit.
int abandoned_calls();
// Those among them that may still change something, or keep an image open.
int abandoned_work();
// Something else of the same kind that will never come back: an operation whose callback did not
// fire even when it was cancelled.
void count_abandoned();

// The same for a call with a value: nothing when it took too long.
template <typename Value>
std::optional<Value> value_within(Time limit, std::function<Value()> call,
                                  CallKind kind = CallKind::work) {
  auto value = std::make_shared<std::optional<Value>>();
  auto keep = [value, call = std::move(call)] { value->emplace(call()); };
  if (!call_within(limit, std::move(keep), kind)) return std::nullopt;
  return std::move(*value);
}

}  // namespace radosload::cluster
