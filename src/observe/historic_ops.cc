#include "observe/historic_ops.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/wall_clock.h"
#include "observe/json.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

constexpr int hex = 16;

// Takes what is before the separator off the text; all of it when there is none.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

template <typename Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Ceph writes special characters of names as %3a.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '%' && i + 2 < text.size()
                          ? number_in<unsigned char>(text.substr(i + 1, 2), hex)
                          : std::nullopt;
    plain += code ? static_cast<char>(*code) : text[i];
    if (code) i += 2;
  }
  return plain;
}

// "client.4171.0:74"
bool read_request(std::string_view text, OsdOp& op) {
  constexpr std::string_view prefix = "client.";
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  const auto client = number_in<std::uint64_t>(take_until(text, '.'));
  take_until(text, ':');
  const auto tid = number_in<std::uint64_t>(text);
  if (!client || !tid) return false;
  op.client = *client;
  op.tid = *tid;
  return true;
}

// "2:fb42ebf3:namespace:key:name:head"
bool read_object(std::string_view text, OsdOp& op) {
  const auto pool = number_in<std::int64_t>(take_until(text, ':'));
  take_until(text, ':');
  const std::string_view nspace = take_until(text, ':');
  take_until(text, ':');
  const std::string_view name = take_until(text, ':');
  if (!pool || name.empty() || text.empty()) return false;
  op.pool = *pool;
  op.nspace = unescaped(nspace);
  op.object = unescaped(name);
  return true;
}

// "[set-alloc-hint object_size 4096 write_size 4096,write 0~4096 [fadvise_random]]"
void read_extents(std::string_view text, OsdOp& op) {
  if (!text.starts_with('[')) return;
  text.remove_prefix(1);
  while (!text.empty() && op.extents.size() < most_events_read) {
    std::string_view step = take_until(text, ',');
    const std::string_view verb = take_until(step, ' ');
    std::string_view range = step.substr(0, step.find_first_of(" ]"));
    if (range.find('~') == std::string_view::npos) continue;
    const auto offset = number_in<std::uint64_t>(take_until(range, '~'));
    const auto length = number_in<std::uint64_t>(range);
    if (offset && length) {
      op.extents.push_back({.verb = std::string(verb), .offset = *offset, .length = *length});
    }
  }
}

// "osd_op(client.4171.0:74 2.f 2:fb42ebf3:::name:head [write 0~4096] snapc 0=[] ...)"
bool read_client_op(std::string_view text, OsdOp& op) {
  if (!read_request(take_until(text, ' '), op)) return false;
  take_until(text, ' ');
  if (!read_object(take_until(text, ' '), op)) return false;
  read_extents(text.substr(0, text.find("] snapc")), op);
  return true;
}

// "osd_repop(client.4171.0:71 2.0 e35/21 ...)", "MOSDECSubOpWrite(4.8s2 39/26 ECSubWrite(tid=20092,
// reqid=client.4181.0:28, ...". The reply to such a part is an operation of its own.
bool read_part(std::string_view kind, std::string_view text, OsdOp& op) {
  op.part = true;
  if (kind == "osd_repop") return read_request(take_until(text, ' '), op);
  if (kind != "MOSDECSubOpWrite") return false;
  constexpr std::string_view key = "reqid=";
  const std::size_t found = text.find(key);
  if (found == std::string_view::npos) return false;
  text.remove_prefix(found + key.size());
  return read_request(take_until(text, ','), op);
}

bool read_description(std::string_view text, OsdOp& op) {
  const std::string_view kind = take_until(text, '(');
  return kind == "osd_op" ? read_client_op(text, op) : read_part(kind, text, op);
}

std::optional<Time> moment_of(const Json& object, std::string_view key) {
  return base::parse_moment(text(object, key));
}

void read_events(const Json& events, OsdOp& op) {
  if (!events.is_array()) return;
  for (const Json& event : events) {
    if (op.events.size() == most_events_read) break;
    const auto at = moment_of(event, "time");
    if (at) op.events.push_back({.name = text(event, "event"), .at = *at});
  }
  std::stable_sort(op.events.begin(), op.events.end(),
                   [](const OpEvent& one, const OpEvent& other) { return one.at < other.at; });
}

// What the OSD's clock showed, by an operation's begin and its age.
std::optional<Time> clock_by(const Json& given, Time initiated) {
  const Json& age = member(given, "age");
  constexpr double oldest = 1e8;
  if (!age.is_number()) return std::nullopt;
  const auto seconds_old = age.get<double>();
  if (!(seconds_old >= 0 && seconds_old < oldest)) return std::nullopt;
  return initiated + std::chrono::round<Time>(std::chrono::duration<double>(seconds_old));
}

void read_op(const Json& given, OsdOps& into) {
  OsdOp op;
  const auto initiated = moment_of(given, "initiated_at");
  if (!initiated) return;
  op.initiated = *initiated;
  const auto now = clock_by(given, *initiated);
  if (now) into.now = std::max(into.now.value_or(*now), *now);
  if (!read_description(text(given, "description"), op)) return;
  read_events(member(member(given, "type_data"), "events"), op);
  into.ops.push_back(std::move(op));
}

}  // namespace

bool OsdOp::ended() const {
  return at("done").has_value();
}

std::optional<Time> OsdOp::at(std::string_view event) const {
  const auto found = std::find_if(events.begin(), events.end(),
                                  [&](const OpEvent& one) { return one.name == event; });
  if (found == events.end()) return std::nullopt;
  return found->at;
}

Time OsdOp::last() const {
  return events.empty() ? initiated : std::max(initiated, events.back().at);
}

Result<OsdOps> parse_osd_ops(const std::string& json) {
  if (json.size() > longest_dump) {
    return fail({.attempt = "read the operations of an OSD",
                 .reason = fmt::format("the answer has more than {} MiB", longest_dump >> 20U),
                 .exit = Exit::no_cluster});
  }
  RADOSLOAD_ASSIGN(const auto dump, parse_object("dump_historic_ops", json));
  OsdOps read;
  const Json& ops = member(dump, "ops");
  if (!ops.is_array()) return read;
  for (std::size_t i = 0; i < std::min(ops.size(), most_ops_read); ++i) read_op(ops[i], read);
  return read;
}

}  // namespace radosload::observe
