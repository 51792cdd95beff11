// Internal to this room: texts of a study that have a language of their own. Options of `radosload
// run` and timers of `radosload time` as words, checked by the tables of those commands and brought
// into one form, so that the same study is always the same value. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "study/study_plan.h"

namespace radosload::study {

// As a shell splits them: blanks, quotes ('a b', "a b"), backslashes. Nothing is expanded.
Result<std::vector<std::string>> split_words(std::string_view text);
// The reverse: a text that splits into the same words.
std::string words_text(std::span<const std::string> words);

// Options of a run: "-p hdd --osd=0-3" becomes {"--pool", "hdd", "--osd", "0-3"}. A switch stays
// one word, as --SWITCH or --SWITCH=no. Errors name the option in their subject.
Result<std::vector<std::string>> run_options(const std::vector<std::string>& words);

// One option by its name without dashes and its value, which for a switch is yes or no.
Result<std::vector<std::string>> run_option(const std::string& name, const std::string& value);

// The words of each option in a list that run_options made: {"--pool", "hdd"}, {"--keep"}.
std::vector<std::vector<std::string>> one_by_one(std::span<const std::string> options);
// Such a list as run_options reads it.
std::string options_text(std::span<const std::string> options);
// Its name without dashes.
std::string option_name(const std::string& word);

// The works of a pattern, "randwrite4k,qd=16 --clients 2": one, or one for each step of a suite and
// each value of a list (qd=1:16). An empty name stands for the pattern itself.
Result<std::vector<Work>> pattern_works(const std::string& name, const std::string& text);

// "scrub --deep".
Result<Work> timer_work(const std::string& name, const std::string& text);

struct SweepAxis {
  std::string key;  // of patterns; or rate, clients
  std::vector<std::string> values;
};
// Each pattern at every combination of the values; the last axis changes fastest.
Result<std::vector<Work>> swept(const std::vector<Work>& patterns,
                                const std::vector<SweepAxis>& axes);

inline constexpr std::size_t most_works = 100;  // patterns and timers; more is probably a typo

}  // namespace radosload::study
