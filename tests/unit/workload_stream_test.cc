#include <gtest/gtest.h>

#include "workload/stream.h"

namespace radosload::workload {
namespace {
TEST(Stream, Makes) {}
}  // namespace
}  // namespace radosload::workload
