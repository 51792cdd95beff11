// `radosload bug-report`: packs what is known of one run into an archive, without secrets.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/secrets.h"
#include "cli/commands/command.h"
#include "cli/commands/log_lines.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "plan/options.h"
#include "prepare/cluster_session.h"
#include "record/archive.h"
#include "record/file.h"
#include "record/journal.h"
#include "record/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

namespace fs = std::filesystem;

struct BugReportCommand {
  std::string run;
  std::string output;
};

class BugReport {
 public:
  // Adds a record that was named by its path, which has no journal.
  void add_record(const fs::path& path) {
    if (!add_file("record.json", path)) return;
    if (auto record = record::load_record(path)) {
      m_header = std::move(record->header);
    } else {
      missing(record.error().message());
    }
  }
  void add_stored(const record::Store& store, const std::string& run_id) {
    std::error_code ignored;
    const fs::path journal = store.journal_path(run_id);
    // Makes the record of a killed run, which has only a journal until then.
    if (const auto listed = store.list(); !listed) missing(listed.error().message());
    if (fs::exists(store.record_path(run_id), ignored)) {
      add_record(store.record_path(run_id));
    } else {
      missing(record::has_live_writer(journal) ? "record.json: the run has not ended"
                                               : "record.json: the journal cannot be read as one");
    }
    if (!fs::exists(journal, ignored)) return missing("journal.jsonl: it was removed");
    if (!add_file("journal.jsonl", journal) || m_header) return;
    if (const auto contents = record::read_journal(journal); contents && !contents->lines.empty()) {
      const auto* const header = std::get_if<record::RunHeader>(&contents->lines.front());
      if (header != nullptr) m_header = *header;
    }
  }
  void add_log() {
    const std::string path = m_header ? m_header->environment.client.log : "";
    if (path.empty()) return missing("log.txt: the run had no --log-file");
    const auto lines = log_lines(path);
    if (!lines) return missing("log.txt: " + lines.error().message());
    if (lines->skipped > 0) {
      missing(fmt::format("log lines left out: {} (not of radosload, or too old)", lines->skipped));
    }
    if (lines->text.empty()) return missing("log.txt: the file has no line of a log");
    add("log.txt", lines->text);
  }
  void add_options() {
    if (!m_header) return missing("options.txt: neither record nor journal says them");
    std::string text = "# The options in force, defaults included.\n";
    for (const plan::Option& option : plan::options()) {
      if (!option.recorded()) continue;
      const auto value = option.get(m_header->plan);
      if (value) text += fmt::format("{} = {}\n", option.name, *value);
    }
    add("options.txt", text);
  }
  void add_versions() {
    std::string text;
    const auto row = [&text](std::string_view name, std::string_view value) {
      text += fmt::format("{:20}{}\n", name, value);
    };
    const record::ClientFacts here = prepare::environment_without_cluster(RunPlan()).client;
    row("bug-report made by", program_name);
    row("librados here", here.librados);
    row("kernel here", here.kernel);
    row("distribution here", distribution());
    if (m_header) {
      const record::Environment& then = m_header->environment;
      row("run made by", m_header->program);
      row("run's librados", then.client.librados);
      row("run's kernel", then.client.kernel);
      row("run's host", then.client.host);
      for (const auto& [version, daemons] : then.ceph_versions) {
        row("cluster", fmt::format("{}: {} daemons", version, daemons));
      }
    }
    add("versions.txt", text);
  }

  std::string run_id() const { return m_header ? m_header->run_id : std::string(); }
  bool empty() const { return m_members.empty(); }
  std::string contents() const {
    std::vector<std::string> names;
    for (const auto& member : m_members) names.push_back(member.path);
    return fmt::format("{}", fmt::join(names, ", "));
  }
  const std::vector<std::string>& not_there() const { return m_missing; }

  Result<std::string> pack(const std::string& folder) {
    std::string about = fmt::format(
        "A radosload bug report of run {}.\nKeys, passphrases and passwords are replaced by "
        "[removed]; no keyring and no Ceph config is in it.\nIt names hosts, pools, images and "
        "OSDs: look through it before you pass it on.\n",
        folder);
    for (const std::string& what : m_missing) about += "Not here: " + what + "\n";
    add("about.txt", about);
    for (record::ArchiveMember& member : m_members) {
      member.path = fmt::format("radosload-bug-{}/{}", folder, member.path);
    }
    return record::tar_gz(m_members, std::chrono::system_clock::now());
  }

 private:
  static std::string distribution() {
    constexpr std::string_view key = "PRETTY_NAME=";
    std::ifstream file("/etc/os-release");
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(key)) continue;
      std::erase(line, '"');
      return line.substr(key.size());
    }
    return "unknown";
  }
  void missing(std::string what) {
    std::replace(what.begin(), what.end(), '\n', ' ');
    m_missing.push_back(std::move(what));
  }
  void add(std::string name, const std::string& text) {
    m_members.push_back({std::move(name), base::without_secrets(text)});
  }
  bool add_file(std::string name, const fs::path& path) {
    const auto text = record::read_file(path);
    if (text) {
      add(std::move(name), *text);
    } else {
      missing(name + ": " + text.error().message());
    }
    return text.has_value();
  }

  std::optional<record::RunHeader> m_header;
  std::vector<record::ArchiveMember> m_members;
  std::vector<std::string> m_missing;
};

bool is_file_name(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

Result<BugReport> collect(const std::string& run) {
  BugReport report;
  if (is_file_name(run)) {
    report.add_record(run);
  } else {
    RADOSLOAD_ASSIGN(const auto store, open_store());
    RADOSLOAD_ASSIGN(const auto run_id, store.find(run));
    report.add_stored(store, run_id);
  }
  if (report.empty()) {
    return fail({.attempt = "make a bug report of run",
                 .subject = run,
                 .reason = fmt::format("{}", fmt::join(report.not_there(), "; ")),
                 .hint = "'radosload list' shows the saved runs",
                 .exit = Exit::usage});
  }
  report.add_options();
  report.add_log();
  report.add_versions();
  return report;
}

// The name of the folder. Records may come from untrusted users, so only a valid run ID is used.
std::string folder_for(const BugReport& report, const std::string& run) {
  for (const std::string& id : {report.run_id(), run}) {
    if (record::is_run_id(id)) return id;
  }
  return "unknown";
}

Result<Exit> write_bug_report(const BugReportCommand& asked) {
  RADOSLOAD_ASSIGN(auto report, collect(asked.run));
  const std::string folder = folder_for(report, asked.run);
  const std::string output =
      asked.output.empty() ? fmt::format("radosload-bug-{}.tar.gz", folder) : asked.output;
  const std::string contents = report.contents();
  RADOSLOAD_ASSIGN(const auto archive, report.pack(folder));
  if (auto saved = record::save(output, archive, record::Existing::refuse); !saved) {
    Error error = std::move(saved).error();
    error.attempt = "write the bug report";
    if (error.exit == Exit::refused) error.hint = "name another file with --output FILE";
    return fail(std::move(error));
  }
  std::string text = fmt::format("wrote {} ({} bytes): {}\n", output, archive.size(), contents);
  for (const std::string& what : report.not_there()) text += "not in it: " + what + "\n";
  text += "It names hosts, pools, images and OSDs: look through it before you pass it on.\n";
  return print_result(text);
}

}  // namespace

void add_bug_report(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "bug-report", "Pack a run's record, journal and log into one file, without keys");
  auto asked = std::make_shared<BugReportCommand>();
  command->add_option("RUN", asked->run, "id of a run, its beginning, 'last', or a record's file")
      ->required();
  command->add_option("--output", asked->output, "file to write [radosload-bug-RUN.tar.gz]")
      ->type_name("FILE")
      ->configurable(false);
  command->final_callback(
      [asked, &chosen] { chosen = [asked] { return write_bug_report(*asked); }; });
}

}  // namespace radosload::cli
