// What a client says of its own operations in flight (`objecter_requests` on its admin socket,
// which takes no rights): which object, and which OSD each was sent to. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/op.h"
#include "radosload/result.h"

namespace radosload::observe {

struct ClientRequest {
  std::string object;
  std::int64_t pool = -1;
  std::int32_t osd = no_osd;
};

// Operations that were sent to an OSD; those that wait for a map or an OSD are left out.
Result<std::vector<ClientRequest>> parse_client_requests(const std::string& json);

}  // namespace radosload::observe
