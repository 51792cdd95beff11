#include "report/time_parts.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace radosload::report {

using record::OsdWindow;
using record::RunRecord;

namespace {

constexpr double ns_per_second = 1e9;

// Sums over all OSDs that answered operations of the run.
class Sums {
 public:
  explicit Sums(const std::vector<OsdWindow>& windows) {
    for (const OsdWindow& window : windows) {
      if (window.ours == 0) continue;
      for (const auto& [name, timed] : window.growth.times) {
        TimedCount& sum = m_sum.times[name];
        sum.count += timed.count;
        sum.seconds += timed.seconds;
      }
    }
  }
  double count(std::string_view name) const {
    const auto found = m_sum.times.find(name);
    return found == m_sum.times.end() ? 0 : static_cast<double>(found->second.count);
  }
  double ns(std::string_view name) const {
    const auto found = m_sum.times.find(name);
    return found == m_sum.times.end() ? 0 : found->second.seconds * ns_per_second;
  }
  double mean(std::string_view name) const { return count(name) > 0 ? ns(name) / count(name) : 0; }

 private:
  OsdCounters m_sum;
};

enum class Side : std::uint8_t { reads, writes, neither };

// How an OSD counts this kind: as a read or as a write.
Side side_of(OpKind kind) {
  switch (kind) {
    case OpKind::read:
    case OpKind::omap_get:
    case OpKind::stat:
      return Side::reads;
    case OpKind::write:
    case OpKind::discard:
    case OpKind::omap_set:
    case OpKind::create:
    case OpKind::remove:
      return Side::writes;
    case OpKind::flush:
    case OpKind::list:
    case OpKind::sync:
      break;
  }
  return Side::neither;
}

double positive(double value) {
  return std::max(0.0, value);
}

void add(const record::Figures& figures, ClientMeans& sums) {
  sums.ops += figures.timed;
  const auto weight = static_cast<double>(figures.timed);
  sums.response += weight * static_cast<double>(figures.mean.count());
  sums.service += weight * static_cast<double>(figures.mean_service.count());
}

ClientMeans divided(ClientMeans sums) {
  if (sums.ops == 0) return {};
  const auto ops = static_cast<double>(sums.ops);
  return {.ops = sums.ops, .response = sums.response / ops, .service = sums.service / ops};
}

// An OSD is read at the beginning of a second, and its answer takes a moment.
bool lies_in(const record::TimelineRow& row, Time from, Time to) {
  constexpr Time answer = std::chrono::milliseconds(500);
  return row.start + answer >= from && row.start + row.length <= to + answer;
}

// From the first to the last reading over all OSDs.
std::pair<Time, Time> span_of(const std::vector<OsdWindow>& windows) {
  std::pair<Time, Time> span{Time::max() / 2, Time(0)};
  for (const OsdWindow& window : windows) {
    if (window.ours == 0) continue;
    span.first = std::min(span.first, window.from);
    span.second = std::max(span.second, window.to);
  }
  return span;
}

ClientMeans means_of_side(const RunRecord& run, const std::vector<OsdWindow>& windows, Side side) {
  const auto [from, to] = span_of(windows);
  ClientMeans sums;
  for (const record::TimelineRow& row : run.timeline) {
    if (!lies_in(row, from, to)) continue;
    for (const auto& [kind, figures] : row.kinds) {
      if (side_of(kind) == side) add(figures, sums);
    }
  }
  return divided(sums);
}

// The parts that reads and writes have in common: until the OSD takes the operation out of its
// queue.
std::optional<TimeParts> way_to_osd(const ClientMeans& client, const Sums& sums, Side side) {
  const bool reads = side == Side::reads;
  const std::string op = reads ? "op_r" : "op_w";
  if (client.ops == 0 || sums.count(op + "_latency") == 0) return std::nullopt;
  const double latency = sums.mean(op + "_latency");
  return TimeParts{.kind = reads ? "read" : "write",
                   .total = client.response,
                   .client = positive(client.response - client.service),
                   .network = positive(client.service - latency),
                   .queue = positive(latency - sums.mean(op + "_process"))};
}

void add_write(const Sums& sums, bool erasure, bool alone, TimeParts& into) {
  into.execution = std::min(sums.mean("op_w_prepare"), sums.mean("op_w_process"));
  const double wait = positive(sums.mean("op_w_process") - sums.mean("op_w_prepare"));
  // An OSD commits its own transactions and those of other primaries in the same way, so their mean
  // is used for its own.
  const double own = alone ? wait : std::min(wait, sums.mean("txc_commit"));
  const double device =
      std::min(own, sums.mean("state_aio_wait") + sums.mean("state_kv_committing"));
  into.device = device;
  into.commit = own - device;
  if (erasure) {
    into.unknown = wait - own;
  } else if (!alone) {
    into.replicas = wait - own;
  }
}

void add_read(const Sums& sums, bool erasure, TimeParts& into) {
  const double process = sums.mean("op_r_process");
  if (erasure) {
    into.execution = std::min(sums.mean("op_r_prepare"), process);
    into.unknown = process - into.execution;
    return;
  }
  // Reads that the cache serves do not wait for the device.
  const double device = std::min(process, sums.ns("read_device") / sums.count("op_r_process"));
  into.device = device;
  into.execution = process - device;
}

}  // namespace

std::optional<double> share_of_run(const std::vector<OsdWindow>& windows) {
  double ours = 0;
  double all = 0;
  for (const OsdWindow& window : windows) {
    if (window.ours == 0) continue;
    const auto share = record::share_ours(window);
    if (!share) return std::nullopt;
    ours += *share * static_cast<double>(window.growth.counts.at("op"));
    all += static_cast<double>(window.growth.counts.at("op"));
  }
  if (all == 0) return std::nullopt;
  return ours / all;
}

std::vector<TimeParts> time_parts(const std::vector<OsdWindow>& windows, const RunRecord& run) {
  const Sums sums(windows);
  const record::Environment& environment = run.header.environment;
  const auto& pool = environment.data_pool ? environment.data_pool : environment.pool;
  const bool erasure = pool && pool->erasure;
  const bool alone = !pool || pool->size <= 1;
  std::vector<TimeParts> rows;
  if (auto writes = way_to_osd(means_of_side(run, windows, Side::writes), sums, Side::writes)) {
    add_write(sums, erasure, alone, *writes);
    rows.push_back(*writes);
  }
  if (auto reads = way_to_osd(means_of_side(run, windows, Side::reads), sums, Side::reads)) {
    add_read(sums, erasure, *reads);
    rows.push_back(*reads);
  }
  return rows;
}

std::map<std::int32_t, ClientMeans> client_means(const RunRecord& run,
                                                 const std::vector<OsdWindow>& windows) {
  std::map<std::int32_t, const OsdWindow*> of_osd;
  for (const OsdWindow& window : windows) of_osd[window.osd] = &window;
  std::map<std::int32_t, ClientMeans> means;
  // Goes over the seconds only once, since there may be millions; both maps are in the order of the
  // OSDs.
  for (const record::TimelineRow& row : run.timeline) {
    auto figures = row.osds.begin();
    for (const auto& [osd, window] : of_osd) {
      while (figures != row.osds.end() && figures->first < osd) ++figures;
      if (figures == row.osds.end()) break;
      if (figures->first == osd && lies_in(row, window->from, window->to)) {
        add(figures->second, means[osd]);
      }
    }
  }
  for (auto& [osd, sums] : means) sums = divided(sums);
  return means;
}

std::optional<double> mean_ns(const OsdWindow& window, std::string_view name) {
  const auto found = window.growth.times.find(name);
  if (found == window.growth.times.end() || found->second.count == 0) return std::nullopt;
  return found->second.seconds * ns_per_second / static_cast<double>(found->second.count);
}

std::optional<double> count_of(const OsdWindow& window, std::string_view name) {
  const auto found = window.growth.counts.find(name);
  if (found == window.growth.counts.end()) return std::nullopt;
  return static_cast<double>(found->second);
}

std::optional<double> level_of(const OsdWindow& window, std::string_view name) {
  const auto found = window.growth.levels.find(name);
  if (found == window.growth.levels.end()) return std::nullopt;
  return static_cast<double>(found->second);
}

}  // namespace radosload::report
