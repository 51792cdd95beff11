#include "watch/counter_watch.h"

#include <utility>

#include "watch/ask_osds.h"
#include "watch/route_tally.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::watch {

CounterWatch::CounterWatch(std::shared_ptr<AdminCommands> commands, std::vector<std::int32_t> osds)
    : m_commands(std::move(commands)), m_osds(std::move(osds)) {}

CounterWatch::Answers CounterWatch::ask_all() const {
  return ask_osds(m_osds,
                  [this](std::int32_t osd) { return observe::fetch_served(*m_commands, osd); });
}

void CounterWatch::begin() {
  m_before = ask_all();
}

void CounterWatch::finish(record::Routing& routing) {
  const Answers after = ask_all();
  std::vector<std::string> troubles;
  const auto trouble = [&](const Error& error) {
    // Equal errors are kept once: without rights all OSDs give the same one.
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
