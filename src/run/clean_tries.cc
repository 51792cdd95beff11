#include "run/clean_tries.h"

#include <algorithm>
#include <string>

#include "run/measure.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

std::string grade_words(const record::Grade& grade) {
  const std::string name = grade.value == record::GradeValue::unwatched
                               ? "not graded"
                               : std::string(record::grade_name(grade.value));
  return grade.reasons.empty() ? name : fmt::format("{} ({})", name, grade.reasons.front());
}

}  // namespace

Result<RunResult> try_until_clean(std::uint32_t tries,
                                  const std::function<Result<RunResult>()>& measure,
                                  record::ProgressListener& listener) {
  for (std::uint32_t number = 1;; ++number) {
    auto result = measure();
    if (!result || result->exit == Exit::interrupted) return result;
    const record::RunRecord& record = result->record;
    if (record.grade.value == record::GradeValue::clean) return result;
    // Operations without an answer may still write, so no other run may follow.
    const bool last = number >= tries || abandoned_passes() > 0;
    listener.note(fmt::format("try {} of {}: run {} is {}{}", number, tries, record.header.run_id,
                              grade_words(record.grade),
                              last ? "; no try was clean" : "; measuring again"));
    if (last) {
      result->exit = std::max(result->exit, Exit::flawed);
      return result;
    }
  }
}

}  // namespace radosload::run
