// Asks many OSDs the same question, several at the same time. An OSD that does not answer delays
// the others by seconds at most.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "base/idle_threads.h"

namespace radosload::watch {

template <typename T>
using OsdAnswers = std::map<std::int32_t, Result<T>>;

inline constexpr std::size_t osd_askers = 8;
// After this time no further OSD is asked; requests that are under way have their own deadline.
inline constexpr Time osds_patience = std::chrono::seconds(3);

// `function`: Result<T>(std::int32_t osd), called on any thread; must return within seconds.
template <typename Function>
auto ask_osds(const std::vector<std::int32_t>& osds, const Function& function) {
  using Answer = decltype(function(std::int32_t{}));
  std::map<std::int32_t, Answer> answers;
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < osds.size(); i = next++) {
      const std::int32_t osd = osds[i];
      const bool late = std::chrono::steady_clock::now() - start > osds_patience;
      Answer answer =
          late ? Answer(fail({.attempt = "ask",
                              .subject = "osd." + std::to_string(osd),
                              .reason = "not asked, because other OSDs did not answer in time"}))
               : function(osd);
      const std::lock_guard lock(mutex);
      answers.emplace(osd, std::move(answer));
    }
  };
  base::run_together(std::min(osd_askers, osds.size()), work);
  return answers;
}

}  // namespace radosload::watch
