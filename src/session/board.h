// The objects of one session in the cluster. Carries out the requests of the Protocol; every call
// returns within the limit of its BoundedIo, even if the OSDs do not answer. Also the watches, by
// which members notify each other, and by which the leader answers questions about its clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "cluster/bounded_io.h"
#include "footprint/manifest.h"
#include "footprint/session_objects.h"
#include "record/journal.h"
#include "session/documents.h"
#include "session/protocol.h"

namespace radosload::session {

// How far another clock is ahead of the clock of this process.
struct ClockOffset {
  std::uint64_t term = 0;
  Time ahead{0};
  Time bound{0};  // the largest error of `ahead`, in both directions
};

Time steady_now();

class Board {
 public:
  // `on_hint` is called on librados's threads, also while the Board is being destroyed.
  Board(cluster::BoundedIo io, std::string session, MemberId self, const footprint::Owner& owner,
        std::function<void()> on_hint);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  Board(Board&&) = delete;
  Board& operator=(Board&&) = delete;

  // The charter of the session; empty if there is no session.
  Result<std::optional<Charter>> charter();
  // The charter that Create writes.
  void propose(Charter charter) { m_charter = std::move(charter); }
  // Whether there is a session of this name without a living member.
  Result<bool> deserted();
  Status remove_deserted();

  // For one thread at a time.
  Answer execute(const Request& request);
  const ClockOffset& clock() const { return m_clock; }

  // Writes a piece of this member's record. Any thread.
  Status put_part(std::uint64_t chunk, const std::string& lines);
  // The lines that can be read, in order.
  Result<std::vector<record::PackedLine>> parts_of(const Entry& member);
  Result<std::vector<Entry>> entries();

  cluster::BoundedIo& io() { return m_io; }

 private:
  class Watch;
  Answer read();
  Answer create(const State& state);
  Answer tell(const Entry& entry);
  Answer lead();
  Answer release();
  Answer write(const Write& request);
  Answer compare_clocks(std::uint64_t term);
  Answer remove();
  std::uint32_t shard_of(const MemberId& member) const;
  // Watches the hub; the leader also watches its clock object.
  void keep_watches();

  cluster::BoundedIo m_io;
  footprint::ClusterSessions m_site;
  std::string m_session;
  std::string m_hub;
  MemberId m_self;
  std::string m_owner;
  std::function<void()> m_on_hint;
  std::optional<Charter> m_charter;
  std::unique_ptr<Watch> m_hub_watch;
  std::unique_ptr<Watch> m_clock_watch;
  bool m_leads = false;
  std::optional<Entry> m_told;  // the last entry that this member has written
  State m_last;
  footprint::SessionSeen m_deserted;  // as it was seen last
  ClockOffset m_clock;
};

}  // namespace radosload::session
