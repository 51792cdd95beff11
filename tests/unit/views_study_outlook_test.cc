// What is shown of a study before its first cell.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "views/study_outlook.h"

namespace radosload::views {
namespace {

using ::testing::HasSubstr;

std::string text_with(const study::Work& work) {
  StudyOutlook outlook;
  outlook.document.plan.works = {work};
  return outlook_text(outlook);
}

TEST(StudyOutlookText, UnknownLength_HasTheReason) {
  EXPECT_THAT(text_with({.what = study::Work::What::timer, .name = "scrub", .words = {"scrub"}}),
              HasSubstr("a timing takes as long as the cluster does"));
  EXPECT_THAT(text_with({.name = "randread4k", .words = {"randread4k,ops=1000"}}),
              HasSubstr("its runs end by operations or bytes"));
}

}  // namespace
}  // namespace radosload::views
