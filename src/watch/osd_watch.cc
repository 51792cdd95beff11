#include "watch/osd_watch.h"

#include <cerrno>
#include <utility>

#include "observe/fetch_osd_map.h"
#include "observe/osd_counters.h"
#include "observe/rights.h"

#include <fmt/format.h>

namespace radosload::watch {

namespace {

constexpr const char* restarted_text = "it was restarted";
constexpr const char* reset_text = "its counters were reset";
constexpr const char* from_zero_text =
    "it counts from zero again: it was restarted, or its counters were reset";
constexpr const char* down_text = "it is down";

// Without the rights every OSD refuses, and the solution is the same for all.
Error no_counters(const Error& error) {
  Error told = error;
  told.exit = Exit::no_cluster;
  if (error.errnum == EACCES || error.errnum == EPERM) {
    told.hint = "reading counters takes a user with osd caps 'allow *', for --id and --keyring: " +
                observe::rights_hint("watch");
  }
  return told;
}

record::OsdWindow window_between(std::int32_t osd, const std::string& kind, Time from, Time to) {
  return {.osd = osd, .kind = kind, .from = from, .to = to};
}

}  // namespace

OsdWatch::OsdWatch(std::shared_ptr<AdminCommands> commands, const std::vector<Watched>& osds,
                   Now now)
    : m_commands(std::move(commands)),
      m_dumps(std::make_unique<OsdDumps>(m_commands)),
      m_now(std::move(now)) {
  for (const Watched& one : osds) {
    m_ids.push_back(one.osd);
    m_osds.push_back({.osd = one.osd, .kind = one.kind});
  }
}

OsdWatch::Answers OsdWatch::ask_all() const {
  return ask_osds(m_ids, [this](std::int32_t osd) -> Result<Dump> {
    Dump dump{.at = m_now()};
    RADOSLOAD_ASSIGN(const auto told, m_dumps->fetch(osd));
    dump.counters = m_dumps->read(osd, told);
    return dump;
  });
}

Status OsdWatch::begin() {
  // The map is read before the first dumps, so that a restart between the two is noticed.
  const auto map = observe::fetch_osd_map(*m_commands);
  if (map) {
    for (Seen& seen : m_osds) {
      const auto found = map->identities.find(seen.osd);
      if (found != map->identities.end()) seen.identity = found->second;
    }
  }
  Answers answers = ask_all();
  const Error* refusal = nullptr;
  bool any = false;
  for (Seen& seen : m_osds) {
    auto& answer = answers.at(seen.osd);
    if (answer) {
      any = true;
      ingest(seen, *std::move(answer), false);
    } else {
      refusal = refusal == nullptr ? &answer.error() : refusal;
      miss(seen, answer.error(), map ? &*map : nullptr);
    }
  }
  if (!any && refusal != nullptr) return fail(no_counters(*refusal));
  return {};
}

void OsdWatch::poll() {
  Answers answers = ask_all();
  // The map is read after the dumps: an OSD gets commands only once it is in the map, so the map
  // describes the process that gave the dump.
  const auto map = observe::fetch_osd_map(*m_commands);
  for (Seen& seen : m_osds) {
    auto& answer = answers.at(seen.osd);
    if (!answer) {
      miss(seen, answer.error(), map ? &*map : nullptr);
      continue;
    }
    std::optional<bool> replaced;
    if (map) {
      const auto found = map->identities.find(seen.osd);
      if (found != map->identities.end()) replaced = was_replaced(seen, found->second);
    }
    ingest(seen, *std::move(answer), replaced);
  }
}

std::optional<bool> OsdWatch::was_replaced(Seen& seen, const placement::OsdIdentity& now) {
  const auto before = std::exchange(seen.identity, now);
  if (!before) return std::nullopt;
  if (before->up_from == now.up_from && before->nonce == now.nonce) return false;
  // Each process has its own nonce. An OSD with the same nonce was only marked down and continues
  // to count.
  const bool same_process = before->nonce != 0 && before->nonce == now.nonce;
  if (same_process) seen.notes.emplace_back("was marked down and is up again");
  return !same_process;
}

void OsdWatch::ingest(Seen& seen, Dump dump, std::optional<bool> replaced) {
  seen.lately.clear();
  seen.answers = true;
  if (replaced.value_or(false)) {
    seen.lately = restarted_text;
  } else if (seen.last && !observe::growth(seen.last->counters, dump.counters)) {
    seen.lately = replaced ? reset_text : from_zero_text;
  }
  if (!seen.first) {
    seen.first = dump;
  } else if (seen.broken.empty() && !seen.lately.empty()) {
    seen.broken = fmt::format("{}, between {:.1f} and {:.1f} s", seen.lately,
                              seconds(seen.last->at), seconds(dump.at));
  }
  seen.before = std::exchange(seen.last, std::move(dump));
}

void OsdWatch::miss(Seen& seen, const Error& error, const placement::OsdMap* map) {
  seen.answers = false;
  const bool down = map != nullptr && map->down.contains(seen.osd);
  seen.lately = down ? down_text : one_line(error);
}

std::vector<record::OsdWindow> OsdWatch::whole() const {
  std::vector<record::OsdWindow> windows;
  for (const Seen& seen : m_osds) {
    auto& window = windows.emplace_back(window_between(seen.osd, seen.kind,
                                                       seen.first ? seen.first->at : Time(0),
                                                       seen.last ? seen.last->at : Time(0)));
    if (!seen.broken.empty()) {
      window.missing = seen.broken;
    } else if (!seen.first || seen.first->at == seen.last->at) {
      window.missing = seen.lately.empty() ? "its counters were read only once" : seen.lately;
    } else if (auto grown = observe::growth(seen.first->counters, seen.last->counters)) {
      window.growth = *std::move(grown);
    } else {
      window.missing = from_zero_text;
    }
  }
  return windows;
}

std::vector<record::OsdWindow> OsdWatch::latest() const {
  std::vector<record::OsdWindow> windows;
  for (const Seen& seen : m_osds) {
    const bool pair = seen.before && seen.last;
    auto& window = windows.emplace_back(window_between(
        seen.osd, seen.kind, pair ? seen.before->at : Time(0), pair ? seen.last->at : Time(0)));
    window.missing = seen.lately;
    if (!window.missing.empty()) continue;
    if (!pair) {
      window.missing = "its counters were read only once";
    } else if (auto grown = observe::growth(seen.before->counters, seen.last->counters)) {
      window.growth = *std::move(grown);
    }
  }
  return windows;
}

std::vector<std::string> OsdWatch::notes() const {
  std::vector<std::string> lines;
  for (const Seen& seen : m_osds) {
    for (const std::string& note : seen.notes) {
      lines.push_back(fmt::format("osd.{} {}", seen.osd, note));
    }
    const bool figures = seen.broken.empty() && seen.first && seen.first->at < seen.last->at;
    if (!seen.answers && figures) {
      lines.push_back(fmt::format("the figures of osd.{} end after {:.1f} s: {}", seen.osd,
                                  seconds(seen.last->at), seen.lately));
    }
  }
  return lines;
}

}  // namespace radosload::watch
