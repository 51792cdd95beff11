#include "session/leader_lock.h"

#include <cstdint>
#include <string_view>

namespace radosload::session {

namespace {

template <typename Number>
void put_number(std::string& into, Number value) {
  for (std::size_t byte = 0; byte < sizeof(value); ++byte) {
    into.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte)));
  }
}

void put_text(std::string& into, std::string_view text) {
  put_number(into, static_cast<std::uint32_t>(text.size()));
  into += text;
}

// Ceph's encoding of a struct: its version, the oldest version that can read it, its length.
std::string versioned(std::string_view body) {
  std::string request;
  put_number(request, std::uint8_t{1});
  put_number(request, std::uint8_t{1});
  put_text(request, body);
  return request;
}

}  // namespace

std::string lock_request(const std::string& cookie, std::chrono::seconds length) {
  constexpr std::uint8_t exclusive = 1;
  constexpr std::uint8_t may_renew = 1;
  std::string body;
  put_text(body, "leader");
  put_number(body, exclusive);
  put_text(body, cookie);
  put_text(body, "");
  put_text(body, "leads a session of radosload");
  put_number(body, static_cast<std::uint32_t>(length.count()));
  put_number(body, std::uint32_t{0});
  put_number(body, may_renew);
  return versioned(body);
}

std::string unlock_request(const std::string& cookie) {
  std::string body;
  put_text(body, "leader");
  put_text(body, cookie);
  return versioned(body);
}

}  // namespace radosload::session
