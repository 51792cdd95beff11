#include "timers/osd_work.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "observe/osd_timing.h"

#include <fmt/format.h>

namespace radosload::timers {

namespace {

constexpr std::chrono::milliseconds work_poll(50);

Error still_at_work(std::int32_t osd, std::string_view what) {
  return {.reason = fmt::format("interrupted; osd.{} continues its {}", osd, what),
          .exit = Exit::interrupted};
}

Error no_end_within(Time limit, std::int32_t osd, std::string_view what) {
  return {.reason = fmt::format("no answer within {}; osd.{} continues its {}", human_text(limit),
                                osd, what)};
}

// The OSD's answer, or why there is none.
Result<std::string> answer_of(const World& world, std::int32_t osd, const std::string& command,
                              std::string_view what, Time limit) {
  const Time start = world.now();
  const auto job = world.ask_osd(osd, command);
  for (;;) {
    if (auto done = job->poll()) return *std::move(done);
    const Time since = world.now() - start;
    // An OSD has no command to stop.
    if (world.interrupted()) return fail(still_at_work(osd, what));
    if (since >= limit) return fail(no_end_within(limit, osd, what));
    world.progress(fmt::format("osd.{}: {}, {}", osd, what, human_text(since)));
    world.sleep(work_poll);
  }
}

std::string reason_of(const Error& error) {
  return error.attempt.empty() ? error.reason : one_line(error);
}

std::optional<Bytes> db_bytes(const World& world, std::int32_t osd) {
  const auto bytes = observe::fetch_db_bytes(world.commands, osd);
  return bytes ? std::optional(*bytes) : std::nullopt;
}

// The time of a compaction that the OSD has only begun when it answered.
Result<Time> await_compaction(const World& world, std::int32_t osd, std::uint64_t completed_before,
                              Time start, Time limit) {
  for (;;) {
    RADOSLOAD_ASSIGN(const auto now, observe::fetch_compactions(world.commands, osd));
    if (now.completed > completed_before && !now.at_work) return now.last;
    const Time since = world.now() - start;
    if (world.interrupted()) return fail(still_at_work(osd, "compaction"));
    if (since >= limit) return fail(no_end_within(limit, osd, "compaction"));
    world.progress(fmt::format("osd.{}: compaction, {}", osd, human_text(since)));
    world.sleep(work_poll);
  }
}

// How reads are before. False: it was interrupted.
bool probe_before(const World& world, std::int32_t osd, Probe& probe, ProbeTimes& times) {
  const Time start = world.now();
  while (world.now() - start < probed_before) {
    if (world.interrupted()) return false;
    world.progress(fmt::format("osd.{}: reads before the compaction", osd));
    world.sleep(work_poll);
  }
  times = probe.take();
  return true;
}

Result<Time> compact(const World& world, std::int32_t osd, Time limit) {
  const Time start = world.now();
  const auto before = observe::fetch_compactions(world.commands, osd);
  RADOSLOAD_ASSIGN(const auto said,
                   answer_of(world, osd, R"({"prefix": "compact"})", "compaction", limit));
  const auto took = observe::parse_compaction(said);
  if (took) return *took;
  if (!before) {
    return fail({.reason = fmt::format("osd.{} did not report how long its compaction took", osd)});
  }
  return await_compaction(world, osd, before->completed, start, limit);
}

}  // namespace

Row time_compaction(const World& world, std::int32_t osd, Time limit, const std::string& pool) {
  Row row{.osd = osd, .began = world.wall(), .compact = CompactTimes{}};
  row.compact->before = db_bytes(world, osd);
  const auto probe = world.start_probe ? world.start_probe(osd) : nullptr;
  if (probe) {
    row.compact->probe = CompactProbe{.pool = pool};
    if (!probe_before(world, osd, *probe, row.compact->probe->before)) {
      row.failure = "interrupted before the compaction was ordered";
      return row;
    }
  }
  row.began = world.wall();
  const Time start = world.now();
  const auto took = compact(world, osd, limit);
  row.elapsed = world.now() - start;
  if (probe) row.compact->probe->during = probe->take();
  if (!took) {
    row.failure = reason_of(took.error());
    return row;
  }
  row.compact->in_osd = *took;
  row.compact->after = db_bytes(world, osd);
  return row;
}

Bytes bench_cap(Bytes block) {
  constexpr std::uint64_t seconds_allowed = 30;  // osd_bench_duration
  constexpr std::uint64_t small_iops = 100;      // osd_bench_small_size_max_iops
  if (block < mib(1)) return Bytes{block.count * small_iops * seconds_allowed};
  return Bytes{mib(100).count * seconds_allowed};  // osd_bench_large_size_max_throughput
}

Row time_bench(const World& world, std::int32_t osd, const BenchWish& wish) {
  Row row{.osd = osd, .began = world.wall()};
  const Bytes cap = bench_cap(wish.block);
  const Bytes bytes = wish.bytes.count > 0 ? wish.bytes : std::min(cap, gib(1));
  const Time start = world.now();
  const auto said = answer_of(world, osd,
                              fmt::format(R"({{"prefix": "bench", "count": {}, "size": {}}})",
                                          bytes.count, wish.block.count),
                              "benchmark", wish.limit);
  row.elapsed = world.now() - start;
  if (!said) {
    row.failure = reason_of(said.error());
    if (said.error().errnum == EINVAL && bytes > cap) {
      row.failure +=
          fmt::format(" (with default settings an OSD writes at most {} in blocks of {})",
                      human_text(cap), human_text(wish.block));
    }
    return row;
  }
  const auto done = observe::parse_osd_bench(*said);
  if (!done) {
    row.failure = one_line(done.error());
    return row;
  }
  row.bench = BenchTimes{.written = done->written,
                         .block = done->block,
                         .in_osd = done->took,
                         .bytes_per_second = done->bytes_per_second,
                         .iops = done->iops};
  return row;
}

}  // namespace radosload::timers
