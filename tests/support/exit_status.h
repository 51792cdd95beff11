// The program's exit statuses, repeated here because scripts rely on the numbers.
#pragma once

namespace radosload::test {

inline constexpr int flawed = 1;
inline constexpr int usage = 2;
inline constexpr int no_cluster = 3;
inline constexpr int refused = 4;
inline constexpr int verdict = 5;
inline constexpr int interrupted = 130;

}  // namespace radosload::test
