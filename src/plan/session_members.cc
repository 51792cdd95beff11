#include "plan/session_members.h"

#include <string>

#include "radosload/units.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

Error wrong_members(std::string reason) {
  return Error{.attempt = "read --members",
               .reason = std::move(reason),
               .hint = "write how many processes, as in 8, or a range, as in 4-8",
               .exit = Exit::usage};
}

Result<std::uint32_t> member_count(std::string_view text) {
  const auto count = parse_count(text);
  if (!count) return fail(wrong_members("it is not a number of members"));
  if (*count == 0 || *count > most_members) {
    return fail(wrong_members(fmt::format("a session has 1 to {} members", most_members)));
  }
  return static_cast<std::uint32_t>(*count);
}

}  // namespace

Result<MemberRange> parse_members(std::string_view text) {
  const std::size_t dash = text.find('-');
  RADOSLOAD_ASSIGN(const auto least, member_count(text.substr(0, dash)));
  if (dash == std::string_view::npos) return MemberRange{least, least};
  RADOSLOAD_ASSIGN(const auto most, member_count(text.substr(dash + 1)));
  if (most < least) return fail(wrong_members("the range ends below its beginning"));
  return MemberRange{least, most};
}

}  // namespace radosload::plan
