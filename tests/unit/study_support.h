// A study of two arms of made-up OSDs, and a world in which its cells are measured by a script.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "study/conduct.h"
#include "study/schedule.h"

namespace radosload::study {

inline StudyPlan plan_of_test(unsigned rounds = 3, Order order = Order::shuffled) {
  StudyPlan plan;
  plan.name = "test";
  plan.question = "is plain slower?";
  plan.arms = {{.name = "plain", .options = {"--pool", "a"}},
               {.name = "wal", .options = {"--pool", "b"}}};
  plan.works = {{.what = Work::What::pattern, .name = "w", .words = {"randwrite4k"}}};
  plan.rounds = rounds;
  plan.order = order;
  plan.seed = 11;
  plan.primary = "w IOPS";
  return plan;
}

inline std::vector<ArmUnits> units_of_test(std::size_t a = 2, std::size_t b = 2) {
  std::vector<ArmUnits> arms = {{.arm = "plain", .units = {}}, {.arm = "wal", .units = {}}};
  for (std::size_t i = 0; i < a; ++i) arms[0].units.push_back("osd." + std::to_string(i));
  for (std::size_t i = 0; i < b; ++i) arms[1].units.push_back("osd." + std::to_string(100 + i));
  return arms;
}

inline StudyDocument document_of_test(StudyPlan plan = plan_of_test(),
                                      std::vector<ArmUnits> units = units_of_test()) {
  StudyDocument document;
  document.id = "y20261125-050000000-abcd";
  document.started = "2026-11-25T05:00:00Z";
  document.program = "radosload test";
  document.cells = schedule(plan, units, plan.seed).value();
  document.units = std::move(units);
  document.plan = std::move(plan);
  return document;
}

// Figures that follow from the cell alone, as those of a simulation do.
inline Measured measured_of(const StudyDocument& document, std::size_t cell) {
  const bool wal = document.cells[cell].arm == "wal" || document.cells[cell].phase == "after";
  const double noise = static_cast<double>(seed_of_cell(document.plan.seed, cell) % 1000) / 10000;
  Measured measured;
  measured.runs = {"run-" + std::to_string(cell)};
  measured.figures = {{"w IOPS", (wal ? 200 : 100) * (1 + noise), false}};
  return measured;
}

// Keeps its lines, and may die before any of them.
struct ScriptedWorld {
  std::string lines;
  std::vector<std::size_t> measured;
  std::vector<std::string> reached;
  std::vector<std::string> notes;
  std::function<Measured(const StudyDocument&, std::size_t)> measure = measured_of;
  std::function<Status(const Phase&)> reach = [](const Phase&) { return Status{}; };
  std::function<bool()> interrupted = [] { return false; };

  ConductWorld world() {
    return {.measure =
                [this](const StudyDocument& document, std::size_t cell) {
                  measured.push_back(cell);
                  return measure(document, cell);
                },
            .recover =
                [](const StudyDocument&, const OpenTry&) {
                  Measured found;
                  found.runs = {"run-cut"};
                  return found;
                },
            .keep =
                [this](const std::string& line) {
                  lines += line;
                  return Status{};
                },
            .reach =
                [this](const Phase& phase) {
                  reached.push_back(phase.name);
                  return reach(phase);
                },
            .interrupted = [this] { return interrupted(); },
            .now = [] { return std::string("2026-11-25T05:00:01Z"); },
            .process = "host boot 1 2",
            .wait_until = [](Time) {},
            .note = [this](const std::string& text) { notes.push_back(text); }};
  }
};

}  // namespace radosload::study
