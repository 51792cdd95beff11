// What the joint record of a session of many members takes: their lines are read and added up, as
// the member that leads does at the end. Making the lines is not counted.
//
// usage: merge_members MEMBERS SECONDS OSDS OPERATIONS_A_SECOND

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "base/random.h"
#include "record/journal.h"
#include "record/recorder.h"
#include "session/joint.h"

#include <fmt/format.h>

namespace {

using namespace radosload;

constexpr double kib_per_mib = 1024;
constexpr double bytes_per_mib = 1024.0 * 1024.0;

struct Size {
  std::int64_t members = 0;
  std::int64_t seconds = 0;
  std::int32_t osds = 0;
  std::int64_t rate = 0;  // of each member
};

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / kib_per_mib;
}

record::Interval second_at(std::int64_t second, const Size& size, Random& random) {
  record::Recorder recorder;
  for (std::int64_t i = 0; i < size.rate; ++i) {
    Slot slot;
    slot.op.kind = random.below(4) == 0 ? OpKind::write : OpKind::read;
    slot.op.osd = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(size.osds)));
    slot.phase = Phase::measure;
    slot.completed = Time(1'000'000 + static_cast<Time::rep>(random.below(20'000'000)));
    slot.outcome.bytes = 4096;
    recorder.submitted(slot.phase);
    recorder.add(slot, record::Ending::within);
  }
  record::Interval interval;
  interval.start = std::chrono::seconds(second);
  interval.length = std::chrono::seconds(1);
  interval.absorb(recorder);
  return interval;
}

std::vector<std::string> lines_of(std::int64_t member, const Size& size, Random& random) {
  record::RunHeader header;
  header.run_id = fmt::format("20261126-0800000{:05}-abcd", member);
  header.plan.pattern.name = "randrw4k";
  header.plan.extent.time = std::chrono::seconds(size.seconds);
  std::vector<std::string> lines = {record::encode_line(header)};
  record::RunFooter footer;
  footer.ended_by = record::EndedBy::time;
  footer.measured = footer.last_answer = std::chrono::seconds(size.seconds);
  for (std::int64_t second = 0; second < size.seconds; ++second) {
    const record::Interval interval = second_at(second, size, random);
    footer.measured_flow += interval.measured;
    lines.push_back(record::encode_line(interval));
  }
  lines.push_back(record::encode_line(footer));
  return lines;
}

session::MemberLines read(std::int64_t member, const std::vector<std::string>& lines) {
  session::MemberLines read{.who = fmt::format("pid {}", member), .lines = {}, .missing = {}};
  for (const std::string& line : lines) {
    auto decoded = record::decode_packed_line(line, "the line");
    if (!decoded) std::abort();
    read.lines.push_back(*std::move(decoded));
  }
  return read;
}

}  // namespace

int main(int count, char** words) {
  std::array<std::int64_t, 4> numbers{};
  if (count != 5) {
    std::fputs("usage: merge_members MEMBERS SECONDS OSDS OPERATIONS_A_SECOND\n", stderr);
    return 2;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers.at(i) = std::strtoll(words[i + 1], nullptr, 10);
  }
  const Size size{.members = numbers[0],
                  .seconds = numbers[1],
                  .osds = static_cast<std::int32_t>(numbers[2]),
                  .rate = numbers[3]};
  session::JointPlan plan{.session = "s", .run_id = "joint", .plan = {}, .ended = {}};
  plan.plan.pattern.name = "randrw4k";
  session::JointRecord joint(plan);
  Random random(23);
  double cpu = 0;
  double bytes = 0;
  for (std::int64_t member = 0; member < size.members; ++member) {
    const auto lines = lines_of(member, size, random);
    for (const std::string& line : lines) bytes += static_cast<double>(line.size());
    const double began = cpu_seconds();
    joint.add(read(member, lines));
    cpu += cpu_seconds() - began;
  }
  const double began = cpu_seconds();
  const auto record = std::move(joint).finish();
  cpu += cpu_seconds() - began;
  if (!record) {
    std::fprintf(stderr, "%s\n", record.error().message().c_str());
    return 1;
  }
  const auto ops = record::total_of(record->kinds).ops();
  std::fputs(fmt::format(
                 "{} members, {} s, {} OSDs, {} operations: {:.1f} MiB of lines, {:.2f} s of "
                 "CPU, {:.0f} MiB at most\n",
                 size.members, size.seconds, size.osds, ops, bytes / bytes_per_mib, cpu, peak_mib())
                 .c_str(),
             stdout);
  return ops == static_cast<std::uint64_t>(size.members * size.seconds * size.rate) ? 0 : 1;
}
