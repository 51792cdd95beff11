// What every target promises (include/radosload/target.h), as tests. A program that links
// target_contract_test.cc names its targets with INSTANTIATE_TEST_SUITE_P for TargetContract, and
// those that can be made to answer nothing for SilentTargets as well.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "radosload/target.h"

#include "support/slots.h"
#include "workload/payload.h"

namespace radosload::test {

// The working set of the tests. Objects, files and images are at least so large.
inline constexpr std::uint32_t contract_lanes = 2;
inline constexpr std::uint64_t contract_objects = 4;
inline constexpr std::uint32_t contract_block = 4096;
inline constexpr std::uint32_t contract_object_bytes = 16 * contract_block;
inline constexpr std::size_t contract_places = 64;

// What the tests write, and what the simulated target generates.
const workload::Payload& contract_payload();

// An operation on one of the contract_places, each of which is a block of its own. Objects of
// neighbouring places differ. A list is of directory 0, or of all objects.
Op op_at(OpKind kind, std::size_t place);

// A target, and what is below it.
struct TargetRig {
  std::shared_ptr<void> below;
  std::function<void()> before_end;  // called before the target is destroyed
  std::function<void()> answer;      // makes a silent one answer; may be called twice
  std::unique_ptr<Target> target;

  TargetRig() = default;
  ~TargetRig() {
    destroy();
    if (answer) answer();
  }
  TargetRig(const TargetRig&) = delete;
  TargetRig& operator=(const TargetRig&) = delete;
  TargetRig(TargetRig&&) = delete;
  TargetRig& operator=(TargetRig&&) = delete;

  void destroy() {
    if (before_end) before_end();
    target.reset();
  }
};

using RigMaker = std::function<std::unique_ptr<TargetRig>()>;

// Of a read, after its data has been checked.
struct GapResults {
  int never_written = 0;       // where nothing was written to the object
  int before_written = 0;      // ... but behind it
  int beyond_the_written = 0;  // of two blocks, of which the second was not written
};

struct TargetCase {
  std::string name;
  RigMaker make;
  std::vector<OpKind> kinds;   // all that the target carries out
  GapResults gaps = {};        // if it carries data
  RigMaker make_failing = {};  // null: nothing fails
  Op failing = {.object = contract_objects, .kind = OpKind::stat};
  int failure = -ENOENT;
  std::string unavailable = {};  // why it cannot be tested here; empty: it can
};

// A target whose operations are not answered from below, at the latest a while after their begin.
struct SilentCase {
  std::string name;
  RigMaker make;
  OpKind kind = OpKind::write;
  int abandoned = 0;  // works that are abandoned when the target is destroyed
  std::string unavailable = {};
};

// A target of a case, attached to slots.
class AttachedTarget {
 public:
  void open(const RigMaker& make, std::size_t count);
  Target& target() { return *m_rig->target; }
  TargetRig& rig() { return *m_rig; }
  Slots& slots() { return *m_slots; }
  void forget_slots() { m_slots.reset(); }

 private:
  std::unique_ptr<Slots> m_slots;  // lives longer than the rig
  std::unique_ptr<TargetRig> m_rig;
};

template <typename Case>
class ContractTest : public testing::TestWithParam<Case>, protected AttachedTarget {
 protected:
  void SetUp() override {
    const std::string& why = this->GetParam().unavailable;
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

class TargetContract : public ContractTest<TargetCase> {};
class SilentTargets : public ContractTest<SilentCase> {};

// The names of the cases, for INSTANTIATE_TEST_SUITE_P and for GoogleTest's messages.
template <typename Case>
std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}
void PrintTo(const TargetCase& target, std::ostream* out);
void PrintTo(const SilentCase& target, std::ostream* out);

}  // namespace radosload::test
