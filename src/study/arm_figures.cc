#include "study/arm_figures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "radosload/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

namespace {

template <std::size_t Count>
bool is_among(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "p99", "p99.9"
bool is_percentile(std::string_view word) {
  if (word.size() < 2 || word[0] != 'p') return false;
  return std::all_of(word.begin() + 1, word.end(), [](char letter) {
    return letter == '.' || std::isdigit(static_cast<unsigned char>(letter)) != 0;
  });
}

std::string last_word(std::string_view metric) {
  const std::size_t space = metric.find_last_of(" :");
  std::string word(space == std::string_view::npos ? metric : metric.substr(space + 1));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const std::string_view unit : {"_ns", "_us", "_ms", "_s"}) {
    std::string bare = word.size() > unit.size() ? word.substr(0, word.size() - unit.size()) : "";
    if (!bare.empty() && word.ends_with(unit) &&
        (is_percentile(bare) || bare == "mean" || bare == "deviation" || bare == "duration")) {
      return bare;
    }
  }
  return word;
}

// In the order in which they are first met; one too many ends the search.
template <typename Of>
std::vector<std::string> names_of(const std::vector<ArmFigure>& figures, Of of) {
  std::vector<std::string> names;
  for (const ArmFigure& figure : figures) {
    const std::string& name = of(figure);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (names.size() > most_names) break;
  }
  return names;
}

stats::Question question_of(const std::vector<ArmFigure>& figures, const std::string& base,
                            const std::string& other, const std::string& metric) {
  stats::Question question;
  question.metric = metric;
  for (const ArmFigure& figure : figures) {
    if (figure.metric != metric) continue;
    question.lower_is_better = figure.lower_is_better;
    const stats::Sample sample{.unit = figure.unit,
                               .round = figure.round,
                               .value = figure.value,
                               .at_least = figure.at_least};
    if (figure.arm == base) question.base.push_back(sample);
    if (figure.arm == other) question.other.push_back(sample);
  }
  return question;
}

tl::unexpected<Error> cannot_judge(std::string reason, std::string hint) {
  return fail({.attempt = "compare the arms",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

}  // namespace

std::optional<bool> lower_is_better(std::string_view metric) {
  constexpr std::array<std::string_view, 9> more = {"iops",  "mib_per_s",  "mb/s",
                                                    "mib/s", "bandwidth",  "throughput",
                                                    "ops/s", "iops_per_w", "net_iops_per_w"};
  constexpr std::array<std::string_view, 6> less = {"mean",     "deviation", "latency",
                                                    "duration", "errors",    "max"};
  const std::string word = last_word(metric);
  if (is_among(word, more)) return false;
  if (is_among(word, less) || is_percentile(word) || word.ends_with("_latency")) return true;
  return std::nullopt;
}

Result<std::vector<Contest>> judge_figures(const std::vector<ArmFigure>& figures,
                                           const stats::ArmRules& rules) {
  const auto arms =
      names_of(figures, [](const ArmFigure& f) -> const std::string& { return f.arm; });
  const auto metrics =
      names_of(figures, [](const ArmFigure& f) -> const std::string& { return f.metric; });
  if (arms.size() < 2) {
    return cannot_judge(arms.empty()
                            ? "there are no figures"
                            : fmt::format("there is only one arm, '{}'", printable(arms[0])),
                        "give figures of at least two arms; the first one is the base");
  }
  if (arms.size() > most_names || metrics.size() > most_names) {
    return cannot_judge(fmt::format("there are more than {} arms or metrics", most_names),
                        "compare fewer at a time");
  }
  if (!rules.primary.empty() &&
      std::find(metrics.begin(), metrics.end(), rules.primary) == metrics.end()) {
    const std::string hint =
        fmt::format("the metrics are: {}", printable(fmt::format("{}", fmt::join(metrics, ", "))));
    return cannot_judge(
        fmt::format("the primary metric '{}' has no figures", printable(rules.primary)),
        is_percentile(last_word(rules.primary)) ? "each run needs more operations for this "
                                                  "percentile (p99 takes 368): measure longer; " +
                                                      hint
                                                : hint);
  }
  std::vector<Contest> contests;
  std::vector<stats::Question> questions;
  for (std::size_t arm = 1; arm < arms.size(); ++arm) {
    for (const std::string& metric : metrics) {
      auto question = question_of(figures, arms[0], arms[arm], metric);
      if (question.base.empty() || question.other.empty()) continue;
      contests.push_back({.base = arms[0], .other = arms[arm], .answer = {}});
      questions.push_back(std::move(question));
    }
  }
  if (questions.empty()) {
    return cannot_judge(
        fmt::format("no arm has a metric in common with the first one, '{}'", printable(arms[0])),
        "use the same names of metrics in all arms");
  }
  auto answers = stats::judge(questions, rules);
  for (std::size_t i = 0; i < contests.size(); ++i) contests[i].answer = std::move(answers[i]);
  return contests;
}

std::vector<std::string> metrics_in(const std::vector<ArmFigure>& figures) {
  std::vector<std::string> metrics;
  for (const ArmFigure& figure : figures) {
    if (std::find(metrics.begin(), metrics.end(), figure.metric) == metrics.end()) {
      metrics.push_back(figure.metric);
    }
  }
  return metrics;
}

}  // namespace radosload::study
