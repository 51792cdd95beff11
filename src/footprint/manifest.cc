#include "footprint/manifest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

#include "radosload/printable.h"

#include "base/json_reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace radosload::footprint {

namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_run_id = 64;
constexpr std::array<std::string_view, 5> content_names = {"empty", "data", "omap", "image",
                                                           "files"};
constexpr std::array<std::string_view, 3> state_names = {"filling", "ready", "deleting"};

tl::unexpected<Error> unreadable(std::string reason) {
  return fail({.attempt = "read a manifest",
               .reason = std::move(reason),
               .hint = "a newer radosload may have written it: clean up with that version, or "
                       "remove the objects by their names with --run ID --scan --force"});
}

// Stamps use all 64 bits, which JSON numbers cannot be trusted with.
std::string hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::optional<std::uint64_t> from_hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return {};
  return value;
}

// Takes members out of an object; remembers the first that was missing or of another type.
class Reader {
 public:
  Reader(const Json& object, std::string& problem) : m_object(object), m_problem(problem) {}

  void text(std::string_view key, std::string& into) {
    const Json* const value = find(key, &Json::is_string);
    if (value != nullptr) into = value->get<std::string>();
  }
  template <typename Number>
  void number(std::string_view key, Number& into) {
    const Json* const value = find(key, &Json::is_number_unsigned);
    if (value == nullptr) return;
    const auto given = value->get<std::uint64_t>();
    into = static_cast<Number>(given);
    if (static_cast<std::uint64_t>(into) != given || into < 0) blame(key);
  }
  void flag(std::string_view key, bool& into) {
    const Json* const value = find(key, &Json::is_boolean);
    if (value != nullptr) into = value->get<bool>();
  }
  template <typename Enum>
  void name(std::string_view key, std::span<const std::string_view> names, Enum& into) {
    std::string given;
    text(key, given);
    const auto found = std::find(names.begin(), names.end(), given);
    if (found == names.end()) return blame(key);
    into = static_cast<Enum>(found - names.begin());
  }
  void texts(std::string_view key, std::vector<std::string>& into) {
    const Json* const value = find(key, &Json::is_array);
    if (value == nullptr) return;
    for (const Json& item : *value) {
      if (!item.is_string()) return blame(key);
      into.push_back(item.get<std::string>());
    }
  }
  // Numbers as one text: there may be a hundred thousand of them. Absent is none.
  template <typename Number>
  void numbers(std::string_view key, std::vector<Number>& into) {
    if (!m_object.contains(key)) return;
    std::string given;
    text(key, given);
    const char* at = given.data();
    const char* const end = at + given.size();
    while (at != end) {
      Number number = 0;
      const auto read = std::from_chars(at, end, number);
      if (read.ec != std::errc() || number < 0) return blame(key);
      into.push_back(number);
      at = read.ptr;
      if (at != end && *at++ != ' ') return blame(key);
    }
  }
  void blame(std::string_view key) {
    if (m_problem.empty()) m_problem = fmt::format("'{}' is missing or invalid", key);
  }

 private:
  const Json* find(std::string_view key, bool (Json::*wanted)() const noexcept) {
    const auto found = m_object.find(key);
    if (found != m_object.end() && ((*found).*wanted)()) return &*found;
    blame(key);
    return nullptr;
  }

  const Json& m_object;
  std::string& m_problem;
};

void read_owner(const Json& document, Owner& owner, std::string& problem) {
  const auto found = document.find("owner");
  if (found == document.end() || !found->is_object()) {
    problem = "'owner' is missing";
    return;
  }
  Reader reader(*found, problem);
  reader.text("host", owner.host);
  reader.text("boot", owner.boot);
  reader.text("pid_space", owner.pid_space);
  reader.number("pid", owner.pid);
  reader.number("started_ticks", owner.started_ticks);
  reader.number("client", owner.client);
}

std::string read_manifest(const Json& document, Manifest& manifest) {
  std::string problem;
  Reader reader(document, problem);
  reader.text("run", manifest.run);
  reader.text("started", manifest.started);
  reader.text("pool", manifest.pool);
  reader.text("namespace", manifest.nspace);
  reader.text("pattern", manifest.pattern);
  reader.number("objects", manifest.objects);
  reader.number("object_size_bytes", manifest.object_size.count);
  reader.numbers("osds", manifest.osds);
  reader.numbers("picked", manifest.picked);
  reader.numbers("ended_clients", manifest.ended_clients);
  const bool picked = !manifest.osds.empty() || !manifest.picked.empty();
  const bool shared_out = manifest.osds.empty() || manifest.objects % manifest.osds.size() == 0;
  if (picked && (manifest.picked.size() != manifest.objects || !shared_out)) {
    reader.blame("picked");
  }
  reader.name("content", std::span(content_names), manifest.content);
  reader.number("value_size_bytes", manifest.value_size.count);
  reader.flag("keep", manifest.keep);
  reader.name("state", std::span(state_names), manifest.state);
  reader.number("filled_objects", manifest.filled_objects);
  reader.number("filled_bytes", manifest.filled.count);
  if (manifest.content == Content::image) {
    reader.texts("images", manifest.images);
    reader.text("image_namespace", manifest.image_nspace);
  }
  if (manifest.content == Content::files) {
    reader.text("file_system", manifest.file_system);
    if (manifest.file_system.empty()) reader.blame("file_system");
    reader.number("clients", manifest.clients);
  }
  std::string stamp;
  reader.text("stamp", stamp);
  const auto parsed = from_hex(stamp);
  if (parsed) {
    manifest.stamp = *parsed;
  } else {
    reader.blame("stamp");
  }
  if (!is_run_id(manifest.run)) reader.blame("run");
  if (problem.empty()) problem = beyond_limits(manifest);
  if (problem.empty()) read_owner(document, manifest.owner, problem);
  return problem;
}

}  // namespace

std::string encode(const Manifest& manifest) {
  Json document = {
      {"schema", manifest_schema},
      {"run", manifest.run},
      {"started", manifest.started},
      {"owner",
       {{"host", manifest.owner.host},
        {"boot", manifest.owner.boot},
        {"pid_space", manifest.owner.pid_space},
        {"pid", manifest.owner.pid},
        {"started_ticks", manifest.owner.started_ticks},
        {"client", manifest.owner.client}}},
      {"pool", manifest.pool},
      {"namespace", manifest.nspace},
      {"pattern", manifest.pattern},
      {"objects", manifest.objects},
      {"object_size_bytes", manifest.object_size.count},
      {"content", content_name(manifest.content)},
      {"value_size_bytes", manifest.value_size.count},
      {"stamp", hex(manifest.stamp)},
      {"keep", manifest.keep},
      {"state", state_name(manifest.state)},
      {"filled_objects", manifest.filled_objects},
      {"filled_bytes", manifest.filled.count},
  };
  if (manifest.content == Content::image) {
    document["images"] = manifest.images;
    document["image_namespace"] = manifest.image_nspace;
  }
  if (manifest.content == Content::files) {
    document["file_system"] = manifest.file_system;
    document["clients"] = manifest.clients;
  }
  if (!manifest.osds.empty()) {
    document["osds"] = fmt::format("{}", fmt::join(manifest.osds, " "));
  }
  if (!manifest.picked.empty() || !manifest.osds.empty()) {
    document["picked"] = fmt::format("{}", fmt::join(manifest.picked, " "));
  }
  if (!manifest.ended_clients.empty()) {
    document["ended_clients"] = fmt::format("{}", fmt::join(manifest.ended_clients, " "));
  }
  // Users choose the names of hosts and pools: broken UTF-8 must not throw.
  std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
  const std::size_t units = (text.size() + 1 + manifest_bytes - 1) / manifest_bytes;
  text.resize(units * manifest_bytes, ' ');
  text.back() = '\n';
  return text;
}

Result<Manifest> decode(std::string_view text) {
  const auto read = read_json(text);
  if (!read) return unreadable(read.error().reason);
  const Json& document = *read;
  if (!document.is_object()) return unreadable("it is not a JSON object");
  const auto schema = document.find("schema");
  if (schema == document.end() || *schema != manifest_schema) {
    return unreadable(fmt::format("its schema is not {}", manifest_schema));
  }
  Manifest manifest;
  if (std::string problem = read_manifest(document, manifest); !problem.empty()) {
    return unreadable(std::move(problem));
  }
  return manifest;
}

std::string misplaced(const Manifest& manifest, const Place& place) {
  if (manifest.run != place.run) {
    return fmt::format("it is stored for run {} but names run {}", printable(place.run),
                       printable(manifest.run));
  }
  if (manifest.pool != place.pool) {
    return fmt::format("it is in pool '{}' but names pool '{}'", printable(place.pool),
                       printable(manifest.pool));
  }
  if (manifest.nspace != place.nspace) {
    return fmt::format("it is in namespace '{}' but names namespace '{}'", printable(place.nspace),
                       printable(manifest.nspace));
  }
  if (manifest.content != Content::image) return {};
  // Who may write notes in a namespace has a say in the images of that namespace, and of no other.
  // Images outside of any have their notes in the default one.
  const bool ours = manifest.image_nspace.empty() ? place.nspace == default_namespace
                                                  : manifest.image_nspace == place.nspace;
  if (ours) return {};
  return fmt::format("it is in namespace '{}' but names images in namespace '{}'",
                     printable(place.nspace), printable(manifest.image_nspace));
}

Result<Manifest> decode_at(std::string_view text, const Place& place) {
  auto manifest = decode(text);
  if (!manifest) return manifest;
  std::string reason = misplaced(*manifest, place);
  if (reason.empty()) return manifest;
  return fail({.attempt = "read a manifest",
               .reason = std::move(reason),
               .hint = "radosload ignores it; 'radosload cleanup --run ID --scan --force' removes "
                       "the manifest and the objects named after the run"});
}

std::string beyond_limits(const Manifest& manifest) {
  if (manifest.objects > objects_limit) {
    return fmt::format("it names {} objects; the limit is {}", manifest.objects, objects_limit);
  }
  if (manifest.clients > clients_limit) {
    return fmt::format("it names {} clients; the limit is {}", manifest.clients, clients_limit);
  }
  if (manifest.images.size() > images_limit) {
    return fmt::format("it names {} images; the limit is {}", manifest.images.size(), images_limit);
  }
  return {};
}

bool is_run_id(std::string_view text) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !text.empty() && text.size() <= longest_run_id &&
         text.find_first_not_of(allowed) == std::string_view::npos;
}

std::string manifest_object(std::string_view run) {
  return std::string(manifest_prefix) + std::string(run);
}

std::string_view content_name(Content content) {
  return content_names[static_cast<std::size_t>(content)];
}

std::string_view state_name(State state) {
  return state_names[static_cast<std::size_t>(state)];
}

}  // namespace radosload::footprint
