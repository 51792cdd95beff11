#include "workload/stream.h"

#include <gtest/gtest.h>

namespace radosload::workload {
namespace {
TEST(Stream, Makes) {}
}  // namespace
}  // namespace radosload::workload
