#include "support/wait_for.h"

#include <thread>

namespace radosload::test {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::string last_part(const std::string& text) {
  constexpr std::size_t most = 4000;
  return text.size() <= most ? text : "[...]" + text.substr(text.size() - most);
}

testing::AssertionResult wait_for(const std::string& what, const Look& look,
                                  std::chrono::milliseconds limit, const Pause& pause) {
  const auto begin = Clock::now();
  std::optional<std::string> given_up;
  Seen seen = look();
  while (!seen.enough && !given_up && Clock::now() - begin < limit) {
    given_up = pause();
    seen = look();
  }
  if (seen.enough) return testing::AssertionSuccess();
  const std::chrono::duration<double> waited = Clock::now() - begin;
  testing::AssertionResult failure = testing::AssertionFailure();
  failure << "waited " << waited.count() << " s for " << what;
  if (given_up) failure << "; gave up, because " << *given_up;
  if (!seen.text.empty()) failure << "; seen last: " << last_part(seen.text);
  return failure;
}

testing::AssertionResult wait_for(const std::string& what, const Look& look,
                                  std::chrono::milliseconds limit,
                                  std::chrono::milliseconds between_looks) {
  return wait_for(what, look, limit, [&]() -> std::optional<std::string> {
    // Time: between two looks.
    std::this_thread::sleep_for(between_looks);
    return std::nullopt;
  });
}

Seen contains(const std::string& text, const std::string& wanted) {
  return {text.find(wanted) != std::string::npos, text};
}

}  // namespace radosload::test
