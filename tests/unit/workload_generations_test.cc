#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "workload/generations.h"

namespace radosload::workload {
namespace {

using Finding = Generations::Finding;
using Ticket = Generations::Ticket;

// Tickets for so many operations at a time.
std::deque<Ticket> admitted(const Generations& generations, std::uint32_t count) {
  std::deque<Ticket> tickets(count);
  for (std::uint32_t i = 0; i < count; ++i) generations.admit(tickets[i], i);
  return tickets;
}

Generation write(Generations& generations, Ticket& ticket, std::uint64_t block = 0,
                 bool acknowledged = true) {
  const Generation generation = generations.begin_write(ticket, block);
  generations.end_write(ticket, acknowledged);
  return generation;
}

Finding read(Generations& generations, Ticket& ticket, Generation found, std::uint64_t block = 0) {
  generations.begin_read(ticket, block);
  return generations.end_read(ticket, found).finding;
}

TEST(Generations, AReadBelowTheAcknowledgedWriteIsALossAndNamesBoth) {
  Generations generations(10, 4);
  auto tickets = admitted(generations, 4);
  EXPECT_EQ(write(generations, tickets[0]), 1);
  EXPECT_EQ(write(generations, tickets[1]), 2);
  generations.begin_read(tickets[2], 0);
  const auto verdict = generations.end_read(tickets[2], 1);
  EXPECT_EQ(verdict.finding, Finding::lost);
  EXPECT_EQ(verdict.floor, 2);
  EXPECT_EQ(verdict.ceiling, 2);
  EXPECT_EQ(read(generations, tickets[2], 0), Finding::lost);
  EXPECT_EQ(read(generations, tickets[2], 2), Finding::permitted);
  EXPECT_EQ(read(generations, tickets[2], 0, 1), Finding::permitted) << "another block";
}

TEST(Generations, WriteThatWasNotSent_IsReported) {
  Generations generations(10, 2);
  auto tickets = admitted(generations, 2);
  EXPECT_EQ(read(generations, tickets[0], 1), Finding::never_sent);
  write(generations, tickets[0]);
  EXPECT_EQ(read(generations, tickets[0], 2), Finding::never_sent);
  // One that is sent before the answer comes may be in it.
  generations.begin_read(tickets[0], 0);
  generations.begin_write(tickets[1], 0);
  EXPECT_EQ(generations.end_read(tickets[0], 2).finding, Finding::permitted);
  generations.end_write(tickets[1], true);
}

TEST(Generations, OfOverlappingWritesEitherMayBeTheLast) {
  Generations generations(1, 3);
  auto tickets = admitted(generations, 3);
  write(generations, tickets[0]);
  generations.begin_write(tickets[0], 0);
  generations.begin_write(tickets[1], 0);
  generations.end_write(tickets[1], true);
  generations.end_write(tickets[0], true);
  EXPECT_EQ(read(generations, tickets[2], 1), Finding::lost);
  EXPECT_EQ(read(generations, tickets[2], 2), Finding::permitted);
  // The read has shown which was the last.
  EXPECT_EQ(read(generations, tickets[2], 3), Finding::lost);
  EXPECT_EQ(write(generations, tickets[0]), 4);
  EXPECT_EQ(read(generations, tickets[2], 2), Finding::lost);
}

TEST(Generations, FailedWrite_MayBeCarriedOutAtAnyTime) {
  Generations generations(1, 2);
  auto tickets = admitted(generations, 2);
  write(generations, tickets[0]);
  write(generations, tickets[0], 0, false);
  EXPECT_EQ(read(generations, tickets[1], 1), Finding::permitted);
  EXPECT_EQ(read(generations, tickets[1], 2), Finding::permitted);
  EXPECT_EQ(read(generations, tickets[1], 1), Finding::permitted);
  write(generations, tickets[0]);
  EXPECT_EQ(read(generations, tickets[1], 1), Finding::lost);
  EXPECT_EQ(read(generations, tickets[1], 2), Finding::permitted) << "it has landed late";
  EXPECT_EQ(read(generations, tickets[1], 3), Finding::permitted);
}

TEST(Generations, CounterWrapsAround_NoFalseAlarm) {
  Generations generations(1, 3);
  auto tickets = admitted(generations, 3);
  constexpr int writes = 100000;
  Generation before = 0;
  for (int i = 0; i < writes; ++i) {
    // A read that was sent long ago: every value is possible.
    if (i == 10) generations.begin_read(tickets[2], 0);
    const Generation now = write(generations, tickets[0]);
    ASSERT_NE(now, 0);
    ASSERT_EQ(read(generations, tickets[1], now), Finding::permitted) << i;
    ASSERT_EQ(read(generations, tickets[1], before), Finding::lost) << i;
    before = now;
    if (i == 90000) {
      ASSERT_EQ(generations.end_read(tickets[2], 5).finding, Finding::permitted);
    }
  }
}

TEST(Generations, CountAcknowledgedAndReadBackWrites) {
  Generations generations(10, 2);
  auto tickets = admitted(generations, 2);
  write(generations, tickets[0], 0);  // overwritten unread
  write(generations, tickets[0], 0);
  read(generations, tickets[1], 2, 0);
  read(generations, tickets[1], 2, 0);
  write(generations, tickets[0], 1);
  read(generations, tickets[1], 0, 1);  // a loss is not read back
  write(generations, tickets[0], 2, false);
  read(generations, tickets[1], 0, 3);
  const auto coverage = generations.coverage();
  EXPECT_EQ(coverage.blocks, 10U);
  EXPECT_EQ(coverage.followed, 10U);
  EXPECT_EQ(coverage.acknowledged, 3U);
  EXPECT_EQ(coverage.read_back, 1U);
}

TEST(Generations, MoreBlocksThanTheMemoryHolds_ASampleIsVerified) {
  Generations generations(1000, 2, {.bytes = 500, .spare_tracks = 1});
  auto tickets = admitted(generations, 2);
  std::uint64_t followed = 0;
  for (std::uint64_t block = 0; block < 1000; ++block) {
    const Generation generation = write(generations, tickets[0], block);
    followed += generation != 0;
    EXPECT_EQ(read(generations, tickets[1], 0, block),
              generation != 0 ? Finding::lost : Finding::permitted);
  }
  EXPECT_EQ(followed, 250U);
  EXPECT_EQ(generations.coverage().followed, followed);
  EXPECT_EQ(generations.coverage().blocks, 1000U);
}

TEST(Generations, TooManyFailedWrites_BlockIsGivenUpAndCounted) {
  Generations generations(100, 2, {.bytes = 1U << 20U, .spare_tracks = 5});
  auto tickets = admitted(generations, 2);
  for (std::uint64_t block = 0; block < 20; ++block) write(generations, tickets[0], block, false);
  EXPECT_EQ(generations.coverage().given_up, 15U);
  EXPECT_EQ(generations.coverage().followed, 85U);
  for (std::uint64_t block = 0; block < 20; ++block) {
    EXPECT_EQ(read(generations, tickets[1], 9, block),
              block < 5 ? Finding::never_sent : Finding::permitted);
  }
}

// What the class claims, done the slow way: every write with its times.
class History {
 public:
  struct Write {
    int began;
    std::optional<int> acknowledged;
    bool failed = false;
    bool excluded = false;  // a read has shown that it was not the last
  };
  History() { m_writes.push_back({.began = -1, .acknowledged = 0}); }

  std::size_t begin() {
    m_writes.push_back({.began = ++m_now, .acknowledged = {}});
    return m_writes.size() - 1;
  }
  void end(std::size_t write, bool acknowledged) {
    ++m_now;
    if (acknowledged) m_writes[write].acknowledged = m_now;
    m_writes[write].failed = !acknowledged;
  }
  // What a read that is sent now may return, of what has been sent.
  std::vector<bool> permitted() const {
    std::vector<bool> result;
    for (const Write& value : m_writes) {
      const bool overwritten =
          value.acknowledged &&
          std::any_of(m_writes.begin(), m_writes.end(), [&](const Write& other) {
            return other.acknowledged && other.began > *value.acknowledged;
          });
      result.push_back(!overwritten && !value.excluded);
    }
    return result;
  }
  void show_last(std::size_t last) {
    for (std::size_t i = 0; i < m_writes.size(); ++i) m_writes[i].excluded |= i != last;
  }
  bool quiet() const {
    return std::all_of(m_writes.begin(), m_writes.end(),
                       [](const Write& write) { return write.acknowledged.has_value(); });
  }
  int now() const { return m_now; }
  std::size_t size() const { return m_writes.size(); }

 private:
  std::vector<Write> m_writes;
  int m_now = 0;
};

struct Flight {
  Ticket ticket;
  bool writes = false;
  bool flies = false;
  std::size_t write = 0;
  std::vector<bool> permitted;  // to a read, when it was sent
  int began = 0;
};

// Any operations on one block, overlapping in any way; reads return anything at all.
RC_GTEST_PROP(Generations, AcceptExactlyTheResultsOfSomeOrderOfWrites, ()) {
  constexpr std::uint32_t depth = 6;
  Generations generations(1, depth);
  std::vector<Flight> flights(depth);
  for (std::uint32_t i = 0; i < depth; ++i) generations.admit(flights[i].ticket, i);
  History history;
  const auto steps = *rc::gen::inRange(1, 80);
  for (int step = 0; step < steps; ++step) {
    Flight& flight = flights[*rc::gen::inRange(0U, depth)];
    if (!flight.flies) {
      flight.flies = true;
      flight.writes = *rc::gen::arbitrary<bool>();
      if (flight.writes) {
        flight.write = history.begin();
        RC_ASSERT(generations.begin_write(flight.ticket, 0) == flight.write);
      } else {
        flight.permitted = history.permitted();
        flight.began = history.now();
        generations.begin_read(flight.ticket, 0);
      }
      continue;
    }
    flight.flies = false;
    if (flight.writes) {
      const bool acknowledged = *rc::gen::inRange(0, 8) != 0;
      history.end(flight.write, acknowledged);
      generations.end_write(flight.ticket, acknowledged);
      continue;
    }
    const auto found = *rc::gen::inRange<std::size_t>(0, history.size() + 1);
    flight.permitted.resize(history.size(), true);  // sent while the read was under way
    const bool permitted = found < history.size() && flight.permitted[found];
    const auto verdict = generations.end_read(flight.ticket, static_cast<Generation>(found));
    RC_ASSERT((verdict.finding == Finding::permitted) == permitted);
    if (!permitted) {
      RC_ASSERT((verdict.finding == Finding::lost) == (found < history.size()));
    } else if (history.quiet() && history.now() == flight.began && history.permitted()[found]) {
      history.show_last(found);
    }
  }
}

// A store that carries every operation out at some moment between sending and answer, and writes
// that fail never, or at any time later.
class Store {
 public:
  explicit Store(std::uint64_t blocks) : m_values(blocks) {}
  Generation at(std::uint64_t block) const { return m_values[block]; }
  void write(std::uint64_t block, Generation value) { m_values[block] = value; }

 private:
  std::vector<Generation> m_values;
};

struct Operation {
  Ticket ticket;
  std::uint64_t block = 0;
  Generation value = 0;
  bool writes = false;
  bool flies = false;
  bool done = false;
};

// More operations on few blocks than a track has room for, so that values are put together.
RC_GTEST_PROP(Generations, OverlappingFailingAndLateWrites_NoFalseAlarm, ()) {
  const auto depth = *rc::gen::inRange(1U, 65U);
  const auto blocks = *rc::gen::inRange<std::uint64_t>(1, 6);
  const auto failures = *rc::gen::inRange(0U, 20U);
  Random luck(*rc::gen::arbitrary<std::uint64_t>());
  Generations generations(blocks, depth, {.bytes = 1024, .spare_tracks = 2});
  std::vector<Operation> operations(depth);
  for (std::uint32_t i = 0; i < depth; ++i) generations.admit(operations[i].ticket, i);
  Store store(blocks);
  std::vector<std::pair<std::uint64_t, Generation>> late;
  for (int step = 0; step < 3000; ++step) {
    Operation& op = operations[luck.next() % depth];
    if (!op.flies) {
      op.flies = true;
      op.done = false;
      op.writes = luck.next() % 2 == 0;
      op.block = luck.next() % blocks;
      if (op.writes) op.value = generations.begin_write(op.ticket, op.block);
      if (!op.writes) generations.begin_read(op.ticket, op.block);
    } else if (!op.done) {
      op.done = true;
      if (op.writes && luck.next() % 100 < failures) {
        if (op.ticket.follows() && luck.next() % 2 == 0) late.emplace_back(op.block, op.value);
        generations.end_write(op.ticket, false);
        op.flies = false;
      } else if (op.writes) {
        if (op.ticket.follows()) store.write(op.block, op.value);
      } else {
        op.value = store.at(op.block);
      }
    } else {
      op.flies = false;
      if (op.writes) {
        generations.end_write(op.ticket, true);
      } else {
        RC_ASSERT(generations.end_read(op.ticket, op.value).finding == Finding::permitted);
      }
    }
    if (!late.empty() && luck.next() % 50 == 0) {
      store.write(late.back().first, late.back().second);
      late.pop_back();
    }
  }
}

// As above, from several threads, each with operations of its own on the same blocks.
TEST(Generations, ThreadsOnTheSameBlocksGiveNoFalseAlarm) {
  constexpr std::uint32_t threads = 4;
  constexpr std::uint32_t each = 8;
  constexpr std::uint64_t blocks = 3;
  Generations generations(blocks, threads * each);
  std::array<std::atomic<Generation>, blocks> store{};
  std::atomic<int> alarms{0};
  std::vector<std::jthread> running;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      Random luck(thread + 1);
      std::array<Ticket, each> tickets;
      for (std::uint32_t i = 0; i < each; ++i) generations.admit(tickets[i], thread * each + i);
      for (int round = 0; round < 3000; ++round) {
        std::array<std::uint64_t, each> on{};
        std::array<Generation, each> values{};
        for (std::uint32_t i = 0; i < each; ++i) {
          on[i] = luck.next() % blocks;
          if (i % 2 == 0) values[i] = generations.begin_write(tickets[i], on[i]);
          if (i % 2 != 0) generations.begin_read(tickets[i], on[i]);
        }
        for (std::uint32_t i = 0; i < each; ++i) {
          if (i % 2 == 0) store[on[i]] = values[i];
          if (i % 2 != 0) values[i] = store[on[i]];
        }
        for (std::uint32_t i = 0; i < each; ++i) {
          if (i % 2 == 0) {
            generations.end_write(tickets[i], true);
          } else if (generations.end_read(tickets[i], values[i]).finding != Finding::permitted) {
            ++alarms;
          }
        }
      }
    });
  }
  running.clear();
  EXPECT_EQ(alarms, 0);
  EXPECT_EQ(generations.coverage().acknowledged, threads * each / 2 * 3000U);
}

}  // namespace
}  // namespace radosload::workload
