// The version of the librados that the program runs with, which may be newer than the one that it
// was built with.
#pragma once

#include <string>

namespace radosload::cluster {

// The release of Ceph, "16.2.15"; where the library does not tell, the version of its interface.
std::string librados_version();

}  // namespace radosload::cluster
