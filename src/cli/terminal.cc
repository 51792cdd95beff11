#include "cli/terminal.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/log.h"
#include "cli/drawn_lines.h"
#include "cli/options/display_options.h"
#include "cli/output.h"
#include "report/compat/rados_bench.h"
#include "report/live.h"
#include "report/live_history.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// Prints only warnings, neither progress nor results.
class Quiet : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string& text) override { warn(text); }
};

// A frame of one or more lines that is redrawn.
class Frame final : public record::ProgressListener {
 public:
  void progress(const record::Progress& now) override {
    m_history.add(now);
    // The last column is left free: some terminals wrap when it is written.
    report::Style style = style_for(STDERR_FILENO);
    style.columns -= 1;
    auto lines = report::live_frame(now, style.columns);
    // Lines that have scrolled off the screen cannot be redrawn.
    const std::size_t rows = screen_of(STDERR_FILENO).rows;
    const std::size_t room = rows > lines.size() + 1 ? rows - lines.size() - 1 : 0;
    for (std::string& line : m_history.picture(style, room)) lines.push_back(std::move(line));
    m_lines.show(lines);
  }
  void note(const std::string& text) override {
    m_lines.wipe();
    warn(text);
    m_history.mark(text);
  }

 private:
  report::LiveHistory m_history;
  DrawnLines m_lines;
};

// For logs and pipes: prints the rows of rados bench while it measures, and in other phases a line
// at their beginning and every five seconds. Every run has a drain, so a short drain gets no line.
class Rows final : public Quiet {
 public:
  explicit Rows(bool steps_only) : m_steps_only(steps_only) {}
  void step(const std::string& name, Time left) override {
    m_phase.clear();
    m_rows = report::BenchRows();
    tell(fmt::format("{}\n", report::step_text(name, left)));
  }
  void progress(const record::Progress& now) override {
    if (!m_steps_only) tell_row(now);
    if (!now.stuck.empty()) tell_stuck(now.stuck);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Time between = std::chrono::seconds(5);
  static constexpr Time between_stuck = std::chrono::seconds(10);
  static constexpr std::size_t most_places = 3;

  void tell_row(const record::Progress& now) {
    if (now.phase != m_phase) begin(now.phase);
    if (now.phase == "measure") {
      if (now.last.length > Time(0)) tell(m_rows.next(now.last));
    } else if (now.elapsed >= m_next && now.done < 1) {
      m_next = now.elapsed + between;
      print_line(now);
    }
  }
  void begin(const std::string& phase) {
    m_phase = phase;
    m_next = between;
    if (phase == "measure") {
      tell(fmt::format("{}{}", report::BenchRows::head(), m_rows.first()));
    } else if (phase != "drain") {
      tell(fmt::format("{}: started\n", phase));
    }
  }
  static void print_line(const record::Progress& now) {
    constexpr double percent = 100;
    const std::string done = now.done < 0 ? "" : fmt::format(" {:.0f} %,", now.done * percent);
    tell(fmt::format("{}:{} {} elapsed, {} in flight\n", now.phase, done, human_text(now.elapsed),
                     now.in_flight));
  }

  // Rows stay in a log, so stuck operations are reported rarely, and only the worst few places.
  void tell_stuck(const std::vector<std::string>& places) {
    const Clock::time_point now = Clock::now();
    if (m_stuck_told && now - *m_stuck_told < between_stuck) return;
    m_stuck_told = now;
    std::string text = places.front();
    for (std::size_t i = 1; i < std::min(places.size(), most_places); ++i) {
      text += "; " + places[i];
    }
    if (places.size() > most_places) {
      text += fmt::format("; and {} more", places.size() - most_places);
    }
    warn("waiting for " + text);
  }

  bool m_steps_only;
  report::BenchRows m_rows;
  std::optional<Clock::time_point> m_stuck_told;
  std::string m_phase;
  Time m_next{0};
};

}  // namespace

std::unique_ptr<record::ProgressListener> make_terminal(ProgressStyle style) {
  if (style == ProgressStyle::none) return std::make_unique<Quiet>();
  // A frame would overwrite the lines of the log.
  const bool drawn = ::isatty(STDERR_FILENO) != 0 && !base::logs_to_stderr();
  if (drawn) return std::make_unique<Frame>();
  return std::make_unique<Rows>(style == ProgressStyle::steps);
}

}  // namespace radosload::cli
