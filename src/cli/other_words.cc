#include "cli/other_words.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace radosload::cli {

namespace {

struct OtherOption {
  std::string_view option;
  std::string_view program;
  std::string_view ours;  // radosload's option with the same value; empty: see `advice`
  std::string_view advice = {};
};

constexpr std::string_view size_of_objects =
    "use --size, the size of all objects together: --size 40M is 10 objects of 4M (--object-size)";
constexpr std::string_view reused = "use --reuse RUN for the objects of a run with --keep";
constexpr std::string_view repeated =
    "use 'radosload study' to repeat a measurement in rounds, or --osd LIST --each --rounds N";
constexpr std::string_view drawn_each_time =
    "leave it out; random patterns draw each block independently";
constexpr std::string_view ours_is_total = " (the total of all clients)";

constexpr std::array<OtherOption, 69> other_options = {{
    {"--iodepth", "fio", "--qd", ours_is_total},
    {"--queue-depth", "other programs", "--qd", ours_is_total},
    {"--qdepth", "other programs", "--qd", ours_is_total},
    {"-q", "other programs", "--qd", ours_is_total},
    {"--concurrent-ios", "rados bench", "--qd", ours_is_total},
    {"-t", "rados bench", "--qd", ours_is_total},
    {"--io-threads", "rbd bench", "--qd", ours_is_total},
    {"--numjobs", "fio", "--clients", "; --qd is the total of all clients"},
    {"--depth", "other programs", "--qd", ours_is_total},
    {"--iodepth-batch", "fio", "", "leave it out; radosload sends each operation by itself"},
    {"--iodepth-batch-submit", "fio", "", "leave it out; radosload sends each operation by itself"},
    {"--thread", "fio", "", "leave it out; use --clients for the number of connections"},
    {"--jobs", "other programs", "--clients", "; --qd is the total of all clients"},
    {"--runtime", "fio", "--time"},
    {"--duration", "other programs", "--time"},
    {"--seconds", "other programs", "--time"},
    {"--timeout", "fio", "", "use --time, or --op-timeout for a single operation"},
    {"--ramp-time", "fio", "--warmup"},
    {"--rwmixread", "fio", "--read"},
    {"--rwmixwrite", "fio", "", "use --read, the percentage of reads"},
    {"--blocksize", "fio", "--bs"},
    {"--block-size", "rados bench", "--bs"},
    {"-b", "rados bench", "--bs"},
    {"--io-size", "rbd bench", "--bs"},
    {"-O", "rados bench", "--object-size"},
    {"--io_size", "fio", "--bytes"},
    {"--io-total", "rbd bench", "--bytes"},
    {"--number-ios", "fio", "--ops"},
    {"--rate-iops", "fio", "--rate"},
    {"--random-distribution", "fio", "--dist"},
    {"--randseed", "fio", "--seed"},
    {"--rw", "fio", "", "use --pattern, for example --pattern randrw4k ('radosload patterns')"},
    {"--readwrite", "fio", "",
     "use --pattern, for example --pattern randrw4k ('radosload patterns')"},
    {"--io-pattern", "rbd bench", "", "use --access rand or --access seq"},
    {"--io-type", "rbd bench", "", "use --read, the percentage of reads"},
    {"--fsync", "fio", "", "use --flush yes (images only)"},
    {"--fdatasync", "fio", "", "use --flush yes (images only)"},
    {"--ioengine", "fio", "", "leave it out; the target is rados, or rbd with --image or --create"},
    {"--rbdname", "fio", "--image"},
    {"--filename", "fio", "", "use --image NAME for an RBD image, or --pool alone for objects"},
    {"--clientname", "fio", "--id"},
    {"--clustername", "fio", "--cluster"},
    {"--nrfiles", "fio", "", size_of_objects},
    {"--max-objects", "rados bench", "", size_of_objects},
    {"-N", "rados", "--namespace"},
    {"--no-cleanup", "rados bench", "--keep"},
    {"--run-name", "rados bench", "", reused},
    {"--output-format", "fio", "--format"},
    {"--write-lat-log", "fio", "--fio-logs"},
    {"--write-iops-log", "fio", "--fio-logs"},
    {"--write-bw-log", "fio", "--fio-logs"},
    {"--quiet", "other programs", "", "use --no-progress"},
    {"--silent", "other programs", "", "use --no-progress"},
    {"--output", "fio", "",
     "use --save FILE for the record (JSON), or --html FILE for a page; the report is on stdout"},
    {"--loops", "fio", "", repeated},
    {"--runs", "other programs", "", repeated},
    {"--repeat", "other programs", "", repeated},
    {"--norandommap", "fio", "", drawn_each_time},
    {"--random-generator", "fio", "", drawn_each_time},
    {"--show-time", "rados bench", "",
     "leave it out; the record has the start in UTC and every second of the run"},
    {"--hints", "rados bench", "",
     "leave it out; --cache bypass is the only hint that radosload gives to OSDs"},
    {"--write-object", "rados bench", "",
     "leave it out; each block is written into an object of --object-size"},
    {"--write-omap", "rados bench", "", "use a pattern ('radosload patterns' lists them)"},
    {"--write-xattr", "rados bench", "", "use a pattern ('radosload patterns' lists them)"},
    {"--reuse-bench", "rados bench", "", reused},
    {"--direct", "fio", "", "leave it out; radosload bypasses librbd's cache (see --rbd-cache)"},
    {"--time-based", "fio", "", "leave it out; --time is always the duration"},
    {"--group-reporting", "fio", "", "leave it out; the report covers all clients together"},
    {"--percentile-list", "fio", "", "leave it out; reports have p50 to p99.99 and the maximum"},
}};

struct OtherCommand {
  std::string_view word;
  std::string_view ours;
};

constexpr std::array<OtherCommand, 27> other_commands = {
    {{"bench", "run"},      {"benchmark", "run"},
     {"test", "run"},       {"start", "run"},
     {"fio", "run"},        {"runs", "list"},
     {"ls", "list"},        {"history", "list"},
     {"series", "list"},    {"show", "report"},
     {"print", "report"},   {"diff", "compare"},
     {"rm", "cleanup"},     {"remove", "cleanup"},
     {"purge", "cleanup"},  {"clean", "cleanup"},
     {"stat", "status"},    {"health", "status"},
     {"osd", "osds"},       {"resume", "run --resume"},
     {"suite", "patterns"}, {"caps", "auth"},
     {"rights", "auth"},    {"top", "watch"},
     {"perf", "watch"},     {"why", "explain"},
     {"analyse", "explain"}}};

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char digit) { return digit >= '0' && digit <= '9'; });
}

// The value of one of these options, also in the forms "-t16" and "--pool=hdd".
std::string value_of(const std::vector<std::string>& words, std::string_view letter,
                     std::string_view name) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if ((word == letter || word == name) && i + 1 < words.size()) return words[i + 1];
    if (word.starts_with(fmt::format("{}=", name))) return word.substr(name.size() + 1);
    const bool joined = word.starts_with(letter) && !word.starts_with("--");
    if (joined && word.size() > letter.size()) return word.substr(letter.size());
  }
  return {};
}

}  // namespace

std::optional<std::string> other_option_hint(std::string_view option, std::string_view value) {
  // fio itself accepts only "--ramp_time", but users write both forms.
  std::string dashed(option);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  // "--io_size" of fio and "--io-size" of rbd bench differ in meaning.
  const bool exact = option == "--io_size";
  const auto* const found =
      std::find_if(other_options.begin(), other_options.end(), [&](const OtherOption& other) {
        return other.option == option || (!exact && other.option == dashed);
      });
  if (found == other_options.end()) return std::nullopt;
  const std::string theirs = fmt::format("{} of {}", option, found->program);
  if (found->ours.empty()) return fmt::format("{}: {}", theirs, found->advice);
  const std::string example = value.empty() ? "" : fmt::format(": {} {}", found->ours, value);
  return fmt::format("{} is {} here{}{}", theirs, found->ours, found->advice, example);
}

std::string_view command_for(std::string_view word) {
  const auto* const found =
      std::find_if(other_commands.begin(), other_commands.end(),
                   [&](const OtherCommand& other) { return other.word == word; });
  return found == other_commands.end() ? std::string_view() : found->ours;
}

std::optional<std::string> rados_bench_as_ours(const std::vector<std::string>& words) {
  const auto bench = std::find(words.begin(), words.end(), "bench");
  if (bench == words.end()) return std::nullopt;
  const bool is_value =
      bench != words.begin() && (*(bench - 1) == "-p" || *(bench - 1) == "--pool");
  if (is_value) return std::nullopt;
  const std::string pool = value_of(words, "-p", "--pool");
  std::string mode = "write";
  std::string seconds;
  for (auto word = bench + 1; word != words.end(); ++word) {
    if (*word == "seq" || *word == "rand") mode = *word;
    const bool of_option = (word - 1)->starts_with('-');
    if (seconds.empty() && !of_option && is_number(*word)) seconds = *word;
  }
  std::string ours = fmt::format("radosload --pool {} --pattern radosbench-{}",
                                 pool.empty() ? "POOL" : pool, mode);
  if (!seconds.empty()) ours += fmt::format(" --time {}", seconds);
  const std::string size = value_of(words, "-b", "--block-size");
  if (!size.empty()) ours += fmt::format(" --bs {}", size);
  const std::string depth = value_of(words, "-t", "--concurrent-ios");
  if (!depth.empty()) ours += fmt::format(" --qd {}", depth);
  return ours;
}

}  // namespace radosload::cli
