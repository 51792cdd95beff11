#include "placement/pgs_brief.h"

#include <charconv>
#include <chrono>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

namespace radosload::placement {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t most_milliseconds = 1'000'000'000'000;

// Listens to the parser. The list is the document itself or its member pg_stats; each of its
// objects is a PG, of which a few members count.
class Reader final : public nlohmann::json_sax<Json> {
 public:
  explicit Reader(const std::function<void(const BriefPg&)>& take) : m_take(take) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  // Seconds with a fraction in releases 17 to 19, whole milliseconds in 20.
  bool number_float(number_float_t value, const string_t&) override {
    constexpr double most_seconds = 1e9;
    if (in_pg() && m_key == "scrub_duration" && value >= 0 && value < most_seconds) {
      m_took = std::chrono::duration_cast<Time>(std::chrono::duration<double>(value));
    }
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<std::int64_t>(value));
  }
  bool string(string_t& value) override {
    if (!in_pg()) return true;
    if (m_key == "pgid") m_id = parse_pg_id(value).value_or(PgId{});
    if (m_key == "state") m_state = value;
    if (m_key == "last_scrub_stamp") m_scrubbed = value;
    if (m_key == "last_deep_scrub_stamp") m_deep_scrubbed = value;
    return true;
  }
  bool key(string_t& value) override {
    m_key = value;
    return true;
  }
  bool start_object(std::size_t) override {
    ++m_depth;
    if (in_pg()) begin_pg();
    return true;
  }
  bool end_object() override {
    if (in_pg()) end_pg();
    --m_depth;
    return true;
  }
  bool start_array(std::size_t) override {
    ++m_depth;
    const bool document = m_depth == 1;
    const bool member = m_depth == 2 && m_key == "pg_stats";
    if (m_list_depth == 0 && (document || member)) m_list_depth = m_depth;
    m_in_acting = m_list_depth != 0 && m_depth == pg_depth() + 1 && m_key == "acting";
    return true;
  }
  bool end_array() override {
    if (m_depth == m_list_depth) m_list_depth = 0;
    m_in_acting = false;
    --m_depth;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  int pg_depth() const { return m_list_depth + 1; }
  bool in_pg() const { return m_list_depth != 0 && m_depth == pg_depth(); }

  bool number(std::int64_t value) {
    const auto osd = static_cast<std::int32_t>(value);
    if (m_in_acting) {
      m_acting.push_back(osd);
    } else if (in_pg() && m_key == "acting_primary") {
      m_primary = osd;
    } else if (in_pg() && m_key == "scrub_duration" && value >= 0 && value < most_milliseconds) {
      m_took = std::chrono::milliseconds(value);
    }
    return true;
  }

  void begin_pg() {
    m_id = {};
    m_state.clear();
    m_acting.clear();
    m_primary = -1;
    m_scrubbed.clear();
    m_deep_scrubbed.clear();
    m_took.reset();
  }

  void end_pg() const {
    m_take({.pool = m_id.pool,
            .seed = m_id.seed,
            .state = m_state,
            .primary = m_primary,
            .acting = m_acting,
            .scrubbed = m_scrubbed,
            .deep_scrubbed = m_deep_scrubbed,
            .scrub_took = m_took});
  }

  const std::function<void(const BriefPg&)>& m_take;
  int m_depth = 0;
  int m_list_depth = 0;  // 0: not within the list
  bool m_in_acting = false;
  std::string m_key;
  PgId m_id;
  std::string m_state;
  std::vector<std::int32_t> m_acting;
  std::int32_t m_primary = -1;
  std::string m_scrubbed;
  std::string m_deep_scrubbed;
  std::optional<Time> m_took;
};

}  // namespace

std::optional<PgId> parse_pg_id(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {};
  PgId id;
  const char* const end = text.data() + text.size();
  const auto pool = std::from_chars(text.data(), text.data() + dot, id.pool);
  const auto seed = std::from_chars(text.data() + dot + 1, end, id.seed, 16);
  if (pool.ec != std::errc() || pool.ptr != text.data() + dot) return {};
  if (seed.ec != std::errc() || seed.ptr != end) return {};
  return id;
}

Status read_pgs_brief(const std::string& json, const std::function<void(const BriefPg&)>& take) {
  Reader reader(take);
  if (Json::sax_parse(json, &reader)) return {};
  return fail({.attempt = "read the answer to 'pg dump'",
               .reason = "it is not JSON",
               .exit = Exit::no_cluster});
}

}  // namespace radosload::placement
