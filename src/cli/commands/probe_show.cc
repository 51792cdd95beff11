// `radosload probe show`: what the history of a probe says.

#include <algorithm>
#include <cstdlib>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "radosload/printable.h"

#include "cli/commands/probe_words.h"
#include "cli/output.h"
#include "placement/osd_select.h"
#include "probe/summary.h"
#include "record/store.h"
#include "report/layout.h"
#include "views/probe_text.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace fs = std::filesystem;

namespace {

// A pool's name as a name of a folder.
std::string folder_name(const std::string& pool) {
  std::string name = pool;
  for (char& letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '-' || letter == '.';
    if (!plain) letter = '_';
  }
  if (name.starts_with('.')) name.front() = '_';
  return name;
}

Error history_error(std::string reason, std::string hint) {
  return {.attempt = "show the history of a probe",
          .reason = std::move(reason),
          .hint = std::move(hint),
          .exit = Exit::usage};
}

// That of the only pool that was probed.
Result<fs::path> only_folder(const fs::path& all) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(all, code), end; !code && at != end; at.increment(code)) {
    if (at->is_directory(code)) names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  if (names.size() == 1) return all / names.front();
  if (names.empty()) {
    return fail(history_error(fmt::format("there is none in {}", all.string()),
                              "give its folder with --history; that of the service is "
                              "/var/lib/radosload-probe"));
  }
  return fail(history_error(fmt::format("there are several: {}", report::joined(names, ", ")),
                            "choose one with --pool or --history"));
}

// OSDs by their numbers: a history does not know hosts.
Result<std::set<std::int32_t>> wanted_osds(const std::string& text) {
  std::set<std::int32_t> wanted;
  if (text.empty()) return wanted;
  RADOSLOAD_ASSIGN(const auto selection, placement::parse_osd_selection(text));
  constexpr std::int32_t most = 100'000;
  for (const auto& group : selection.groups) {
    for (const auto& term : group) {
      const bool range = term.by == placement::OsdTerm::By::range;
      const std::int32_t last = range ? term.last : term.first;
      if ((!range && term.by != placement::OsdTerm::By::id) || last - term.first > most) {
        return fail(history_error("--osd takes only numbers of OSDs here",
                                  "write for example --osd 0,3-5"));
      }
      for (std::int32_t osd = term.first; osd <= last; ++osd) wanted.insert(osd);
    }
  }
  return wanted;
}

Result<views::ProbeShown> read_shown(const fs::path& folder, const ProbeWords& words) {
  RADOSLOAD_ASSIGN(auto files, probe::history_files(folder));
  if (files.size() > words.days) {
    files.erase(files.begin(), files.end() - static_cast<std::ptrdiff_t>(words.days));
  }
  RADOSLOAD_ASSIGN(auto wanted, wanted_osds(words.action.empty() ? "" : words.osds));
  probe::Summariser summariser(std::move(wanted));
  RADOSLOAD_ASSIGN(auto reading, probe::read_history(files, [&](const probe::HistoryLine& line) {
                     summariser.add(line);
                   }));
  return views::ProbeShown{.folder = folder.string(),
                           .summary = summariser.take(),
                           .unreadable = reading.unreadable,
                           .problem = std::move(reading.problem)};
}

}  // namespace

Result<fs::path> history_folder(const ProbeWords& words) {
  if (!words.history.empty()) return fs::path(words.history);
  const auto runs = record::store_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"));
  if (!runs) {
    Error error = runs.error();
    error.hint = "give a folder with --history";
    return fail(std::move(error));
  }
  const fs::path all = runs->parent_path() / "probe";
  if (words.target == "sim") return all / "sim";
  if (!words.pool.empty()) return all / folder_name(words.pool);
  return only_folder(all);
}

Result<Exit> show_history(const ProbeWords& words) {
  RADOSLOAD_ASSIGN(const auto folder, history_folder(words));
  RADOSLOAD_ASSIGN(const auto files, probe::history_files(folder));
  if (files.empty()) {
    return fail({.attempt = "show the history in",
                 .subject = printable(folder.string()),
                 .reason = "there is none",
                 .hint = "'radosload probe --pool POOL' makes one; --history names another folder",
                 .exit = Exit::flawed});
  }
  RADOSLOAD_ASSIGN(const auto shown, read_shown(folder, words));
  return print_result(words.format == "json" ? views::probe_json(shown) : views::probe_text(shown));
}

std::string history_shown(const fs::path& folder, const ProbeWords& words, std::size_t most_rows) {
  const auto shown = read_shown(folder, words);
  if (!shown) return shown.error().message() + "\n";
  return words.format == "json" ? views::probe_json(*shown) : views::probe_text(*shown, most_rows);
}

}  // namespace radosload::cli
