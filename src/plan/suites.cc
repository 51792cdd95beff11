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

// Writes in order come first, so that random reads find written blocks at least in that part.
Suite drive_profile() {
  return {.name = "drive-profile",
          .summary = "what a drive is worth to an OSD: for data, as WAL or DB, for mclock",
          .detail =
              "For --drive. Reads and writes in order, random reads and writes at a low and at "
              "a high depth, and durable writes one at a time and by 4 and 16 at once. The "
              "report then says what the drive is worth for data and as WAL or DB, and "
              "proposes the capacity for osd_mclock_max_capacity_iops_hdd or _ssd. It writes "
              "to the drive in most steps.",
          .warmup = std::chrono::seconds(3),
          .time = std::chrono::seconds(27),
          .steps = {{{{"test", "write in order"}}, "write1m,qd=8"},
                    {{{"test", "read in order"}}, "read1m,qd=8"},
                    {{{"test", "read alone"}}, "randread4k,qd=1"},
                    {{{"test", "read"}}, "randread4k,qd=32"},
                    {{{"test", "write alone"}}, "randwrite4k,qd=1"},
                    {{{"test", "write"}}, "randwrite4k,qd=32"},
                    {{{"test", "mixed"}}, "randrw4k,qd=16"},
                    {{{"test", "durable alone"}}, "sync-write4k,qd=1"},
                    {{{"test", "durable by 4"}}, "sync-write4k,qd=4"},
                    {{{"test", "durable by 16"}}, "sync-write4k,qd=16"}},
          .for_drives = true};
}

}  // namespace

std::span<const Suite> suites() {
  static const std::vector<Suite> all = {kbench(), drive_profile()};
  return all;
}

const Suite* find_suite(std::string_view name) {
  const auto all = suites();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Suite& suite) { return suite.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace radosload::plan
