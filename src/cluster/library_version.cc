#include "cluster/library_version.h"

#include <dlfcn.h>

#include <fmt/format.h>
#include <rados/librados.h>

namespace radosload::cluster {

std::string librados_version() {
  // Ceph's own `const char* ceph_version_to_str()`. No header declares it, so it may be missing.
  using VersionText = const char* (*)();
  void* const symbol = ::dlsym(RTLD_DEFAULT, "_Z19ceph_version_to_strv");
  if (symbol != nullptr) {
    const char* const text =
        reinterpret_cast<VersionText>(symbol)();  // NOLINT: as dlsym() wants it
    if (text != nullptr && *text != '\0') return text;
  }
  int major = 0;
  int minor = 0;
  int extra = 0;
  rados_version(&major, &minor, &extra);
  return fmt::format("interface {}.{}.{}", major, minor, extra);
}

}  // namespace radosload::cluster
