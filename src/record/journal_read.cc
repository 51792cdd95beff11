// Reads a journal: whole, torn at its end, or with unreadable lines in the middle.
#include <algorithm>
#include <optional>
#include <utility>

#include "record/file.h"
#include "record/journal.h"

#include <fmt/format.h>

namespace radosload::record {

namespace {

const Interval* interval_at(const JournalContents& contents, std::size_t index) {
  return std::get_if<Interval>(&contents.lines[index]);
}

// The end of the last second before a hole; empty when there is none.
std::optional<Time> known_until(const JournalContents& contents, std::size_t end) {
  std::optional<Time> until;
  for (std::size_t i = 0; i < end; ++i) {
    if (const auto* interval = interval_at(contents, i)) until = interval->end();
  }
  return until;
}

// When the seconds behind a hole begin.
std::optional<Time> known_from(const JournalContents& contents, std::size_t begin) {
  for (std::size_t i = begin; i < contents.lines.size(); ++i) {
    if (const auto* interval = interval_at(contents, i)) return interval->start;
  }
  return std::nullopt;
}

std::string span_missing(std::optional<Time> until, std::optional<Time> from) {
  if (until && from && *until >= *from) return {};
  if (until && from) {
    return fmt::format("between {:g} s and {:g} s of the run", seconds(*until), seconds(*from));
  }
  if (from) return fmt::format("before {:g} s of the run", seconds(*from));
  return until ? fmt::format("after {:g} s of the run", seconds(*until)) : "of the run";
}

std::string hole_text(const JournalContents& contents, const JournalContents::Hole& hole) {
  const std::string lines =
      hole.count == 1 ? fmt::format("line {}", hole.first)
                      : fmt::format("lines {} to {}", hole.first, hole.first + hole.count - 1);
  const std::string span =
      span_missing(known_until(contents, hole.after), known_from(contents, hole.after));
  if (span.empty()) {
    return fmt::format("{} of the journal cannot be read; no second of the run is missing", lines);
  }
  return fmt::format(
      "{} of the journal cannot be read: the results {} are missing, so the throughput shown is "
      "too low and the latencies are incomplete",
      lines, span);
}

void report_holes(const JournalContents& contents, RunRecord& record) {
  for (const auto& hole : contents.holes) {
    const std::string text = hole_text(contents, hole);
    record.warnings.push_back(text);
    record.grade.value = std::max(record.grade.value, GradeValue::contaminated);
    record.grade.reasons.push_back(text);
  }
}

}  // namespace

Result<JournalContents> read_journal(const std::filesystem::path& path) {
  RADOSLOAD_ASSIGN(const auto text, read_file(path));
  JournalContents contents;
  std::string_view rest = text;
  std::optional<JournalContents::Hole> unreadable;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      contents.torn = true;
      break;
    }
    auto line =
        decode_line(rest.substr(0, end), fmt::format("line {} of {}", number, path.string()));
    rest.remove_prefix(end + 1);
    if (!line) {
      if (!unreadable) unreadable = {.after = contents.lines.size(), .first = number};
      ++unreadable->count;
      continue;
    }
    if (unreadable) contents.holes.push_back(*std::exchange(unreadable, std::nullopt));
    contents.lines.push_back(std::move(*line));
  }
  // After a power cut, blocks at the end may be zeros or old data: that is a torn end too.
  contents.torn = contents.torn || unreadable.has_value();
  return contents;
}

Result<RunRecord> fold_journal(const JournalContents& contents, const std::string& subject) {
  const bool header_lost = !contents.holes.empty() && contents.holes.front().after == 0;
  const auto* const header =
      contents.lines.empty() ? nullptr : std::get_if<RunHeader>(&contents.lines.front());
  if (header == nullptr || header_lost) {
    return fail({.attempt = "read the journal",
                 .subject = subject,
                 .reason = header_lost ? "its first line, the header of the run, cannot be read"
                                       : "it does not begin with a header"});
  }
  Folder folder(*header);
  for (const JournalLine& line : contents.lines) {
    if (const auto* interval = std::get_if<Interval>(&line)) folder.add(*interval);
    if (const auto* event = std::get_if<Event>(&line)) folder.add(*event);
    if (const auto* footer = std::get_if<RunFooter>(&line)) folder.add(*footer);
    if (const auto* warmup = std::get_if<Warmup>(&line)) folder.add(*warmup);
  }
  RunRecord record = folder.record();
  report_holes(contents, record);
  return record;
}

}  // namespace radosload::record
