// Runs calls that may hang, with a time limit. librados has no time limit for some commands (the
// mgr is gone, an OSD is stopped), and its limit for the mgr frees memory that a late answer still
// writes to. So each such call runs on another thread and is abandoned when it takes too long; an
// abandoned call keeps alive everything it uses.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "radosload/units.h"

namespace radosload::cluster {

// The kind of a call: it works on objects or images, or it only queries a daemon.
enum class CallKind : std::uint8_t { work, question };

// Runs the call on another thread. Returns false when the call exceeds the limit; it then keeps
// running, so everything it captured must be owned by it (shared_ptr, copies).
bool call_within(Time limit, std::function<void()> call, CallKind kind = CallKind::work);

// The number of abandoned calls that still run. While there are any, static destructors must not
// run: main leaves through _exit.
int abandoned_calls();
// Those that may still change something, or keep an image open.
int abandoned_work();
// Counts one more that will never return: an operation whose callback did not run even after a
// cancel.
void count_abandoned();

// The same for a call with a value: empty when it exceeded the limit.
template <typename Value>
std::optional<Value> value_within(Time limit, std::function<Value()> call,
                                  CallKind kind = CallKind::work) {
  auto value = std::make_shared<std::optional<Value>>();
  auto keep = [value, call = std::move(call)] { value->emplace(call()); };
  if (!call_within(limit, std::move(keep), kind)) return std::nullopt;
  return std::move(*value);
}

}  // namespace radosload::cluster
