// Runs that are repeated until nothing has disturbed one.
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "run/clean_tries.h"

namespace radosload::run {
namespace {

using record::GradeValue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TryNotes final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string& text) override { lines.push_back(text); }
  std::vector<std::string> lines;
};

// Measures that end with these grades, one after the other.
struct Tries {
  explicit Tries(std::vector<GradeValue> ends) : grades(std::move(ends)) {}

  std::vector<GradeValue> grades;
  std::size_t made = 0;
  TryNotes notes;

  Result<RunResult> run(std::uint32_t most) {
    return try_until_clean(
        most,
        [this]() -> Result<RunResult> {
          RunResult result;
          result.record.grade = {.value = grades.at(made++), .reasons = {"osd.3 was restarted"}};
          return result;
        },
        notes);
  }
};

TEST(CleanTries, TheFirstCleanRunIsTheLast) {
  Tries tries({GradeValue::contaminated, GradeValue::clean});
  const auto result = tries.run(3);
  ASSERT_TRUE(result);
  EXPECT_EQ(tries.made, 2U);
  EXPECT_EQ(result->exit, Exit::measured);
  EXPECT_THAT(tries.notes.lines, ElementsAre(HasSubstr("contaminated (osd.3 was restarted); "
                                                       "measuring again")));
}

TEST(CleanTries, WithoutACleanOneTheStatusIs1) {
  Tries tries({GradeValue::contaminated, GradeValue::unwatched, GradeValue::void_run});
  const auto result = tries.run(3);
  ASSERT_TRUE(result);
  EXPECT_EQ(tries.made, 3U);
  EXPECT_EQ(result->exit, Exit::flawed);
  EXPECT_THAT(tries.notes.lines.back(), HasSubstr("no try was clean"));
}

TEST(CleanTries, OneThatCouldNotStartIsNotRepeated) {
  TryNotes notes;
  int made = 0;
  const auto result = try_until_clean(
      3,
      [&]() -> Result<RunResult> {
        ++made;
        return fail({.attempt = "start", .exit = Exit::refused});
      },
      notes);
  EXPECT_FALSE(result);
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace radosload::run
