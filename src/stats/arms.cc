#include "stats/arms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stats/replicates.h"
#include "stats/shift.h"

#include <fmt/format.h>

namespace radosload::stats {

namespace {

constexpr double in_percent = 100;

// A finding with what is still needed to decide it.
struct Trialled {
  Finding* finding = nullptr;
  std::optional<Shift> shift;
  bool lower_is_better = true;
  bool primary = false;
  // Figures of each arm that are lower bounds.
  std::size_t bounds_of_base = 0;
  std::size_t bounds_of_other = 0;
  std::size_t figures = 0;  // of both arms
};

std::size_t bounds_in(const std::vector<Sample>& samples) {
  return static_cast<std::size_t>(std::count_if(
      samples.begin(), samples.end(), [](const Sample& sample) { return sample.at_least; }));
}

std::string lost_operations(const Trialled& trial) {
  return fmt::format(
      "{} of {} figures are only known to be at least so long, because operations were lost",
      trial.bounds_of_base + trial.bounds_of_other, trial.figures);
}

// What is left of an interval when the figures of an arm may be any larger.
std::optional<Bounds> open_ended(std::optional<Bounds> interval, const Trialled& trial) {
  constexpr double any = std::numeric_limits<double>::infinity();
  if (interval && trial.bounds_of_other > 0) interval->high = any;
  if (interval && trial.bounds_of_base > 0) interval->low = -any;
  return interval;
}

std::string replicate_name(Scope scope) {
  return scope == Scope::these_osds ? "rounds" : "OSDs";
}

// What the interval of the logarithm proves; inconclusive without an interval.
ArmVerdict conclusion(const std::optional<Bounds>& interval, double limit, bool lower_is_better) {
  if (!interval) return ArmVerdict::inconclusive;
  if (interval->high < -limit) return lower_is_better ? ArmVerdict::faster : ArmVerdict::slower;
  if (interval->low > limit) return lower_is_better ? ArmVerdict::slower : ArmVerdict::faster;
  const bool within = interval->low > -limit && interval->high < limit;
  return within ? ArmVerdict::equivalent : ArmVerdict::inconclusive;
}

class ScopeTrial {
 public:
  explicit ScopeTrial(const ArmRules& rules)
      : m_rules(rules), m_limit(std::log1p(rules.threshold)) {}

  // `finding` must outlive this.
  void estimate(const Question& question, Replicates replicates, Finding& finding) {
    finding.n_a = replicates.base.size();
    finding.n_b = replicates.other.size();
    finding.pairs = replicates.paired;
    finding.reason = replicates.lacking;
    if (!replicates.lacking.empty()) return;
    Trialled trial{.finding = &finding,
                   .shift = {},
                   .lower_is_better = question.lower_is_better,
                   .primary = question.metric == m_rules.primary,
                   .bounds_of_base = bounds_in(question.base),
                   .bounds_of_other = bounds_in(question.other),
                   .figures = question.base.size() + question.other.size()};
    if (trial.bounds_of_base > 0 && trial.bounds_of_other > 0) {
      finding.reason = lost_operations(trial);
      return;
    }
    Shift shift(std::move(replicates));
    finding.method = shift.method();
    finding.ratio = std::exp(shift.log_ratio());
    finding.hodges_lehmann = std::exp(shift.hodges_lehmann());
    finding.p = shift.p(m_rules.seed);
    if (shift.without_scatter()) {
      finding.reason =
          "all figures of an arm are equal, so their scatter is unknown; record more digits";
      return;
    }
    if (const auto interval = shift.interval(m_rules.level)) {
      finding.interval = Bounds{.low = std::exp(interval->low), .high = std::exp(interval->high)};
    }
    finding.smallest = std::expm1(m_limit + shift.smallest(m_rules.level));
    finding.told = ArmVerdict::inconclusive;
    trial.shift = std::move(shift);
    m_trials.push_back(std::move(trial));
  }

  // The primary metric first, at the full level. The others are tested only after it has a verdict:
  // otherwise all would share one error level without paying for it.
  void decide() {
    std::vector<Trialled*> first;
    std::vector<Trialled*> rest;
    for (Trialled& trial : m_trials) (trial.primary ? first : rest).push_back(&trial);
    if (holm(first)) {
      holm(rest);
    } else {
      for (Trialled* const trial : rest) {
        trial->finding->reason = fmt::format(
            "not tested, because the primary metric {} is inconclusive", m_rules.primary);
      }
    }
    for (const Trialled& trial : m_trials) {
      if (trial.bounds_of_base + trial.bounds_of_other > 0) leave_bounds(trial);
    }
  }

 private:
  // Holm's procedure: as many share the error level as are still without a verdict. Whether all
  // have one in the end.
  bool holm(std::vector<Trialled*> open) {
    while (!open.empty()) {
      const double level = 1 - (1 - m_rules.level) / static_cast<double>(open.size());
      std::vector<Trialled*> left;
      for (Trialled* const trial : open) {
        trial->finding->level = level;
        trial->finding->told = conclusion(open_ended(trial->shift->interval(level), *trial),
                                          m_limit, trial->lower_is_better);
        if (trial->finding->told == ArmVerdict::inconclusive) left.push_back(trial);
      }
      if (left.size() == open.size()) {
        for (Trialled* const trial : left) explain(*trial, level);
        return false;
      }
      open = std::move(left);
    }
    return true;
  }

  // Neither ratio nor interval of figures that may be any larger is shown: only what they prove.
  static void leave_bounds(const Trialled& trial) {
    Finding& finding = *trial.finding;
    const bool open = finding.told == ArmVerdict::inconclusive;
    const auto interval = open ? std::nullopt : trial.shift->interval(*finding.level);
    const double end = interval ? (trial.bounds_of_other > 0 ? interval->low : -interval->high) : 0;
    finding.reason = open ? lost_operations(trial)
                          : fmt::format("at least by a factor of {:.3g}: {}", std::exp(end),
                                        lost_operations(trial));
    if (open) finding.told = ArmVerdict::not_assessable;
    finding.ratio.reset();
    finding.hodges_lehmann.reset();
    finding.interval.reset();
    finding.p.reset();
    finding.needed.reset();
    finding.smallest.reset();
    finding.method = Method::none;
  }

  void explain(const Trialled& trial, double level) const {
    Finding& finding = *trial.finding;
    const auto interval = trial.shift->interval(level);
    if (interval) {
      finding.reason = fmt::format(
          "the interval at {:.4g} % does not lie wholly beyond the threshold of {:.4g} %, nor "
          "within it",
          level * in_percent, m_rules.threshold * in_percent);
    } else {
      finding.reason = fmt::format("{} against {} {} have no interval at {:.4g} %", finding.n_a,
                                   finding.n_b, replicate_name(finding.scope), level * in_percent);
    }
    const double margin = std::abs(std::abs(trial.shift->log_ratio()) - m_limit);
    finding.needed = trial.shift->needed(margin, level);
  }

  const ArmRules& m_rules;
  double m_limit;
  std::vector<Trialled> m_trials;
};

}  // namespace

std::string_view scope_name(Scope scope) {
  return scope == Scope::these_osds ? "these-osds" : "this-kind";
}

std::string_view method_name(Method method) {
  switch (method) {
    case Method::none:
      return "none";
    case Method::hodges_lehmann:
      return "hodges-lehmann";
    case Method::welch:
      return "welch-log-normal";
    case Method::wilcoxon:
      return "wilcoxon-pairs";
    case Method::paired_t:
      return "t-log-normal-pairs";
  }
  return "none";
}

std::string_view arm_verdict_name(ArmVerdict told) {
  switch (told) {
    case ArmVerdict::faster:
      return "faster";
    case ArmVerdict::slower:
      return "slower";
    case ArmVerdict::equivalent:
      return "equivalent";
    case ArmVerdict::inconclusive:
      return "inconclusive";
    case ArmVerdict::not_assessable:
      return "not assessable";
  }
  return "not assessable";
}

double Scatter::share_of_rounds() const {
  const double by_rounds = within * within / rounds;
  const double all = by_rounds + between * between;
  return all > 0 ? by_rounds / all : 0;
}

std::vector<Answer> judge(std::span<const Question> questions, const ArmRules& rules) {
  std::vector<Answer> answers(questions.size());
  ScopeTrial these_osds(rules);
  ScopeTrial this_kind(rules);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    Answer& answer = answers[i];
    answer.metric = question.metric;
    answer.lower_is_better = question.lower_is_better;
    answer.scatter = scatter_of(question);
    answer.these_osds.scope = Scope::these_osds;
    answer.this_kind.scope = Scope::this_kind;
    these_osds.estimate(question, rounds_of(question), answer.these_osds);
    this_kind.estimate(question, units_of(question), answer.this_kind);
  }
  these_osds.decide();
  this_kind.decide();
  return answers;
}

}  // namespace radosload::stats
