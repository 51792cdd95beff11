// What a test says when a busy machine cannot be the cause of its failure. A failed test on a
// cluster is run once more, but never if its output has one of these (tools/devlib/unsteady.py).
#pragma once

namespace radosload::test {

inline constexpr const char* never_again = "\nnever run again: ";
// Streamed into an assertion: EXPECT_EQ(counted, sent) << wrong_figure;
inline constexpr const char* wrong_figure = "\nnever run again: a wrong figure";

}  // namespace radosload::test
