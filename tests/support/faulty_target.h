// A target whose operations fail, wait, come late or never come, as a test says while it runs. All
// of it happens on one loop at a time, in virtual time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "radosload/loop.h"
#include "radosload/target.h"

#include "workload/payload.h"

namespace radosload::test {

// The operations that a fault concerns: those that fit everything that is given.
struct Which {
  std::optional<std::int32_t> osd = {};
  std::optional<OpKind> kind = {};
  // By their numbers, in the order in which they are sent; the first of the target has 0.
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

  bool fit(const Op& op, std::uint64_t number) const {
    return (!osd || *osd == op.osd) && (!kind || *kind == op.kind) && first <= number &&
           number <= last;
  }
  bool operator==(const Which&) const = default;
};

enum class AnswerOrder : std::uint8_t { as_sent, reversed };

class FaultyTarget final : public Target {
 public:
  // Answers after `latency` as long as there are no faults. With `content` it keeps what is
  // written; blocks that were not written read as if they had been prefilled.
  explicit FaultyTarget(Time latency, std::optional<workload::Payload> content = std::nullopt)
      : m_latency(latency), m_content(std::move(content)) {}

  // The loop of the pass that begins. Operations of earlier ones may still be answered.
  void begin_on(Loop& loop) { m_loop = &loop; }
  // Called for each operation that is carried out.
  std::function<void(const Op&)> on_served = [](const Op&) {};

  // Until resume() with the same operations; of several faults that fit, the last one counts.
  void fail(const Which& which, int rc);
  void delay(const Which& which, Time by);
  // No answers, unless a cancel gives them.
  void stall(const Which& which);
  // No answers, not even to a cancel.
  void stall_for_good(const Which& which);
  // Ends the faults, and answers what has waited.
  void resume(const Which& which, AnswerOrder order = AnswerOrder::as_sent);

  // Operations end with -ETIMEDOUT after so long, as with a timeout of the client; writes are
  // carried out nevertheless once nothing stalls them.
  void time_out_after(Time limit) { m_timeout = limit; }
  // Undoes all writes since the last call of remember().
  void remember() { m_remembered = m_written; }
  void roll_back() { m_written = m_remembered; }
  // Writes are acknowledged and not carried out, from now on, or no longer.
  void lose_writes(bool lose) { m_loses_writes = lose; }

  Status attach(std::span<Slot> slots) override;
  void submit(Slot& slot) noexcept override;
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return m_content.has_value(); }

 private:
  enum class Effect : std::uint8_t { fails, is_late, waits, waits_for_good };
  struct Fault {
    Which which;
    Effect effect = Effect::fails;
    int rc = 0;
    Time by{0};
  };
  // One for each slot. Its tasks on the loop may be due when the slot has another operation.
  struct Driver {
    Slot* slot = nullptr;
    std::uint64_t number = 0;  // of the operation
    bool pending = false;
    bool waits = false;
  };
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // object, offset
  struct Write {
    Op op;
    std::uint64_t number = 0;
    std::vector<std::byte> bytes;
  };

  const Fault* fault_of(const Op& op, std::uint64_t number) const;
  bool stalled(const Op& op, std::uint64_t number) const;
  // When its answer is due: also of an operation that was sent before the fault began.
  void answer(Driver& driver, std::uint64_t number);
  void time_out(Driver& driver, std::uint64_t number);
  void serve(Driver& driver);
  void finish(Driver& driver, Outcome outcome);
  void carry_out_late();

  Time m_latency;
  std::optional<workload::Payload> m_content;
  Loop* m_loop = nullptr;
  std::deque<std::vector<Driver>> m_sets;  // one for each attach
  std::vector<Fault> m_faults;
  std::vector<Driver*> m_waiting;  // in the order of their answers
  std::vector<Write> m_late;       // timed out and stalled
  std::map<Place, std::vector<std::byte>> m_written;
  std::map<Place, std::vector<std::byte>> m_remembered;
  std::uint64_t m_sent = 0;
  Time m_timeout{0};
  bool m_loses_writes = false;
  bool m_cancelled = false;
};

}  // namespace radosload::test
