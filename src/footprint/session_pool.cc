#include "footprint/session_pool.h"

#include <cerrno>

namespace radosload::footprint {

namespace {

librados::bufferlist bytes_of(const std::string& text) {
  librados::bufferlist bytes;
  bytes.append(text);
  return bytes;
}

}  // namespace

bool is_refused_write(int rc) {
  return rc == -ENOENT || rc == -ENODATA || rc == -ECANCELED || rc == -ERANGE || rc == -EOVERFLOW;
}

int ClusterSessions::attributes(const std::string& object, cluster::BoundedIo::Attributes& into,
                                std::uint64_t* version) {
  return m_io.attributes(object, into, version);
}

int ClusterSessions::watchers(const std::string& object, std::list<obj_watch_t>& into) {
  return m_io.watchers(object, into);
}

int ClusterSessions::write(const std::string& object, const SessionWrite& write) {
  librados::ObjectWriteOperation operation;
  if (write.over) operation.assert_version(*write.over);
  if (write.exists) operation.assert_exists();
  if (write.only_if) {
    operation.cmpxattr(write.only_if->first.c_str(), LIBRADOS_CMPXATTR_OP_EQ,
                       bytes_of(write.only_if->second));
  }
  for (const auto& [key, value] : write.set) operation.setxattr(key.c_str(), bytes_of(value));
  if (!write.unset.empty()) operation.rmxattr(write.unset.c_str());
  if (write.empties) operation.write_full(librados::bufferlist());
  if (write.removes) operation.remove();
  return m_io.operate(object, operation);
}

}  // namespace radosload::footprint
