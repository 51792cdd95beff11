#include "footprint/session_site.h"

#include <list>
#include <thread>

namespace radosload::footprint {

int ClusterSessions::watchers(const std::string& object, std::vector<Watcher>& into) {
  std::list<obj_watch_t> found;
  const int rc = m_io.watchers(object, found);
  for (const obj_watch_t& one : found) {
    into.push_back({.client = static_cast<std::uint64_t>(one.watcher_id), .address = one.addr});
  }
  return rc;
}

int ClusterSessions::set_attribute(const std::string& object, const std::string& key) {
  librados::ObjectWriteOperation write;
  librados::bufferlist value;
  value.append("1");
  write.setxattr(key.c_str(), value);
  return m_io.operate(object, write);
}

// The object's existence comes first: of a missing object a version check says only that the
// version is another.
int ClusterSessions::remove_attribute(const std::string& object, const std::string& key,
                                      std::uint64_t version) {
  librados::ObjectWriteOperation write;
  write.assert_exists();
  write.assert_version(version);
  write.rmxattr(key.c_str());
  return m_io.operate(object, write);
}

int ClusterSessions::remove_object(const std::string& object, std::uint64_t version) {
  librados::ObjectWriteOperation removal;
  removal.assert_exists();
  removal.assert_version(version);
  removal.remove();
  return m_io.operate(object, removal);
}

int ClusterSessions::remove_object(const std::string& object) {
  librados::ObjectWriteOperation removal;
  removal.remove();
  return m_io.operate(object, removal);
}

void ClusterSessions::pause(Time time) {
  std::this_thread::sleep_for(time);
}

}  // namespace radosload::footprint
