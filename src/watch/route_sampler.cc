#include "watch/route_sampler.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "cluster/client_socket.h"
#include "observe/client_requests.h"

namespace radosload::watch {

namespace {

// The time limit for the socket of one client, which normally answers within milliseconds.
constexpr Time socket_patience = std::chrono::seconds(1);

bool is_ours(const observe::ClientRequest& request, const prepare::ObjectNaming& names) {
  return request.pool == names.pool &&
         std::any_of(names.prefixes.begin(), names.prefixes.end(),
                     [&](const std::string& prefix) { return request.object.starts_with(prefix); });
}

}  // namespace

RouteSampler::RouteSampler(std::vector<std::string> sockets, prepare::ObjectNaming names,
                           std::shared_ptr<const ObjectPlacement> locations,
                           std::vector<std::int32_t> pinned, std::uint32_t pg_num)
    : m_sockets(std::move(sockets)),
      m_names(std::move(names)),
      m_locations(std::move(locations)),
      m_pg_num(pg_num),
      m_tally(std::move(pinned)) {
  m_poll.emplace(period, [this] { return sample(); });
}

bool RouteSampler::poll(Time now) {
  if (now < m_not_before) return false;
  const auto took = m_poll->poll(now);
  if (took) m_not_before = now + pause * *took - period;
  return took.has_value();
}

Time RouteSampler::sample() {
  Time longest{0};
  for (const std::string& socket : m_sockets) {
    const auto asked = ask(socket);
    const std::lock_guard lock(m_mutex);
    if (asked) {
      // If no operation of the run was in flight, for example at the beginning without a warm-up,
      // the sample shows nothing, so the next one is taken soon.
      if (asked->ours > 0) longest = std::max(longest, asked->held);
    } else {
      m_trouble = one_line(asked.error());
    }
  }
  const std::lock_guard lock(m_mutex);
  m_tally.end_sample();
  return longest;
}

Result<RouteSampler::Asked> RouteSampler::ask(const std::string& socket) {
  const auto start = std::chrono::steady_clock::now();
  const auto said = cluster::ask_client(
      socket, R"({"prefix": "objecter_requests", "format": "json"})", socket_patience);
  const Time held = std::chrono::steady_clock::now() - start;
  if (!said) return fail(said.error());
  RADOSLOAD_ASSIGN(const auto requests, observe::parse_client_requests(*said));
  Asked answer{.held = held};
  for (const observe::ClientRequest& request : requests) {
    if (!is_ours(request, m_names)) continue;
    ++answer.ours;
    const auto pg = m_names.pg_of(request.object);
    if (!pg || *pg >= m_pg_num) continue;  // the PG has been split since the run began
    const std::lock_guard lock(m_mutex);
    m_tally.add(*pg, m_locations->osd_of(*pg), request.osd);
  }
  return answer;
}

void RouteSampler::finish(record::Routing& routing, const std::set<std::uint32_t>& moved) {
  m_poll.reset();
  m_tally.put_into(routing, moved);
  if (record::sampled(routing) > 0 || routing.remapped > 0) return;
  routing.unsampled = !m_trouble.empty()      ? m_trouble
                      : m_tally.samples() > 0 ? "no operation was in flight when samples were taken"
                                              : "the run was too short";
}

}  // namespace radosload::watch
