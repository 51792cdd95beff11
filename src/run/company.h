// The other members of a session, as a run sees them: runs in other processes that are one load
// together with this one. The run tells what it has finished and waits for the others; how they
// agree is none of its business (session/).
#pragma once

#include <chrono>
#include <string>

#include "radosload/result.h"

#include "workload/layout.h"

namespace radosload::run {

class Company {
 public:
  // What all do at the same time.
  enum class Turn : std::uint8_t { prepare, prefill, ready, load };

  Company() = default;
  virtual ~Company() = default;
  Company(const Company&) = delete;
  Company& operator=(const Company&) = delete;
  Company(Company&&) = delete;
  Company& operator=(Company&&) = delete;

  // The run whose name the objects carry: that of all of them.
  virtual const std::string& joint_run() const = 0;
  virtual workload::Part part() const = 0;
  // This run has finished the turn, and waits until the next one begins. An Error when it never
  // does: it was called off, or the other members have given this one up.
  virtual Status finish(Turn turn) = 0;
  // When the load begins; to be asked after finish(ready).
  virtual std::chrono::steady_clock::time_point start() = 0;
  // Why the load is to end before its time; empty: it continues. Does not wait.
  virtual std::string ended() = 0;
};

}  // namespace radosload::run
