// The file of a study: YAML that a person writes, read into a StudyPlan and written from one. What
// each key means stands in one table (study_keys); patterns, timers and options of runs are checked
// by the program's own tables, so that a wrong word is found before anything runs, with its line.
//
// The way of a study: read_study, then apply_arm and apply_setting as the command line asks, then
// check_study, which looks at the whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "study/study_plan.h"

namespace radosload::study {

// Every part of what it returns is valid by itself; whether the parts fit is check_study's. Errors
// name `subject` (the file), the line, the key and the nearest valid word; exit status 2.
Result<StudyPlan> read_study(std::string_view text, const std::string& subject);

// The same from a file, which is read up to the limit of a study only.
Result<StudyPlan> read_study_file(const std::filesystem::path& path);

// --arm NAME=WORDS: replaces the arm of that name, or adds one.
Status apply_arm(StudyPlan& plan, std::string_view text);

// --set KEY=VALUE: a value as the file has it, `rounds=3`, `load=60%`, `options.time=5s`,
// `timers=[]`. It replaces what the file says of that key. A sweep multiplies the patterns there
// are.
Status apply_setting(StudyPlan& plan, std::string_view text);

// Refuses a study that cannot be made: nothing to compare, nothing to do in a cell, options of an
// arm that contradict a pattern, a primary metric that no cell has. `subject` as in read_study.
Status check_study(const StudyPlan& plan, const std::string& subject);

// YAML that reads back to an equal plan. Sweeps are written out.
std::string study_text(const StudyPlan& plan);

// The studies that are shipped, by name: from the folder beside the program, or the source tree of
// a build.
std::vector<std::string> study_names();

// The file that FILE|NAME of the command line means: a word with a slash or ending in .yaml or .yml
// is a path, any other the name of a shipped study. The error lists them, the nearest first.
Result<std::filesystem::path> find_study(const std::string& word);

}  // namespace radosload::study
