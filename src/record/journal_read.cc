// Reading a journal back, torn or whole.
#include "record/file.h"
#include "record/journal.h"

#include <fmt/format.h>

namespace radosload::record {

Result<JournalContents> read_journal(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return tl::make_unexpected(text.error());
  JournalContents contents;
  std::string_view rest = *text;
  std::optional<Error> unreadable;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      contents.torn = true;
      break;
    }
    auto line =
        decode_line(rest.substr(0, end), fmt::format("line {} of {}", number, path.string()));
    rest.remove_prefix(end + 1);
    if (line && unreadable) return fail(std::move(*unreadable));  // a hole in the middle
    if (line) {
      contents.lines.push_back(std::move(*line));
    } else if (!unreadable) {
      unreadable = std::move(line.error());
    }
  }
  // After a power cut, blocks at the end may be zeros or old bytes: that is an end, too.
  contents.torn = contents.torn || unreadable.has_value();
  return contents;
}

Result<RunRecord> fold_journal(const JournalContents& contents, const std::string& subject) {
  const auto* const header =
      contents.lines.empty() ? nullptr : std::get_if<RunHeader>(&contents.lines.front());
  if (header == nullptr) {
    return fail({.attempt = "read the journal",
                 .subject = subject,
                 .reason = "it does not begin with a header",
                 .hint = {}});
  }
  Folder folder(*header);
  for (const JournalLine& line : contents.lines) {
    if (const auto* interval = std::get_if<Interval>(&line)) folder.add(*interval);
    if (const auto* event = std::get_if<Event>(&line)) folder.add(*event);
    if (const auto* footer = std::get_if<RunFooter>(&line)) folder.add(*footer);
  }
  return folder.record();
}

}  // namespace radosload::record
