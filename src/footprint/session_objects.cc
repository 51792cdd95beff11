#include "footprint/session_objects.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "radosload/printable.h"
#include "radosload/units.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

constexpr std::string_view session_prefix = "radosload.session.";

}  // namespace

std::string session_index_key(const std::string& session) {
  return "session." + session;
}

std::string session_hub(const std::string& session) {
  return fmt::format("{}{}.hub", session_prefix, session);
}

std::string session_clock(const std::string& session, const std::string& member) {
  return fmt::format("{}{}.clock.{}", session_prefix, session, member);
}

std::string session_members(const std::string& session, std::uint32_t shard) {
  return fmt::format("{}{}.members.{}", session_prefix, session, shard);
}

std::string session_part(const std::string& session, const std::string& member,
                         std::uint64_t chunk) {
  return fmt::format("{}{}.part.{}.{}", session_prefix, session, member, chunk);
}

bool is_of_session(std::string_view object) {
  return object == sessions_object || object.starts_with(session_prefix);
}

std::string session_entry_key(const std::string& member) {
  return "entry." + member;
}

std::string session_owner_key(const std::string& member) {
  return "owner." + member;
}

std::string session_chunks_key(const std::string& member) {
  return "chunks." + member;
}

std::string encode_owner(const Owner& owner) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", owner.host, owner.boot, owner.pid_space, owner.pid,
                     owner.started_ticks, owner.client);
}

std::optional<Owner> decode_owner(const std::string& text) {
  std::istringstream lines(text);
  Owner owner;
  std::array<std::string, 3> numbers;
  std::getline(lines, owner.host);
  std::getline(lines, owner.boot);
  std::getline(lines, owner.pid_space);
  for (std::string& number : numbers) std::getline(lines, number);
  const auto pid = parse_count(numbers[0]);
  const auto ticks = parse_count(numbers[1]);
  const auto client = parse_count(numbers[2]);
  if (!pid || !ticks || !client) return std::nullopt;
  owner.pid = static_cast<std::int64_t>(*pid);
  owner.started_ticks = *ticks;
  owner.client = *client;
  return owner;
}

Status add_members(const cluster::BoundedIo::Attributes& attributes, const std::string& session,
                   SessionSeen& seen, std::vector<Owner>& owners) {
  const std::string owner_prefix = session_owner_key("");
  for (const auto& [key, value] : attributes) {
    if (!key.starts_with(owner_prefix)) continue;
    const std::string member = key.substr(owner_prefix.size());
    const auto claimed = attributes.find(session_chunks_key(member));
    const auto parts = claimed == attributes.end() ? 0 : parse_count(claimed->second).value_or(0);
    if (parts >
        session_parts_limit - std::min<std::uint64_t>(seen.objects.size(), session_parts_limit)) {
      return fail({.attempt = "list the objects of session",
                   .subject = session,
                   .reason = fmt::format(
                       "with the {} parts of member '{}' it has more than {} objects, the limit",
                       parts, printable(member), session_parts_limit),
                   .hint = fmt::format("list the objects with 'rados ls' and remove those that "
                                       "begin with '{}{}.'",
                                       session_prefix, printable(session))});
    }
    seen.objects.push_back(session_clock(session, member));
    if (auto owner = decode_owner(value)) owners.push_back(*std::move(owner));
    for (std::uint64_t part = 0; part < parts; ++part) {
      seen.objects.push_back(session_part(session, member, part));
    }
  }
  return {};
}

}  // namespace radosload::footprint
