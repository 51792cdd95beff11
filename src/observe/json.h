// The words for reading JSON that this room shares.
#pragma once

#include "base/ceph_json.h"
#include "observe/health.h"

namespace radosload::observe {

using ceph_json::Json;
using ceph_json::member;
using ceph_json::number;
using ceph_json::parse_object;
using ceph_json::small_number;
using ceph_json::text;
using ceph_json::texts;

// What `health detail` says, and the member "health" of `status`.
Health health_from(const Json& health);

}  // namespace radosload::observe
