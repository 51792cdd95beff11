#include "cluster/bounded_io.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "cluster/bounded_call.h"

namespace radosload::cluster {

namespace {

// The time limit for the callback of a cancelled operation; usually it takes milliseconds.
constexpr Time cancel_limit = std::chrono::seconds(5);
// Names in a page of a listing.
constexpr std::size_t page = 1000;

std::uint64_t in_milliseconds(Time time) {
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return whole < 1 ? 1 : static_cast<std::uint64_t>(whole);
}

}  // namespace

// One operation in flight. It owns everything that librados may still write to, and lives until
// both the caller and the callback have released it.
struct BoundedIo::Pending {
  std::shared_ptr<Connection> connection;
  librados::AioCompletion* completion = nullptr;
  std::mutex mutex;
  std::condition_variable answered;
  bool done = false;
  std::shared_ptr<Pending>* callbacks_share = nullptr;

  int part_rc = 0;
  librados::bufferlist data;
  librados::bufferlist message;
  std::map<std::string, librados::bufferlist> attributes;
  std::list<obj_watch_t> watchers;
  std::uint64_t handle = 0;

  explicit Pending(std::shared_ptr<Connection> of) : connection(std::move(of)) {}
  ~Pending() { completion->release(); }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  Pending(Pending&&) = delete;
  Pending& operator=(Pending&&) = delete;

  // The callback owns a shared_ptr on the heap: freed by the callback, or here when there is none.
  static std::shared_ptr<Pending> make(std::shared_ptr<Connection> connection) {
    auto pending = std::make_shared<Pending>(std::move(connection));
    pending->callbacks_share = new std::shared_ptr<Pending>(pending);
    pending->completion =
        librados::Rados::aio_create_completion(pending->callbacks_share, on_answer);
    return pending;
  }

  static void on_answer(librados::completion_t, void* share) noexcept {
    const std::unique_ptr<std::shared_ptr<Pending>> ours(
        static_cast<std::shared_ptr<Pending>*>(share));
    const std::lock_guard lock((*ours)->mutex);
    (*ours)->done = true;
    (*ours)->answered.notify_all();
  }
};

BoundedIo::BoundedIo(std::shared_ptr<Connection> connection, librados::IoCtx pool, Time limit)
    : m_connection(std::move(connection)), m_pool(std::move(pool)), m_limit(limit) {}

int BoundedIo::wait(const std::shared_ptr<Pending>& pending, int submitted) {
  if (submitted < 0) {
    delete pending->callbacks_share;
    return submitted;
  }
  std::unique_lock lock(pending->mutex);
  const auto answered = [&] { return pending->done; };
  // After the answer only this thread may release the handle: the callback may be the last owner of
  // Pending, and a handle cannot be shut down from one of its own threads.
  if (pending->answered.wait_for(lock, m_limit, answered)) {
    pending->connection.reset();
    return pending->completion->get_return_value();
  }
  lock.unlock();
  m_pool.aio_cancel(pending->completion);
  lock.lock();
  if (pending->answered.wait_for(lock, cancel_limit, answered)) {
    pending->connection.reset();
  } else {
    // A callback that comes this late must not be the last owner, so the handle is never released.
    [[maybe_unused]] const auto* const kept = new std::shared_ptr<Connection>(pending->connection);
    count_abandoned();
  }
  return -ETIMEDOUT;
}

int BoundedIo::operate(const std::string& object, librados::ObjectWriteOperation& write,
                       std::uint64_t* version, int flags) {
  const auto pending = Pending::make(m_connection);
  const int rc = wait(pending, m_pool.aio_operate(object, pending->completion, &write, flags));
  if (rc >= 0 && version != nullptr) *version = pending->completion->get_version64();
  return rc;
}

int BoundedIo::read(const std::string& object, std::uint64_t most, Content& into, int advice) {
  const auto pending = Pending::make(m_connection);
  librados::ObjectReadOperation read;
  read.read(0, most, &pending->data, &pending->part_rc);
  if (advice != 0) read.set_op_flags2(advice);
  const int rc = wait(pending, m_pool.aio_operate(object, pending->completion, &read, nullptr));
  if (rc < 0) return rc;
  into.bytes = pending->data.to_str();
  into.version = pending->completion->get_version64();
  return 0;
}

int BoundedIo::attributes(const std::string& object, Attributes& into, std::uint64_t* version) {
  const auto pending = Pending::make(m_connection);
  librados::ObjectReadOperation read;
  read.getxattrs(&pending->attributes, &pending->part_rc);
  const int rc = wait(pending, m_pool.aio_operate(object, pending->completion, &read, nullptr));
  if (rc < 0) return rc;
  into.clear();
  for (auto& [name, value] : pending->attributes) into.emplace(name, value.to_str());
  if (version != nullptr) *version = pending->completion->get_version64();
  return 0;
}

int BoundedIo::watchers(const std::string& object, std::list<obj_watch_t>& into) {
  const auto pending = Pending::make(m_connection);
  librados::ObjectReadOperation read;
  read.list_watchers(&pending->watchers, &pending->part_rc);
  const int rc = wait(pending, m_pool.aio_operate(object, pending->completion, &read, nullptr));
  if (rc < 0) return rc;
  into = pending->watchers;
  return 0;
}

int BoundedIo::watch(const std::string& object, librados::WatchCtx2* context,
                     std::uint64_t* handle) {
  const auto pending = Pending::make(m_connection);
  const int rc =
      wait(pending, m_pool.aio_watch(object, pending->completion, &pending->handle, context));
  *handle = pending->handle;
  return rc;
}

int BoundedIo::unwatch(std::uint64_t handle) {
  const auto pending = Pending::make(m_connection);
  const int rc = wait(pending, m_pool.aio_unwatch(handle, pending->completion));
  const auto calls = Pending::make(m_connection);
  const int flushed = wait(calls, m_connection->rados().aio_watch_flush(calls->completion));
  return flushed == -ETIMEDOUT ? flushed : rc;
}

int BoundedIo::notify(const std::string& object, const std::string& message, Time patience,
                      std::vector<std::string>& replies) {
  const auto pending = Pending::make(m_connection);
  pending->message.append(message);
  int rc = wait(pending, m_pool.aio_notify(object, pending->completion, pending->message,
                                           in_milliseconds(patience), &pending->data));
  // Some did not answer: the others did.
  const bool some_silent = rc == -ETIMEDOUT && pending->done && pending->data.length() > 0;
  if (rc < 0 && !some_silent) return rc;
  std::vector<librados::notify_ack_t> acks;
  std::vector<librados::notify_timeout_t> silent;
  m_pool.decode_notify_response(pending->data, &acks, &silent);
  for (const auto& ack : acks) replies.push_back(ack.payload_bl.to_str());
  return 0;
}

void BoundedIo::notify_later(const std::string& object, const std::string& message, Time patience) {
  const auto pending = Pending::make(m_connection);
  pending->message.append(message);
  const int rc = m_pool.aio_notify(object, pending->completion, pending->message,
                                   in_milliseconds(patience), &pending->data);
  if (rc < 0) {
    delete pending->callbacks_share;
    return;
  }
  // The callback frees it, and must not be the last owner of the handle.
  pending->connection.reset();
}

int BoundedIo::list(Cursor& cursor, std::vector<std::string>& names, bool& end) {
  // librados has no asynchronous listing, so it runs on a thread that can be abandoned. Cursors are
  // copied and never assigned to, because librados 16 leaks the old content then.
  struct Page {
    librados::ObjectCursor cursor;
    int rc = 0;
    bool end = false;
    std::vector<librados::ObjectItem> items = {};
  };
  const librados::ObjectCursor from = cursor ? *cursor : m_pool.object_list_begin();
  const auto answer = value_within<std::shared_ptr<Page>>(
      m_limit, [connection = m_connection, pool = m_pool, from]() mutable {
        std::shared_ptr<Page> found(new Page{.cursor = from});
        found->rc =
            pool.object_list(from, pool.object_list_end(), page, {}, &found->items, &found->cursor);
        found->end = found->rc >= 0 && pool.object_list_is_end(found->cursor);
        return found;
      });
  if (!answer) return -ETIMEDOUT;
  const Page& found = **answer;
  if (found.rc < 0) return found.rc;
  for (const librados::ObjectItem& item : found.items) names.push_back(item.oid);
  cursor = std::make_unique<librados::ObjectCursor>(found.cursor);
  end = found.end;
  return 0;
}

}  // namespace radosload::cluster
