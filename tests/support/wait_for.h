// The one way to wait in a test: for what the test is about, never for a time. A wait that fails
// says what it waited for, how long, and what it saw last.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace radosload::test {

// What one look at the condition saw.
struct Seen {
  // Conditions that have nothing to show return a bool.
  Seen(bool is_enough, std::string what = {})  // NOLINT(google-explicit-constructor)
      : enough(is_enough), text(std::move(what)) {}

  bool enough;
  std::string text;  // shown when the wait fails
};

using Look = std::function<Seen()>;
// Passes the time between two looks; a reason to give up makes the next look the last one.
using Pause = std::function<std::optional<std::string>()>;

// Far more than anything takes on a busy machine. It costs nothing when the thing happens.
constexpr std::chrono::milliseconds patience = std::chrono::minutes(2);
// Between two looks that cost nothing, and between two that start a program.
constexpr std::chrono::milliseconds soon(10);
constexpr std::chrono::milliseconds now_and_then(500);

// Looks repeatedly, until a look has seen enough. Fails at the limit.
testing::AssertionResult wait_for(const std::string& what, const Look& look,
                                  std::chrono::milliseconds limit = patience,
                                  std::chrono::milliseconds between_looks = soon);
testing::AssertionResult wait_for(const std::string& what, const Look& look,
                                  std::chrono::milliseconds limit, const Pause& pause);

// The end of a long text, which says what happened last.
std::string last_part(const std::string& text);

// Seen when a text contains another; shows the text.
Seen contains(const std::string& text, const std::string& wanted);

}  // namespace radosload::test
