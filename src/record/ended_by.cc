#include "record/ended_by.h"

#include <array>
#include <csignal>
#include <cstddef>

namespace radosload::record {

EndedBy ended_by_signal(int signal) {
  return signal == SIGINT    ? EndedBy::sigint
         : signal == SIGTERM ? EndedBy::sigterm
                             : EndedBy::sighup;
}

std::string_view ended_by_name(EndedBy end) {
  constexpr std::array<std::string_view, 12> names = {"",          "time",    "ops",     "bytes",
                                                      "exhausted", "stalled", "errors",  "health",
                                                      "session",   "SIGINT",  "SIGTERM", "SIGHUP"};
  return names.at(static_cast<std::size_t>(end));
}

}  // namespace radosload::record
