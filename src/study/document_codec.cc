#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "radosload/printable.h"

#include "base/json_reading.h"
#include "study/document.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::study {

namespace {

using StudyJson = nlohmann::ordered_json;
using ReadJson = nlohmann::json;

constexpr std::array order_names = {std::pair{Order::shuffled, "shuffled"},
                                    std::pair{Order::abba, "abba"},
                                    std::pair{Order::listed, "listed"}};
constexpr std::array try_states = {TryState::done,   TryState::contaminated, TryState::void_cell,
                                   TryState::failed, TryState::cut_off,      TryState::interrupted};

// Caught where the document is read: the text says what is wrong with it.
struct BadStudy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// ---- writing ----

StudyJson text_or_null(const std::string& text) {
  return text.empty() ? StudyJson(nullptr) : StudyJson(text);
}

StudyJson plan_json(const StudyPlan& plan) {
  StudyJson arms = StudyJson::array();
  for (const Arm& arm : plan.arms) arms.push_back({{"name", arm.name}, {"options", arm.options}});
  StudyJson works = StudyJson::array();
  for (const Work& work : plan.works) {
    works.push_back({{"name", work.name},
                     {"what", work.what == Work::What::timer ? "timer" : "pattern"},
                     {"words", work.words}});
  }
  StudyJson phases = StudyJson::array();
  for (const Phase& phase : plan.phases) {
    phases.push_back({{"name", phase.name}, {"command", text_or_null(phase.command)}});
  }
  const auto* const order = std::find_if(order_names.begin(), order_names.end(),
                                         [&](const auto& one) { return one.first == plan.order; });
  StudyJson probe;
  if (plan.probe) {
    probe = {{"every_s", seconds(plan.probe->every)}, {"for_s", seconds(plan.probe->for_time)}};
  }
  return {{"name", plan.name},
          {"question", plan.question},
          {"arms", arms},
          {"works", works},
          {"options", plan.options},
          {"rounds", plan.rounds},
          {"order", order->second},
          {"seed", plan.seed},
          {"rate", text_or_null(plan.load.rate)},
          {"capacity_share", plan.load.capacity_share},
          {"phases", phases},
          {"probe", probe},
          {"require_clean", plan.require_clean},
          {"keep_objects", plan.keep_objects},
          {"primary", text_or_null(plan.primary)},
          {"threshold", plan.threshold},
          {"level", plan.level}};
}

StudyJson cell_json(const StudyCell& cell) {
  return {{"phase", text_or_null(cell.phase)},
          {"round", cell.round},
          {"arm", cell.arm},
          {"unit", cell.unit},
          {"work", cell.work},
          {"at_s", seconds(cell.at)}};
}

StudyJson try_json(const CellTry& one) {
  StudyJson figures = StudyJson::array();
  for (const CellFigure& figure : one.figures) {
    figures.push_back({{"metric", figure.metric},
                       {"value", figure.value},
                       {"better", figure.lower_is_better ? "lower" : "higher"}});
    if (figure.at_least) figures.back()["at_least"] = true;
  }
  return {{"cell", one.cell},
          {"began", one.began},
          {"state", try_state_name(one.state)},
          {"reason", text_or_null(one.reason)},
          {"runs", one.runs},
          {"figures", figures}};
}

StudyJson open_json(const OpenTry& one) {
  return {{"cell", one.cell}, {"began", one.began}, {"process", text_or_null(one.process)}};
}

StudyJson phase_json(const PhaseBegun& one) {
  return {{"phase", one.phase}, {"at", one.at}};
}

std::string json_line(const char* key, const StudyJson& value) {
  return StudyJson{{key, value}}.dump(-1, ' ', false, StudyJson::error_handler_t::replace) + "\n";
}

// ---- reading ----

std::string text_at(const ReadJson& json, const char* key) {
  const ReadJson& value = json.at(key);
  return value.is_null() ? std::string() : value.get<std::string>();
}

Time time_at(const ReadJson& json, const char* key) {
  constexpr double longest_s = 1e9;
  const double value = json.at(key).get<double>();
  if (!(value >= 0 && value <= longest_s)) throw BadStudy(fmt::format("{} is out of range", key));
  return std::chrono::duration_cast<Time>(std::chrono::duration<double>(value));
}

Order order_from(const std::string& name) {
  for (const auto& [order, text] : order_names) {
    if (name == text) return order;
  }
  throw BadStudy(fmt::format("'{}' is not an order", printable(name)));
}

StudyPlan plan_from(const ReadJson& json) {
  StudyPlan plan;
  plan.name = json.at("name");
  plan.question = json.at("question");
  for (const ReadJson& arm : json.at("arms")) {
    plan.arms.push_back({.name = arm.at("name"), .options = arm.at("options")});
  }
  for (const ReadJson& work : json.at("works")) {
    const bool timer = work.at("what") == "timer";
    plan.works.push_back({.what = timer ? Work::What::timer : Work::What::pattern,
                          .name = work.at("name"),
                          .words = work.at("words")});
  }
  for (const ReadJson& phase : json.at("phases")) {
    plan.phases.push_back({.name = phase.at("name"), .command = text_at(phase, "command")});
  }
  plan.options = json.at("options").get<std::vector<std::string>>();
  plan.rounds = json.at("rounds");
  plan.order = order_from(json.at("order"));
  plan.seed = json.at("seed");
  plan.load = {.rate = text_at(json, "rate"), .capacity_share = json.at("capacity_share")};
  if (const ReadJson& probe = json.at("probe"); !probe.is_null()) {
    plan.probe = Probe{.every = time_at(probe, "every_s"), .for_time = time_at(probe, "for_s")};
  }
  plan.require_clean = json.at("require_clean");
  // Studies kept their objects before there was this key.
  plan.keep_objects = json.value("keep_objects", true);
  plan.primary = text_at(json, "primary");
  plan.threshold = json.at("threshold");
  plan.level = json.at("level");
  return plan;
}

std::size_t cell_at(const ReadJson& json, const StudyDocument& document) {
  const auto cell = json.at("cell").get<std::size_t>();
  if (cell >= document.cells.size()) throw BadStudy(fmt::format("there is no cell {}", cell));
  return cell;
}

TryState try_state_from(const std::string& name) {
  for (const TryState state : try_states) {
    if (try_state_name(state) == name) return state;
  }
  throw BadStudy(fmt::format("'{}' is not the state of a try", printable(name)));
}

CellTry try_from(const ReadJson& json, const StudyDocument& document) {
  CellTry one{.cell = cell_at(json, document),
              .began = json.at("began"),
              .state = try_state_from(json.at("state")),
              .reason = text_at(json, "reason"),
              .runs = json.at("runs"),
              .figures = {}};
  for (const ReadJson& figure : json.at("figures")) {
    const double value = figure.at("value");
    if (!(value > 0)) throw BadStudy("the value of a figure is not above 0");
    one.figures.push_back({.metric = figure.at("metric"),
                           .value = value,
                           .lower_is_better = figure.at("better") == "lower",
                           .at_least = figure.value("at_least", false)});
  }
  return one;
}

OpenTry open_from(const ReadJson& json, const StudyDocument& document) {
  return {.cell = cell_at(json, document),
          .began = json.at("began"),
          .process = text_at(json, "process")};
}

void take_cells(const ReadJson& json, StudyDocument& document) {
  for (const ReadJson& arm : json.at("units")) {
    document.units.push_back({.arm = arm.at("arm"), .units = arm.at("units")});
  }
  for (const ReadJson& one : json.at("cells")) {
    StudyCell cell{.phase = text_at(one, "phase"),
                   .round = one.at("round"),
                   .arm = one.at("arm"),
                   .unit = one.at("unit"),
                   .work = one.at("work"),
                   .at = time_at(one, "at_s")};
    if (cell.work >= document.plan.works.size()) throw BadStudy("a cell has no pattern or timer");
    document.cells.push_back(std::move(cell));
  }
}

StudyDocument document_from(const ReadJson& json) {
  if (json.at("schema") != study_schema) {
    throw BadStudy(fmt::format("its schema is not {}", study_schema));
  }
  StudyDocument document;
  document.id = json.at("study_id");
  document.started = json.at("started");
  document.program = json.at("program");
  document.plan = plan_from(json.at("plan"));
  take_cells(json, document);
  document.capacity = json.at("capacity_iops");
  document.remarks = json.at("remarks").get<std::vector<std::string>>();
  for (const ReadJson& one : json.at("phases")) {
    document.phases.push_back({.phase = one.at("phase"), .at = one.at("at")});
  }
  for (const ReadJson& one : json.at("tries")) document.tries.push_back(try_from(one, document));
  if (const ReadJson& open = json.at("open"); !open.is_null()) {
    document.open = open_from(open, document);
  }
  return document;
}

void take_line(const ReadJson& line, StudyDocument& document) {
  if (line.contains("try")) {
    document.tries.push_back(try_from(line["try"], document));
    document.open.reset();
  } else if (line.contains("open")) {
    document.open = open_from(line["open"], document);
  } else if (line.contains("phase")) {
    document.phases.push_back({.phase = line["phase"].at("phase"), .at = line["phase"].at("at")});
  } else if (line.contains("capacity_iops")) {
    document.capacity = line["capacity_iops"];
  } else {
    throw BadStudy("it is of no known kind");
  }
}

tl::unexpected<Error> unreadable(const std::string& subject, std::string reason) {
  return fail(
      {.attempt = "read the study",
       .subject = subject,
       .reason = std::move(reason),
       .hint = "give the ID of a study, or a file that 'radosload report ID --json' wrote"});
}

// What the library and our own checks throw stays in here.
template <typename Do>
Status reading(const std::string& subject, const std::string& what, const Do& work) {
  try {
    work();
  } catch (const BadStudy& bad) {
    return unreadable(subject, what + bad.what());
  } catch (const ReadJson::exception& bad) {
    return unreadable(subject, what + printable(bad.what()));
  }
  return {};
}

Status take_lines(const std::string& lines, const std::string& subject, StudyDocument& document) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    if (end == std::string::npos) break;  // torn
    ++number;
    const std::string_view text = std::string_view(lines).substr(begin, end - begin);
    begin = end + 1;
    const std::string where = fmt::format("line {} of what happened: ", number);
    const auto line = read_json(text);
    if (!line) return unreadable(subject, where + line.error().reason);
    RADOSLOAD_TRY(reading(subject, where, [&] { take_line(*line, document); }));
  }
  return {};
}

}  // namespace

std::string study_json(const StudyDocument& document) {
  StudyJson json = {{"schema", study_schema},
                    {"study_id", document.id},
                    {"started", document.started},
                    {"program", document.program},
                    {"plan", plan_json(document.plan)},
                    {"units", StudyJson::array()},
                    {"capacity_iops", document.capacity},
                    {"remarks", document.remarks},
                    {"phases", StudyJson::array()},
                    {"cells", StudyJson::array()},
                    {"tries", StudyJson::array()},
                    {"open", document.open ? open_json(*document.open) : StudyJson(nullptr)}};
  for (const ArmUnits& arm : document.units) {
    json["units"].push_back({{"arm", arm.arm}, {"units", arm.units}});
  }
  for (const PhaseBegun& one : document.phases) json["phases"].push_back(phase_json(one));
  for (const StudyCell& cell : document.cells) json["cells"].push_back(cell_json(cell));
  for (const CellTry& one : document.tries) json["tries"].push_back(try_json(one));
  return json.dump(1, ' ', false, StudyJson::error_handler_t::replace) + "\n";
}

std::string line_of(const CellTry& one) {
  return json_line("try", try_json(one));
}

std::string line_of(const OpenTry& one) {
  return json_line("open", open_json(one));
}

std::string line_of(const PhaseBegun& one) {
  return json_line("phase", phase_json(one));
}

std::string capacity_line(double iops) {
  return json_line("capacity_iops", iops);
}

Result<StudyDocument> study_from_json(const std::string& text, const std::string& lines,
                                      const std::string& subject) {
  const auto json = read_json(text);
  if (!json) return unreadable(subject, json.error().reason);
  StudyDocument document;
  RADOSLOAD_TRY(reading(subject, "", [&] { document = document_from(*json); }));
  RADOSLOAD_TRY(take_lines(lines, subject, document));
  return document;
}

}  // namespace radosload::study
