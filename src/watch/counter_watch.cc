#include "watch/counter_watch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "watch/route_tally.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::watch {

namespace {

constexpr std::size_t askers = 8;
// After this no further OSD is asked; questions in progress have their own deadline.
constexpr Time counters_patience = std::chrono::seconds(3);

Error not_asked(std::int32_t osd) {
  return {.attempt = "get 'perf dump' from",
          .subject = fmt::format("osd.{}", osd),
          .reason = "not asked, because other OSDs did not answer in time"};
}

}  // namespace

CounterWatch::CounterWatch(std::shared_ptr<AdminCommands> commands, std::vector<std::int32_t> osds)
    : m_commands(std::move(commands)), m_osds(std::move(osds)) {}

CounterWatch::Answers CounterWatch::ask_all() const {
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  Answers answers;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < m_osds.size(); i = next++) {
      const std::int32_t osd = m_osds[i];
      const bool late = std::chrono::steady_clock::now() - start > counters_patience;
      auto answer = late ? Result<ServedCounters>(fail(not_asked(osd)))
                         : observe::fetch_served(*m_commands, osd);
      const std::lock_guard lock(mutex);
      answers.emplace(osd, std::move(answer));
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(askers);
  for (std::size_t i = 0; i < std::min(askers, m_osds.size()); ++i) threads.emplace_back(work);
  threads.clear();  // they have ended then
  return answers;
}

void CounterWatch::begin() {
  m_before = ask_all();
}

void CounterWatch::finish(record::Routing& routing) {
  const Answers after = ask_all();
  std::vector<std::string> troubles;
  const auto trouble = [&](const Error& error) {
    // Each once: without rights all OSDs say the same.
    if (troubles.empty()) troubles.push_back(one_line(error));
  };
  std::vector<std::string> reset;
  std::size_t unknown = 0;
  for (const std::int32_t osd : m_osds) {
    record::OsdRoute& route = route_of(routing, osd);
    const auto& first = m_before.at(osd);
    const auto& last = after.at(osd);
    if (!first || !last) {
      trouble(first ? last.error() : first.error());
      ++unknown;
      continue;
    }
    route.served = observe::growth(*first, *last);
    if (!route.served) reset.push_back(fmt::format("osd.{}", osd));
  }
  if (unknown > 1) troubles.push_back(fmt::format("the same for {} OSDs in all", unknown));
  if (!reset.empty()) {
    troubles.push_back(
        fmt::format("{} counted from zero again during the run: it was restarted, or its counters "
                    "were reset",
                    fmt::join(reset, ", ")));
  }
  routing.uncounted = fmt::format("{}", fmt::join(troubles, "; "));
}

}  // namespace radosload::watch
