// What the rules look at: the parts of an operation's time, and the counters of the OSDs. Pure, and
// internal to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/osd_window.h"
#include "record/run_record.h"
#include "report/causes/cause.h"
#include "report/time_parts.h"

namespace radosload::report::causes {

// One figure of one OSD.
struct OsdValue {
  std::int32_t osd = no_osd;
  double value = 0;
};

class Evidence {
 public:
  explicit Evidence(const record::RunRecord& record);

  const record::RunRecord& record() const { return m_record; }
  const std::vector<record::OsdWindow>& windows() const { return m_windows; }
  std::vector<std::int32_t> osds() const;  // those of the windows
  // None without counters, where other clients did too much of the work, or with librbd's cache.
  const TimeParts* write() const { return m_write ? &*m_write : nullptr; }
  const TimeParts* read() const { return m_read ? &*m_read : nullptr; }
  // Why the time could not be divided; empty where it was.
  const std::string& undivided() const { return m_undivided; }
  // The pool that has the data, if it is known.
  const record::PoolFacts* pool() const;

  // Means over all OSDs in ns, and sums; nothing where no OSD counted it.
  std::optional<double> mean(std::string_view timer) const;
  double events(std::string_view timer) const;
  double count(std::string_view name) const;
  // The mean of each OSD that has at least so many events, the smallest first.
  std::vector<OsdValue> means(std::string_view timer, std::uint64_t least) const;

 private:
  const record::RunRecord& m_record;
  std::vector<record::OsdWindow> m_windows;  // those with counters
  std::optional<TimeParts> m_write;
  std::optional<TimeParts> m_read;
  std::string m_undivided;
};

// The upper median.
double median_of(const std::vector<OsdValue>& ascending);
// "osd.3", "osd.1 and osd.3", "osd.0, osd.1 and 5 more"
std::string osds_text(const std::vector<std::int32_t>& osds);
// The value of --osd: "1,3", "0-5"
std::string osds_word(const std::vector<std::int32_t>& osds);
// "12.5 ms"
std::string ns_text(double ns);
std::string percent_text(double share);

// The rules. Each appends what it finds.
void find_slow_osds(const Evidence& evidence, std::vector<Cause>& causes);
void find_slow_drives(const Evidence& evidence, std::vector<Cause>& causes);
void find_slow_flushes(const Evidence& evidence, std::vector<Cause>& causes);
void find_stripe_reads(const Evidence& evidence, std::vector<Cause>& causes);
void find_metadata_reads(const Evidence& evidence, std::vector<Cause>& causes);
void find_deferred_backlog(const Evidence& evidence, std::vector<Cause>& causes);
void find_spillover(const Evidence& evidence, std::vector<Cause>& causes);
void find_memory_reads(const Evidence& evidence, std::vector<Cause>& causes);
void find_deep_queue(const Evidence& evidence, std::vector<Cause>& causes);
void find_client_limits(const Evidence& evidence, std::vector<Cause>& causes);

}  // namespace radosload::report::causes
