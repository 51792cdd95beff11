#include <gtest/gtest.h>

#include "radosload/units.h"

#include <gmock/gmock.h>

#include "observe/compaction.h"

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Compaction, InProgress_IsDetectedInReleasesThatReportIt) {
  EXPECT_THAT(compaction_signs({.times = {}, .counts = {}, .levels = {{"compact_running", 1}}}),
              HasSubstr("in progress"));
  EXPECT_THAT(compaction_signs({.times = {}, .counts = {}, .levels = {{"compact_running", 0}}}),
              IsEmpty());
}

TEST(Compaction, OrderedCompaction_IsDetected) {
  EXPECT_THAT(compaction_signs({.times = {}, .counts = {{"compact", 1}}, .levels = {}}),
              HasSubstr("ordered"));
  EXPECT_THAT(compaction_signs({.times = {}, .counts = {{"compact", 0}}, .levels = {}}), IsEmpty());
}

TEST(Compaction, BurstOfTables_IsACompactionAndFlushedMemtableIsNot) {
  const auto signs = [](Bytes tables, Bytes wal) {
    return compaction_signs({.times = {},
                             .counts = {{"sst_bytes", tables.count}, {"wal_bytes", wal.count}},
                             .levels = {}});
  };
  EXPECT_THAT(signs(mib(400), mib(20)), HasSubstr("400 MiB were written to tables"));
  EXPECT_THAT(signs(mib(200), mib(180)), IsEmpty());
  EXPECT_THAT(signs(mib(4), mib(0)), IsEmpty()) << "too little to be noticed";
}

}  // namespace
}  // namespace radosload::observe
