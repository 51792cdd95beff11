// A made-up run for the tests of report/: the same on every machine, with every figure known.
#pragma once

#include <cerrno>
#include <string>
#include <vector>

#include "unit/record_support.h"

namespace radosload::report::testing {

using record::Interval;
using record::RunFooter;
using record::RunRecord;
using std::chrono::microseconds;

struct Scenario {
  std::string run_id = "20261121-040012-9f3a";
  std::string plan = R"({"pool":"hdd","pattern":"randrw4k","read":75,"bs":"4k","qd":64,
    "size":"1G","object-size":"4M","time":"25s","warmup":"5s","seed":42})";
  int seconds = 25;
  int ops_per_second = 400;
  int reads_in_four = 3;
  Time delay{0};  // of every fifth submission behind its time
  int failing_every = 0;
};

inline std::vector<Slot> second_of(const Scenario& scenario, int second) {
  std::vector<Slot> finished(static_cast<std::size_t>(scenario.ops_per_second));
  for (int i = 0; i < scenario.ops_per_second; ++i) {
    Slot& slot = finished[static_cast<std::size_t>(i)];
    slot.phase = Phase::measure;
    slot.op.kind = i % 4 < scenario.reads_in_four ? OpKind::read : OpKind::write;
    slot.op.osd = i % 3;
    slot.intended = std::chrono::seconds(second) + microseconds(1000 * i);
    slot.submitted = slot.intended + (i % 5 == 0 ? scenario.delay : Time(0));
    // 1 to 3 ms in a fixed scramble, and one straggler a second.
    const int scramble = (i * 7919 + second * 104729) % 2001;
    slot.completed = slot.submitted + microseconds(i == 7 ? 40'000 + second : 1000 + scramble);
    slot.outcome.bytes = 4096;
    if (scenario.failing_every > 0 && i % scenario.failing_every == 0) {
      slot.outcome = {.rc = i % 2 == 0 ? -ENOENT : rc_hole, .bytes = 0};
    }
  }
  return finished;
}

inline RunRecord run_of(const Scenario& scenario) {
  record::RunHeader header = record::testing::a_header();
  header.run_id = scenario.run_id;
  header.plan = plan::testing::plan_of(scenario.plan);
  header.environment = record::testing::environment_of(R"json(
    {"fsid":"0c4f6c3e-7a3b-4c55-9d5e-1f2a3b4c5d6e",
     "ceph_versions":{"ceph version 18.2.7 (6b0e988052ec84cf2d4a) reef (stable)":9},
     "pool":{"name":"hdd","size":3}})json");
  record::Folder folder(header);
  const bool open_loop = scenario.delay > Time(0);
  const auto sent = open_loop ? record::testing::Sent::when_due : record::testing::Sent::when_free;
  std::vector<Interval> intervals;
  for (int second = 0; second < scenario.seconds; ++second) {
    intervals.push_back(record::testing::interval_of(second_of(scenario, second),
                                                     std::chrono::seconds(second), sent));
    folder.add(intervals.back());
  }
  RunFooter footer = record::testing::footer_for(intervals);
  footer.unissued = 0;
  footer.warnings.clear();
  folder.add(footer);
  return folder.record();
}

inline Scenario only(OpKind kind) {
  Scenario scenario;
  scenario.reads_in_four = kind == OpKind::read ? 4 : 0;
  const std::string op(op_kind_name(kind));
  scenario.plan = R"({"pool":"hdd","pattern":"rand)" + op + R"(4k","bs":"4k","qd":8,
    "object-size":"4M","size":"1G","time":"25s","warmup":"5s","seed":42})";
  return scenario;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::string::size_type start = 0;
  while (start < text.size()) {
    const auto end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace radosload::report::testing
