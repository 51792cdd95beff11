#include "session/board.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <mutex>
#include <thread>
#include <utility>

#include "footprint/owner.h"
#include "footprint/session_objects.h"
#include "session/leader_lock.h"

#include <fmt/format.h>

namespace radosload::session {

namespace {

constexpr const char* state_key = "state";
constexpr const char* serial_key = "serial";
constexpr std::string_view ask_clock = "clock";
constexpr std::string_view ask_look = "look";
constexpr std::uint64_t most_charter = std::uint64_t{1} << 20U;  // bytes
// More round trips while the clocks are not known well, as among many members on one machine.
constexpr int round_trips = 8;
constexpr int most_round_trips = 24;
constexpr Time good_bound = std::chrono::microseconds(500);
constexpr auto between_round_trips = std::chrono::milliseconds(10);
constexpr Time reply_within = std::chrono::seconds(2);

librados::bufferlist buffer_of(std::string_view text) {
  librados::bufferlist buffer;
  buffer.append(text.data(), static_cast<unsigned>(text.size()));
  return buffer;
}

Answer answer_of(int rc, std::initializer_list<int> refusals) {
  if (rc >= 0) return {};
  const bool refused = std::find(refusals.begin(), refusals.end(), rc) != refusals.end();
  return {.kind = refused ? Answer::Kind::no : Answer::Kind::unknown};
}

bool worth_a_hint(const State& before, const State& after) {
  return before.step != after.step || before.ended != after.ended || before.term != after.term ||
         before.lost != after.lost;
}

// Signs of life, progress and rates are none.
bool worth_a_hint(const Entry& before, const Entry& after) {
  return before.done != after.done || before.clock_term != after.clock_term ||
         before.wants_end != after.wants_end || before.leaves != after.leaves ||
         before.failed != after.failed;
}

}  // namespace

Time steady_now() {
  return std::chrono::duration_cast<Time>(std::chrono::steady_clock::now().time_since_epoch());
}

// Acknowledges notifications. librados calls this on its own threads, also while the watch is being
// removed.
class Board::Watch final : public librados::WatchCtx2 {
 public:
  Watch(cluster::BoundedIo io, std::string object, std::string self, std::function<void()> on_hint)
      : m_io(std::move(io)),
        m_object(std::move(object)),
        m_self(std::move(self)),
        m_on_hint(std::move(on_hint)) {}

  int begin() { return m_io.watch(m_object, this, &m_handle); }
  bool lost() const { return m_lost; }

  void handle_notify(std::uint64_t notification, std::uint64_t cookie, std::uint64_t,
                     librados::bufferlist& message) override {
    const bool clock = message.to_str() == ask_clock;
    auto reply =
        clock ? buffer_of(fmt::format("{} {}", m_self, steady_now().count())) : buffer_of("");
    m_io.pool().notify_ack(m_object, notification, cookie, reply);
    if (!clock) m_on_hint();
  }
  void handle_error(std::uint64_t, int) override { m_lost = true; }

  static void let_go(std::unique_ptr<Watch> watch) {
    if (!watch) return;
    if (watch->m_handle == 0 || watch->m_io.unwatch(watch->m_handle) != -ETIMEDOUT) return;
    // Without an answer librados may still call this object until the process ends, so it is never
    // freed.
    leave(std::move(watch));
  }
  static void leave(std::unique_ptr<Watch> watch) {
    static std::mutex mutex;
    static auto& left = *new std::vector<std::unique_ptr<Watch>>;
    const std::lock_guard lock(mutex);
    left.push_back(std::move(watch));
  }

 private:
  cluster::BoundedIo m_io;
  std::string m_object;
  std::string m_self;
  std::function<void()> m_on_hint;
  std::uint64_t m_handle = 0;
  std::atomic<bool> m_lost{false};
};

Board::Board(cluster::BoundedIo io, std::string session, MemberId self,
             const footprint::Owner& owner, std::function<void()> on_hint)
    : m_io(std::move(io)),
      m_site(m_io),
      m_session(std::move(session)),
      m_hub(footprint::session_hub(m_session)),
      m_self(std::move(self)),
      m_owner(footprint::encode_owner(owner)),
      m_on_hint(std::move(on_hint)) {}

Board::~Board() {
  Watch::let_go(std::move(m_clock_watch));
  Watch::let_go(std::move(m_hub_watch));
}

Result<std::optional<Charter>> Board::charter() {
  cluster::BoundedIo::Content content;
  const int rc = m_io.read(m_hub, most_charter, content);
  if (rc == -ENOENT) return std::nullopt;
  if (rc < 0) return fail({.attempt = "read the session", .subject = m_session, .errnum = -rc});
  if (content.bytes.empty()) return std::nullopt;  // it is being removed
  RADOSLOAD_ASSIGN(m_charter, decode_charter(content.bytes));
  return m_charter;
}

Result<bool> Board::deserted() {
  RADOSLOAD_ASSIGN(const auto seen, footprint::look_at_session(m_site, m_session));
  if (seen.missing || seen.lives) return false;
  std::this_thread::sleep_for(footprint::session_second_look);
  RADOSLOAD_ASSIGN(m_deserted, footprint::look_at_session(m_site, m_session));
  return !m_deserted.missing && !m_deserted.lives && footprint::unchanged(seen, m_deserted);
}

Status Board::remove_deserted() {
  // If it has changed since, this is a new session, which this process then joins.
  RADOSLOAD_TRY(footprint::remove_dead_session(m_site, m_session, m_deserted));
  return {};
}

Answer Board::execute(const Request& request) {
  if (std::holds_alternative<ReadState>(request)) return read();
  if (const auto* const asked = std::get_if<Create>(&request)) return create(asked->state);
  if (const auto* const asked = std::get_if<Tell>(&request)) return tell(asked->entry);
  if (std::holds_alternative<Lead>(request)) return lead();
  if (std::holds_alternative<Release>(request)) return release();
  if (std::holds_alternative<Count>(request)) {
    auto found = entries();
    if (!found) return {.kind = Answer::Kind::unknown};
    return {.entries = *std::move(found)};
  }
  if (const auto* const asked = std::get_if<Write>(&request)) return write(*asked);
  if (const auto* const asked = std::get_if<CompareClocks>(&request)) {
    return compare_clocks(asked->term);
  }
  return remove();
}

Answer Board::read() {
  cluster::BoundedIo::Attributes attributes;
  const int rc = m_io.attributes(m_hub, attributes);
  if (rc == -ENOENT) return {.kind = Answer::Kind::no};
  if (rc < 0) return {.kind = Answer::Kind::unknown};
  auto state = decode_state(attributes[state_key]);
  if (!state) return {.kind = Answer::Kind::unknown};
  m_last = *state;
  keep_watches();
  return {.state = *std::move(state)};
}

Answer Board::create(const State& state) {
  if (!m_charter || !footprint::note_session(m_site, m_session)) {
    return {.kind = Answer::Kind::unknown};
  }
  librados::ObjectWriteOperation making;
  making.create(true);
  making.write_full(buffer_of(encode(*m_charter)));
  making.setxattr(footprint::session_shards_key, buffer_of(std::to_string(m_charter->shards)));
  making.setxattr(serial_key, buffer_of(std::to_string(state.serial)));
  making.setxattr(state_key, buffer_of(encode(state)));
  const int rc = m_io.operate(m_hub, making);
  if (rc < 0) return answer_of(rc, {-EEXIST});
  bool whole = footprint::note_session(m_site, m_session).has_value();
  const auto make = [&](const std::string& object) {
    librados::ObjectWriteOperation empty;
    empty.create(false);
    whole = m_io.operate(object, empty) >= 0 && whole;
  };
  for (std::uint32_t shard = 0; shard < m_charter->shards; ++shard) {
    make(footprint::session_members(m_session, shard));
  }
  return {.kind = whole ? Answer::Kind::yes : Answer::Kind::unknown};
}

std::uint32_t Board::shard_of(const MemberId& member) const {
  const std::uint32_t shards = m_charter ? std::max(1U, m_charter->shards) : 1;
  std::uint32_t sum = 0;
  for (const char letter : member) sum = sum * 31 + static_cast<unsigned char>(letter);
  return sum % shards;
}

Answer Board::tell(const Entry& entry) {
  librados::ObjectWriteOperation telling;
  telling.assert_exists();  // a session that was removed must not get objects again
  telling.setxattr(footprint::session_entry_key(m_self).c_str(), buffer_of(encode(entry)));
  telling.setxattr(footprint::session_owner_key(m_self).c_str(), buffer_of(m_owner));
  telling.setxattr(footprint::session_chunks_key(m_self).c_str(),
                   buffer_of(std::to_string(entry.chunks)));
  const int rc = m_io.operate(footprint::session_members(m_session, shard_of(m_self)), telling);
  const bool news = !m_told || worth_a_hint(*m_told, entry);
  if (rc >= 0) m_told = entry;
  if (rc >= 0 && news && !m_leads && !m_last.leader.empty()) {
    m_io.notify_later(footprint::session_clock(m_session, m_last.leader), std::string(ask_look),
                      reply_within);
  }
  return answer_of(rc, {-ENOENT});
}

Answer Board::lead() {
  constexpr std::chrono::seconds length(10);  // Limits::lock
  librados::ObjectWriteOperation locking;
  locking.assert_exists();
  auto request = buffer_of(lock_request(m_self, length));
  locking.exec("lock", "lock", request);
  const int rc = m_io.operate(m_hub, locking);
  // Users without the right to object classes lead without the lock. Only one of two leaders that
  // write the State at the same time succeeds, so the result stays correct.
  if (rc == -EPERM || rc == -EACCES || rc == -EOPNOTSUPP) return {};
  Answer answer = answer_of(rc, {-EBUSY, -EEXIST, -ENOENT});
  if (answer.kind == Answer::Kind::no) m_leads = false;
  return answer;
}

// Without it the next leader has to wait until the lock has expired.
Answer Board::release() {
  librados::ObjectWriteOperation unlocking;
  unlocking.assert_exists();
  auto request = buffer_of(unlock_request(m_self));
  unlocking.exec("lock", "unlock", request);
  return answer_of(m_io.operate(m_hub, unlocking), {-ENOENT, -EPERM, -EACCES, -EOPNOTSUPP});
}

Result<std::vector<Entry>> Board::entries() {
  std::vector<Entry> found;
  const std::uint32_t shards = m_charter ? m_charter->shards : 1;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    cluster::BoundedIo::Attributes attributes;
    const std::string object = footprint::session_members(m_session, shard);
    const int rc = m_io.attributes(object, attributes);
    if (rc < 0 && rc != -ENOENT) {
      return fail({.attempt = "read who takes part", .subject = object, .errnum = -rc});
    }
    const std::string prefix = footprint::session_entry_key("");
    for (const auto& [key, value] : attributes) {
      if (!key.starts_with(prefix)) continue;
      auto entry = decode_entry(value);
      if (!entry) continue;  // not written by radosload, or by another version
      const auto owner = footprint::decode_owner(
          attributes[footprint::session_owner_key(key.substr(prefix.size()))]);
      entry->gone = owner && footprint::certainly_gone(*owner);
      found.push_back(*std::move(entry));
    }
  }
  return found;
}

Answer Board::write(const Write& request) {
  librados::ObjectWriteOperation writing;
  writing.cmpxattr(serial_key, LIBRADOS_CMPXATTR_OP_EQ, buffer_of(std::to_string(request.over)));
  writing.setxattr(serial_key, buffer_of(std::to_string(request.state.serial)));
  writing.setxattr(state_key, buffer_of(encode(request.state)));
  Answer answer = answer_of(m_io.operate(m_hub, writing), {-ECANCELED, -ENOENT, -ENODATA});
  if (answer.kind != Answer::Kind::yes) return answer;
  const bool news = worth_a_hint(m_last, request.state);
  m_last = request.state;
  keep_watches();
  if (news) m_io.notify_later(m_hub, std::string(ask_look), reply_within);
  return answer;
}

void Board::keep_watches() {
  m_leads = m_last.leader == m_self;
  if (!m_told) return;  // a cleanup finds the parts of those members only that have an entry
  const auto keep = [this](std::unique_ptr<Watch>& watch, const std::string& object) {
    if (watch && !watch->lost()) return;
    Watch::let_go(std::move(watch));
    auto made = std::make_unique<Watch>(m_io, object, m_self, m_on_hint);
    const int rc = made->begin();
    if (rc >= 0) {
      watch = std::move(made);
    } else if (rc == -ETIMEDOUT) {
      Watch::leave(std::move(made));
    }
  };
  keep(m_hub_watch, m_hub);
  if (m_leads) {
    const std::string clock = footprint::session_clock(m_session, m_self);
    if (!m_clock_watch) {
      librados::ObjectWriteOperation making;
      making.create(false);
      if (m_io.operate(clock, making) < 0) return;  // tried again at the next look
    }
    keep(m_clock_watch, clock);
  } else {
    Watch::let_go(std::move(m_clock_watch));
  }
}

Answer Board::compare_clocks(std::uint64_t term) {
  if (m_leads) {
    keep_watches();
    m_clock = {.term = term};
    return {.kind = m_clock_watch ? Answer::Kind::yes : Answer::Kind::no};
  }
  std::optional<ClockOffset> best;
  for (int i = 0; i < most_round_trips; ++i) {
    if (i >= round_trips) {
      if (best && best->bound <= good_bound) break;
      std::this_thread::sleep_for(between_round_trips);
    }
    std::vector<std::string> replies;
    const Time sent = steady_now();
    const int rc = m_io.notify(footprint::session_clock(m_session, m_last.leader),
                               std::string(ask_clock), reply_within, replies);
    const Time back = steady_now();
    if (rc < 0) break;
    for (const std::string& reply : replies) {
      if (!reply.starts_with(m_last.leader + " ")) continue;
      std::int64_t theirs = 0;
      const std::string_view number = std::string_view(reply).substr(m_last.leader.size() + 1);
      std::from_chars(number.data(), number.data() + number.size(), theirs);
      const Time half = (back - sent) / 2;
      if (best && best->bound <= half) continue;
      best = {.term = term, .ahead = Time(theirs) - (sent + half), .bound = half};
    }
  }
  if (!best) return {.kind = Answer::Kind::no};
  m_clock = *best;
  return {};
}

Answer Board::remove() {
  // A process that was stopped for long may find a new session of that name.
  const auto led_here = [this](const footprint::SessionSite::Attributes& of_hub) {
    const auto text = of_hub.find(state_key);
    if (text == of_hub.end()) return false;
    const auto state = decode_state(text->second);
    return state && state->leader == m_self;
  };
  const auto removed = footprint::remove_session(m_site, m_session, led_here);
  return {.kind = removed ? Answer::Kind::yes : Answer::Kind::unknown};
}

}  // namespace radosload::session
