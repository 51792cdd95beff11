#include "plan/suites.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace radosload::plan {

namespace {

// The twelve figures of kbench's table. Its own are fio jobs on a volume; the sizes, depths and
// times are the same here.
Suite kbench() {
  struct Test {
    const char* name;
    const char* keys;
  };
  constexpr std::array<Test, 3> tests = {
      {{"IOPS", "bs=4k,qd=64"}, {"bandwidth", "bs=128k,qd=64"}, {"latency", "bs=4k,qd=1"}}};
  Suite suite{.name = "kbench",
              .summary =
                  "kbench's twelve figures: IOPS, bandwidth and latency, random and "
                  "sequential",
              .detail =
                  "IOPS with 4 KiB at queue depth 64, bandwidth with 128 KiB at queue depth "
                  "64, latency with 4 KiB one at a time; each with random reads, random "
                  "writes, sequential reads and sequential writes. All steps work on the "
                  "same objects, which are written once. Latency is the mean.",
              .warmup = std::chrono::seconds(5),
              .time = std::chrono::seconds(20),
              .steps = {}};
  for (const Test& test : tests) {
    for (const char* const access : {"rand", "seq"}) {
      for (const char* const op : {"read", "write"}) {
        const bool read = std::string_view(op) == "read";
        suite.steps.push_back(
            {.place = {{"test", test.name}, {"access", access}, {"op", op}},
             .pattern = fmt::format("{},read={},{}", access, read ? 100 : 0, test.keys)});
      }
    }
  }
  return suite;
}

}  // namespace

std::span<const Suite> suites() {
  static const std::vector<Suite> all = {kbench()};
  return all;
}

const Suite* find_suite(std::string_view name) {
  const auto all = suites();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Suite& suite) { return suite.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace radosload::plan
