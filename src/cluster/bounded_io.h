// Single operations on single objects, each with a time limit. librados's own synchronous calls
// wait for ever when a PG has no OSD or a pool is full.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "cluster/connection.h"

#include <rados/librados.hpp>

namespace radosload::cluster {

// Return codes are librados's: 0 or more, or a negative errno; -ETIMEDOUT when the limit was
// reached (the operation was abandoned, and may or may not have been carried out). Usable from any
// number of threads; a copy shares the handle.
class BoundedIo {
 public:
  // The pool belongs to the connection, with its namespace set.
  BoundedIo(std::shared_ptr<Connection> connection, librados::IoCtx pool, Time limit);

  // `version`, when given, receives the object's version after a success. `flags`: of librados, as
  // OPERATION_FULL_FORCE.
  int operate(const std::string& object, librados::ObjectWriteOperation& write,
              std::uint64_t* version = nullptr, int flags = 0);

  struct Content {
    std::string bytes;
    std::uint64_t version = 0;
  };
  // The whole object, up to `most` bytes. `advice`: of librados, as OP_FADVISE_DONTNEED.
  int read(const std::string& object, std::uint64_t most, Content& into, int advice = 0);

  using Attributes = std::map<std::string, std::string>;
  int attributes(const std::string& object, Attributes& into, std::uint64_t* version = nullptr);

  int watchers(const std::string& object, std::list<obj_watch_t>& into);
  // Watches the object until unwatch(), which also waits for calls of the context to end: it must
  // live until unwatch() has returned anything but -ETIMEDOUT.
  int watch(const std::string& object, librados::WatchCtx2* context, std::uint64_t* handle);
  int unwatch(std::uint64_t handle);

  // Tells all who watch the object, and collects what those replied that answered in time; an
  // object without watchers gives none.
  int notify(const std::string& object, const std::string& message, Time patience,
             std::vector<std::string>& replies);
  // The same without waiting for replies.
  void notify_later(const std::string& object, const std::string& message, Time patience);

  // Adds one page of names of the pool's namespace. The cursor, null at the beginning, moves on;
  // `end` says that there are no more.
  using Cursor = std::unique_ptr<librados::ObjectCursor>;
  int list(Cursor& cursor, std::vector<std::string>& names, bool& end);

  librados::IoCtx& pool() { return m_pool; }
  Connection& connection() { return *m_connection; }
  const std::shared_ptr<Connection>& handle() const { return m_connection; }
  Time limit() const { return m_limit; }

 private:
  struct Pending;
  int wait(const std::shared_ptr<Pending>& pending, int submitted);

  std::shared_ptr<Connection> m_connection;
  librados::IoCtx m_pool;
  Time m_limit;
};

}  // namespace radosload::cluster
