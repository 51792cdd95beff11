#include "session/membership.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "footprint/owner.h"
#include "plan/session_members.h"
#include "prepare/engine_plan.h"
#include "record/store.h"

#include <fmt/format.h>

namespace radosload::session {

namespace {

// The number of members whose entries share one object.
constexpr std::uint32_t members_in_shard = 32;
constexpr Time flush_every = std::chrono::seconds(7);
// How many pieces are announced at once, so that not each piece takes a sign of life of its own.
constexpr std::uint64_t pieces_ahead = 4;
constexpr Time tell_waiting_every = std::chrono::seconds(10);
constexpr auto poll = std::chrono::milliseconds(200);

Step step_of(run::Company::Turn turn) {
  using Turn = run::Company::Turn;
  return turn == Turn::prepare   ? Step::prepare
         : turn == Turn::prefill ? Step::prefill
         : turn == Turn::ready   ? Step::ready
                                 : Step::load;
}

Step step_after(Step step) {
  return static_cast<Step>(static_cast<std::uint8_t>(step) + 1);
}

Error session_refusal(const std::string& session, std::string reason, std::string hint,
                      Exit exit = Exit::refused) {
  return Error{.attempt = "take part in session",
               .subject = session,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = exit};
}

}  // namespace

Membership::Membership(Coming coming, std::shared_ptr<cluster::Connection> connection,
                       cluster::BoundedIo io, base::Interrupts& interrupts,
                       record::ProgressListener& listener)
    : m_coming(std::move(coming)),
      m_connection(std::move(connection)),
      m_interrupts(interrupts),
      m_listener(listener) {
  footprint::Owner owner = footprint::this_process();
  owner.client = m_connection->instance_id();
  const MemberId id = fmt::format("{:013x}", prepare::drawn_seed());
  m_board = std::make_unique<Board>(std::move(io), m_coming.session, id, owner, [this] { hint(); });
  Entry self;
  self.id = id;
  self.who = fmt::format("pid {} on {}", owner.pid, owner.host);
  self.chunks = 1;
  m_protocol = std::make_unique<Protocol>(std::move(self), false, Limits{}, steady_now());
}

Membership::~Membership() {
  m_thread = {};
  m_board.reset();  // its watches may call hint() until here
}

Status Membership::make_charter(const std::string& fsid) {
  RunPlan plan = *m_coming.plan;
  plan.cluster = {};
  if (plan.seed == 0) plan.seed = prepare::drawn_seed();
  RADOSLOAD_ASSIGN(const auto range, plan::parse_members(plan.session.members));
  const auto now = record::distinct_moment(std::chrono::system_clock::now());
  m_charter = {.run = record::make_run_id(now, prepare::drawn_seed()),
               .program = m_coming.program,
               .fsid = fsid,
               .plan = std::move(plan),
               .shards = (range.most - 1) / members_in_shard + 1};
  m_board->propose(m_charter);
  return {};
}

// Finds the session, or creates it. If several processes create it at the same time, one succeeds,
// and the others read its charter.
Status Membership::find_session() {
  RADOSLOAD_ASSIGN(const auto fsid, m_connection->fsid());
  const std::string& name = m_coming.session;
  RADOSLOAD_ASSIGN(const bool deserted, m_board->deserted());
  if (deserted) {
    m_listener.note(
        fmt::format("removing what an earlier session {} left: none of its members "
                    "lives",
                    name));
    RADOSLOAD_TRY(m_board->remove_deserted());
  }
  if (m_coming.plan) RADOSLOAD_TRY(make_charter(fsid));
  const Time came = steady_now();
  bool told = false;
  for (;;) {
    RADOSLOAD_ASSIGN(const auto found, m_board->charter());
    if (found) {
      m_charter = *found;
      break;
    }
    if (m_coming.plan) {
      State first;
      first.serial = first.term = 1;
      first.leader = m_protocol->id();
      (void)m_board->execute(Create{std::move(first)});  // the next read shows whether it succeeded
    } else if (!std::exchange(told, true)) {
      m_listener.note(fmt::format("waiting until a run with --session {} begins", name));
    }
    if (m_interrupts.count() > 0 || steady_now() - came > m_coming.wait) {
      return fail(session_refusal(
          name,
          m_interrupts.count() > 0 ? m_interrupts.name()
                                   : fmt::format("there is none of that name in pool {} for {}",
                                                 m_coming.pool, human_text(m_coming.wait)),
          fmt::format("begin it on one machine: radosload --pool {} --session {} --members N ...",
                      m_coming.pool, name),
          m_interrupts.count() > 0 ? Exit::interrupted : Exit::no_cluster));
    }
    std::this_thread::sleep_for(poll);
  }
  const std::string reason =
      misfit(m_charter, m_coming.program, fsid, m_coming.plan ? &*m_coming.plan : nullptr);
  if (reason.empty()) return {};
  return fail(session_refusal(name, reason,
                              "use another name for another load: --session NAME, or take the "
                              "session's with 'radosload join'"));
}

Result<std::unique_ptr<Membership>> Membership::come(Coming coming, base::Interrupts& interrupts,
                                                     record::ProgressListener& listener) {
  // librados's own limit also ends calls that radosload does not limit itself.
  RADOSLOAD_ASSIGN(auto connection,
                   cluster::Connection::open(coming.cluster, {{"rados_osd_op_timeout", "15"}}));
  RADOSLOAD_ASSIGN(auto pool, connection->pool(coming.pool, coming.nspace));
  // What members tell each other are attributes of existing objects, which a full pool takes from
  // those that ask to try.
  pool.set_pool_full_try();
  cluster::BoundedIo io(connection, std::move(pool), std::chrono::seconds(8));
  std::unique_ptr<Membership> self(new Membership(std::move(coming), std::move(connection),
                                                  std::move(io), interrupts, listener));
  RADOSLOAD_TRY(self->find_session());
  const SessionPlan& session = self->m_charter.plan.session;
  RADOSLOAD_ASSIGN(const auto range, plan::parse_members(session.members));
  Limits limits;
  limits.at_least = range.least;
  limits.at_most = range.most;
  limits.gather = session.wait;
  self->m_protocol =
      std::make_unique<Protocol>(self->m_protocol->self(), false, limits, steady_now());
  self->m_thread =
      std::jthread([raw = self.get()](const std::stop_token& end) { raw->keep_going(end); });
  self->wait_for([raw = self.get()] { return raw->m_protocol->step() >= Step::prepare; },
                 "members to come");
  std::unique_lock lock(self->m_mutex);
  if (auto in = self->still_in(); !in) {
    lock.unlock();
    // The leader removes the objects of the session.
    (void)self->wind_up(in.error(), true);
    return fail(in.error());
  }
  listener.note(fmt::format("session {}: {} members, this is number {}", self->m_coming.session,
                            self->m_protocol->state().roster.size(),
                            self->m_protocol->number().value_or(0) + 1));
  return self;
}

void Membership::hint() {
  {
    const std::lock_guard lock(m_mutex);
    m_hinted = true;
  }
  m_news.notify_all();
}

void Membership::ask_for_end() {
  if (m_coming.leaves) {
    m_protocol->ask_to_leave(m_interrupts.name());
  } else {
    m_protocol->ask_for_end(m_interrupts.name());
  }
}

void Membership::keep_going(const std::stop_token& end) {
  std::unique_lock lock(m_mutex);
  while (!end.stop_requested() && m_protocol->outcome() == Outcome::none) {
    if (m_interrupts.count() > 0) ask_for_end();
    if (std::exchange(m_hinted, false)) m_protocol->hint();
    const Time now = steady_now();
    if (flush_next(lock, now)) continue;
    const auto request = m_protocol->next(now);
    if (request) {
      lock.unlock();
      const Answer answer = m_board->execute(*request);
      lock.lock();
      m_protocol->answer(*request, answer, steady_now());
      m_news.notify_all();
      continue;
    }
    const Time rest = m_protocol->due(now) - now;
    m_news.wait_for(lock, end, std::clamp(rest, Time(std::chrono::milliseconds(1)), Time(poll)),
                    [this] { return m_hinted; });
  }
  m_news.notify_all();
}

// Writes the next piece of the record when it is due. True when it has released the lock meanwhile.
bool Membership::flush_next(std::unique_lock<std::mutex>& lock, Time now) {
  if (m_lines.empty() || (!m_last_lines && now < m_flush_at)) return false;
  // Announced before it is written, so that a cleanup finds the piece.
  if (m_protocol->told().chunks <= m_chunk) {
    m_protocol->reserve_chunks(m_chunk + pieces_ahead);
    return false;
  }
  std::vector<record::JournalLine> lines = std::exchange(m_lines, {});
  const std::uint64_t chunk = m_chunk;
  m_flushing = true;
  lock.unlock();
  std::string text;
  for (const record::JournalLine& line : lines) text += record::encode_line(line);
  const auto put = m_board->put_part(chunk, text);
  lock.lock();
  m_flushing = false;
  m_flush_at = steady_now() + flush_every;
  if (put) {
    ++m_chunk;
  } else {
    m_lines.insert(m_lines.begin(), std::make_move_iterator(lines.begin()),
                   std::make_move_iterator(lines.end()));
    base::log_warning("session {}: {}", m_coming.session, one_line(put.error()));
    m_refused = put.error();
  }
  m_news.notify_all();
  return true;
}

void Membership::add_line(const record::JournalLine& line) {
  const std::lock_guard lock(m_mutex);
  m_lines.push_back(line);
  const auto* const event = std::get_if<record::Event>(&line);
  const bool phase = event != nullptr && event->kind == "phase" && event->text != "prefill";
  if (!phase || !m_start || std::exchange(m_started, true)) return;
  m_protocol->started(steady_now() - *m_start, m_board->clock().bound);
}

void Membership::get_on() {
  const std::lock_guard lock(m_mutex);
  m_protocol->advance(++m_progress);
}

std::optional<JointRates> Membership::get_on(const record::Progress& progress) {
  const record::TimelineRow& row = progress.last;
  const double length = std::chrono::duration<double>(row.length).count();
  const auto each_second = [&](std::uint64_t amount) {
    return length > 0 ? static_cast<std::uint64_t>(static_cast<double>(amount) / length) : 0;
  };
  const std::lock_guard lock(m_mutex);
  m_protocol->advance(++m_progress);
  m_protocol->note_rates({.ops = each_second(row.all.ops), .bytes = each_second(row.all.bytes)});
  return m_protocol->joint_rates();
}

void Membership::wait_for(const std::function<bool()>& reached, const char* what) {
  std::unique_lock lock(m_mutex);
  Time tell_at = steady_now() + tell_waiting_every;
  while (m_protocol->outcome() == Outcome::none && !reached()) {
    m_news.wait_for(lock, poll);
    if (m_interrupts.hurry()) return;
    if (steady_now() < tell_at) continue;
    tell_at = steady_now() + tell_waiting_every;
    const std::string waits = m_protocol->state().waits_for;
    lock.unlock();
    m_listener.note(fmt::format("session {}: waiting for {}{}", m_coming.session, what,
                                waits.empty() ? "" : ": " + waits));
    lock.lock();
  }
}

Error Membership::end_error() const {
  const State& state = m_protocol->state();
  const std::string& name = m_coming.session;
  if (state.called_off) {
    const bool interrupted = state.ended.starts_with("SIG");
    return session_refusal(name, fmt::format("the session was cancelled: {}", state.ended),
                           "nothing was measured; start it again on every machine",
                           interrupted ? Exit::interrupted : Exit::no_cluster);
  }
  switch (m_protocol->outcome()) {
    case Outcome::refused:
      return session_refusal(name, m_protocol->reason(),
                             "wait for its end, or use another name: --session NAME");
    case Outcome::dropped:
      return session_refusal(name, "the others gave this member up: " + m_protocol->reason(),
                             "what it had measured until then is in the joint record",
                             Exit::flawed);
    case Outcome::cut_off:
      return session_refusal(name, m_protocol->reason(),
                             "check with 'radosload status' that all PGs of the pool are active",
                             Exit::no_cluster);
    case Outcome::none:
      return session_refusal(name, m_interrupts.name(), "", Exit::interrupted);
    case Outcome::finished:
    case Outcome::left:
    case Outcome::no_session:
    case Outcome::removed:
      break;
  }
  return session_refusal(name, m_protocol->reason().empty() ? "it is over" : m_protocol->reason(),
                         "start it again on every machine", Exit::flawed);
}

Status Membership::still_in() const {
  const bool out = m_protocol->outcome() != Outcome::none || m_protocol->state().called_off ||
                   m_interrupts.hurry();
  if (!out) return {};
  return fail(end_error());
}

workload::Part Membership::part() const {
  const std::lock_guard lock(m_mutex);
  return {.index = m_protocol->number().value_or(0),
          .of = static_cast<std::uint32_t>(
              std::max<std::size_t>(1, m_protocol->state().roster.size()))};
}

Status Membership::finish(Turn turn) {
  const Step step = step_of(turn);
  {
    const std::lock_guard lock(m_mutex);
    m_protocol->finish(step);
  }
  m_news.notify_all();
  const std::string what = fmt::format("the others to end '{}'", step_name(step));
  wait_for([this, step] { return m_protocol->step() >= step_after(step); }, what.c_str());
  const std::lock_guard lock(m_mutex);
  return still_in();
}

std::chrono::steady_clock::time_point Membership::start() {
  const std::lock_guard lock(m_mutex);
  m_start = m_protocol->state().start - m_board->clock().ahead;
  return std::chrono::steady_clock::time_point(
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(*m_start));
}

std::string Membership::ended() {
  const std::lock_guard lock(m_mutex);
  if (!m_protocol->state().ended.empty()) return m_protocol->state().ended;
  const bool out = m_protocol->outcome() != Outcome::none && m_protocol->state().step <= Step::load;
  return out ? m_protocol->reason() : std::string();
}

}  // namespace radosload::session
