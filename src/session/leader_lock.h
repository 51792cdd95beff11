// The requests of Ceph's object class "lock" by which a member takes and gives back the lead.
// librados's own calls for it have no time limit, and create the object if it does not exist. Pure.
#pragma once

#include <chrono>
#include <string>

namespace radosload::session {

// The input of its method "lock" (cls_lock_lock_op, version 1).
std::string lock_request(const std::string& cookie, std::chrono::seconds length);
// The input of its method "unlock" (cls_lock_unlock_op, version 1).
std::string unlock_request(const std::string& cookie);

}  // namespace radosload::session
