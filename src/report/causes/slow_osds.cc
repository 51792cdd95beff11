// OSDs that take much longer than the others of the run.
#include <algorithm>
#include <vector>

#include "plan/command.h"
#include "report/causes/evidence.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report::causes {

namespace {

// Drives of one model differ by a quarter, and shared hosts by more.
constexpr double far_from_others = 2;
constexpr double least_excess_ns = 1e6;
constexpr std::size_t least_osds = 3;
constexpr std::uint64_t least_events = 20;
// With more than this multiple of an equal share of the load, an OSD may be slow because it is
// busy.
constexpr double busy_share = 1.2;

struct Apart {
  std::vector<std::int32_t> osds;
  double median = 0;
  double slowest = 0;
};

std::optional<Apart> apart_by(const Evidence& evidence, std::string_view timer) {
  const auto values = evidence.means(timer, least_events);
  if (values.size() < least_osds) return std::nullopt;
  Apart apart{.osds = {}, .median = median_of(values), .slowest = values.back().value};
  for (const OsdValue& one : values) {
    if (one.value >= far_from_others * apart.median && one.value - apart.median >= least_excess_ns)
      apart.osds.push_back(one.osd);
  }
  if (apart.osds.empty()) return std::nullopt;
  return apart;
}

bool is_among(std::int32_t osd, const std::vector<std::int32_t>& osds) {
  return std::find(osds.begin(), osds.end(), osd) != osds.end();
}

double work_of(const record::OsdWindow& window, bool reads) {
  if (reads) return count_of(window, "op_r").value_or(0);
  return count_of(window, "op_w").value_or(0) + count_of(window, "op_rw").value_or(0) +
         count_of(window, "subop_w").value_or(0);
}

// The load of these OSDs as a multiple of an equal share.
double load_of(const Evidence& evidence, const std::vector<std::int32_t>& osds, bool reads) {
  double theirs = 0;
  double all = 0;
  for (const record::OsdWindow& window : evidence.windows()) {
    const double work = work_of(window, reads);
    all += work;
    if (is_among(window.osd, osds)) theirs += work;
  }
  const auto total = static_cast<double>(evidence.windows().size());
  return all == 0 ? 0 : theirs / all * total / static_cast<double>(osds.size());
}

// What reads of these OSDs took longer than on the median OSD, as a share of the time of all reads.
double excess_of_reads(const Evidence& evidence, const Apart& apart, double total) {
  double longer = 0;
  double reads = 0;
  for (const record::OsdWindow& window : evidence.windows()) {
    const double count = count_of(window, "op_r").value_or(0);
    reads += count;
    const auto mean = mean_ns(window, "op_r_latency");
    if (mean && is_among(window.osd, apart.osds)) {
      longer += count * std::max(0.0, *mean - apart.median);
    }
  }
  return reads == 0 ? 0 : std::min(1.0, longer / (reads * total));
}

double excess_of_writes(const TimeParts& write, double median) {
  const double wait = write.replicas.value_or(0) + write.commit.value_or(0) +
                      write.device.value_or(0) + write.unknown.value_or(0);
  return std::clamp((wait - median) / write.total, 0.0, 1.0);
}

std::string verb(const std::vector<std::int32_t>& osds, std::string_view one,
                 std::string_view more) {
  return fmt::format("{} {}", osds_text(osds), osds.size() == 1 ? one : more);
}

RunPlan pinned_to_all(const Evidence& evidence) {
  RunPlan plan = evidence.record().header.plan;
  plan.pins.osds = osds_word(evidence.osds());
  return plan;
}

Cause cause_of(const Evidence& evidence, const Apart& apart, bool reads, double share) {
  const std::string kind = reads ? "read" : "write";
  const double load = load_of(evidence, apart.osds, reads);
  const bool busy = load > busy_share && !evidence.record().header.plan.pins.any();
  const std::string place =
      verb(apart.osds, busy ? "is slow and busy" : "is slower than the others",
           busy ? "are slow and busy" : "are slower than the others");
  Cause cause{
      .name = busy ? "busy-osd" : "slow-osd",
      .claim = busy ? fmt::format("{}: its load or its drive holds {}s up", place, kind) : place,
      .size = CauseSize{.share = share, .of = reads ? "read" : "write"}};
  cause.evidence.push_back(fmt::format("{} takes {} on {}, and {} on the median OSD of {}",
                                       reads ? "a read" : "a commit of its own store",
                                       ns_text(apart.slowest), osds_text({apart.osds.back()}),
                                       ns_text(apart.median), evidence.windows().size()));
  if (busy) {
    cause.evidence.push_back(fmt::format("{} {:.2g} times an equal share of the {}s",
                                         verb(apart.osds, "serves", "serve"), load, kind));
  }
  const record::PoolFacts* const pool = evidence.pool();
  if (!reads && !busy && pool != nullptr && pool->size > 1) {
    // Pinned writes would wait for the replicas, too.
    cause.command = fmt::format("radosload replicas --pool {}", plan::shell_word(pool->name));
    cause.refuted_if = fmt::format("its intervals do not call {} slow", osds_text(apart.osds));
    return cause;
  }
  cause.command = plan::command_of(pinned_to_all(evidence));
  cause.refuted_if = fmt::format("with the same load on each OSD, {} as fast as the others",
                                 verb(apart.osds, "is", "are"));
  return cause;
}

}  // namespace

void find_slow_osds(const Evidence& evidence, std::vector<Cause>& causes) {
  if (const TimeParts* const write = evidence.write()) {
    if (const auto apart = apart_by(evidence, "txc_commit")) {
      causes.push_back(cause_of(evidence, *apart, false, excess_of_writes(*write, apart->median)));
    }
  }
  if (const TimeParts* const read = evidence.read()) {
    if (const auto apart = apart_by(evidence, "op_r_latency")) {
      causes.push_back(
          cause_of(evidence, *apart, true, excess_of_reads(evidence, *apart, read->total)));
    }
  }
}

}  // namespace radosload::report::causes
