// What the record of a run of days takes, in virtual time: how memory grows after the first minute,
// rows, and the size of the document.
//
// usage: days HOURS OSDS

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/random.h"
#include "record/record_codec.h"
#include "record/run_record.h"

#include <fmt/format.h>

namespace {

using namespace radosload;

constexpr int operations_a_second = 25;  // on each OSD
constexpr double bytes_per_mib = 1024.0 * 1024.0;
constexpr std::int64_t hour = 3600;
// Rows of a second, of 10 s and of 60 s are all there after this.
constexpr std::int64_t settled_after = 3 * hour;

double resident_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

record::Interval second_at(std::int64_t second, std::int32_t osds, Random& random) {
  record::Recorder recorder;
  for (std::int32_t osd = 0; osd < osds; ++osd) {
    for (int i = 0; i < operations_a_second; ++i) {
      Slot slot;
      slot.op.kind = random.below(2) == 0 ? OpKind::read : OpKind::write;
      slot.op.osd = osd;
      slot.phase = Phase::measure;
      slot.completed = Time(1'000'000 + static_cast<Time::rep>(random.below(4'000'000)));
      slot.outcome.bytes = 4096;
      recorder.submitted(slot.phase);
      recorder.add(slot, record::Ending::within);
    }
  }
  record::Interval interval;
  interval.start = std::chrono::seconds(second);
  interval.length = std::chrono::seconds(1);
  interval.absorb(recorder);
  return interval;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: days HOURS OSDS\n", stderr);
    return 2;
  }
  const std::int64_t seconds = std::strtoll(words[1], nullptr, 10) * hour;
  const auto osds = static_cast<std::int32_t>(std::strtol(words[2], nullptr, 10));
  record::RunHeader header;
  header.plan.extent.time = std::chrono::seconds(seconds);
  record::Folder folder(std::move(header));
  Random random(24);
  double after_a_minute = 0;
  double settled = 0;
  double highest = 0;
  for (std::int64_t second = 0; second < seconds; ++second) {
    folder.add(second_at(second, osds, random));
    if (second == 60) after_a_minute = resident_mib();
    if (second % 60 == 0) highest = std::max(highest, resident_mib());
    if (second == settled_after) settled = resident_mib();
  }
  const auto& record = folder.record();
  const std::size_t bytes = record::to_json(record).size();
  fmt::print("| {} hours on {} OSDs | |\n| --- | --- |\n", seconds / hour, osds);
  fmt::print("| resident after a minute | {:.1f} MiB |\n", after_a_minute);
  fmt::print("| growth in 3 hours | {:.1f} MiB |\n", settled - after_a_minute);
  fmt::print("| highest growth | {:.1f} MiB |\n", highest - after_a_minute);
  fmt::print("| rows | {} |\n", record.timeline.size());
  fmt::print("| the record's document | {:.1f} MiB |\n",
             static_cast<double>(bytes) / bytes_per_mib);
  fmt::print("| resident after it was written | {:.1f} MiB |\n", resident_mib());
  return 0;
}
