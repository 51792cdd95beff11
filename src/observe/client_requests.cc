#include "observe/client_requests.h"

#include <algorithm>
#include <charconv>

#include "observe/json.h"

namespace radosload::observe {

namespace {

// The pool of "2.7fc1f406"; -1 when it is none.
std::int64_t pool_of(const std::string& pg) {
  std::int64_t pool = -1;
  const char* const dot = pg.data() + std::min(pg.find('.'), pg.size());
  const auto [end, error] = std::from_chars(pg.data(), dot, pool);
  return error == std::errc() && end == dot ? pool : -1;
}

// Releases differ in whether it is a number or a word.
bool is_set(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  return value.is_number() && value.get<double>() != 0;
}

}  // namespace

Result<std::vector<ClientRequest>> parse_client_requests(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto all, parse_object("objecter_requests", json));
  const Json& ops = member(all, "ops");
  std::vector<ClientRequest> requests;
  requests.reserve(ops.size());
  for (const Json& op : ops) {
    const auto osd = ceph_json::id_of(op, "osd");
    const bool on_its_way = osd && *osd >= 0 && number(op, "attempts") > 0;
    if (!on_its_way || is_set(member(op, "paused"))) continue;
    requests.push_back(
        {.object = text(op, "object_id"), .pool = pool_of(text(op, "pg")), .osd = *osd});
  }
  return requests;
}

}  // namespace radosload::observe
