// How long it takes to keep a study: its document when it begins, a line for each thing that
// happens, and the whole read back. Prints a line of JSON with milliseconds.
//
// usage: study_document FOLDER CELLS

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "record/line_journal.h"
#include "record/saving.h"
#include "record/study_store.h"
#include "study/document.h"
#include "study/schedule.h"

#include <fmt/format.h>

namespace {

using namespace radosload;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

study::StudyDocument document_of(std::size_t cells) {
  study::StudyPlan plan;
  plan.name = "bench";
  plan.question = "is it fast enough?";
  plan.arms = {{.name = "plain", .options = {"--pool", "plain1", "--osd", "0-9"}},
               {.name = "db", .options = {"--pool", "db1", "--osd", "10-19"}}};
  plan.works = {{.what = study::Work::What::pattern, .name = "w", .words = {"randwrite4k"}}};
  plan.seed = 22;
  std::vector<study::ArmUnits> units = {{.arm = "plain", .units = {}}, {.arm = "db", .units = {}}};
  for (int osd = 0; osd < 10; ++osd) {
    units[0].units.push_back(fmt::format("osd.{}", osd));
    units[1].units.push_back(fmt::format("osd.{}", 10 + osd));
  }
  plan.rounds = static_cast<unsigned>(cells / 20);
  study::StudyDocument document;
  document.id = "y20261125-050000000-abcd";
  document.started = "2026-11-25T05:00:00Z";
  document.program = "radosload bench";
  document.cells = study::schedule(plan, units, plan.seed).value();
  document.units = std::move(units);
  document.plan = std::move(plan);
  return document;
}

study::CellTry try_of(std::size_t cell) {
  study::CellTry one{.cell = cell,
                     .began = "2026-11-25T05:00:00Z",
                     .state = study::TryState::done,
                     .reason = {},
                     .runs = {"20261125-050000000-abcd"},
                     .figures = {}};
  for (const char* const metric :
       {"w IOPS", "w mean_us", "w deviation_us", "w p50_us", "w p99_us", "w p99.9_us"}) {
    one.figures.push_back({metric, 1234.5 + static_cast<double>(cell), true});
  }
  return one;
}

[[noreturn]] void give_up(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::exit(1);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: study_document FOLDER CELLS\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = words[1];
  auto document = document_of(std::strtoull(words[2], nullptr, 10));
  const auto save = [&](const char* name) {
    const auto began = Clock::now();
    const auto saved =
        record::save(folder / name, study::study_json(document), record::Existing::replace);
    if (!saved) give_up(saved.error());
    return ms_since(began);
  };
  const double fresh = save("fresh.json");
  auto journal = record::LineJournal::open(folder / "fresh.jsonl");
  if (!journal) give_up(journal.error());
  const auto began_lines = Clock::now();
  for (std::size_t cell = 0; cell < document.cells.size(); ++cell) {
    const study::OpenTry open{.cell = cell, .began = "2026-11-25T05:00:00Z", .process = "h b 1 2"};
    const auto one = try_of(cell);
    for (const std::string& line : {study::line_of(open), study::line_of(one)}) {
      if (const auto kept = journal->append(line); !kept) give_up(kept.error());
    }
    document.tries.push_back(one);
  }
  const double lines = ms_since(began_lines) / static_cast<double>(document.cells.size());
  const auto began_reading = Clock::now();
  const auto text = record::load_study(folder / "fresh.json");
  if (!text) give_up(text.error());
  const auto back = study::study_from_json(text->document, text->lines, "fresh.json");
  if (!back) give_up(back.error());
  const double reading = ms_since(began_reading);
  if (back->tries != document.tries) return 1;
  const double whole = save("whole.json");
  std::printf(
      "{\"cells\": %zu, \"new_ms\": %.3f, \"cell_ms\": %.3f, \"read_ms\": %.3f, "
      "\"whole_ms\": %.3f}\n",
      document.cells.size(), fresh, lines, reading, whole);
  return 0;
}
