// The slowest operations of a run and the use of its client, as JSON.
#include <charconv>
#include <limits>

#include "base/wall_clock.h"
#include "record/codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

std::int32_t osd_number(const Json& value) {
  return value.is_null() ? no_osd : osd_from(value.get<std::string>());
}

Json osd_text_or_null(std::int32_t osd) {
  return osd == no_osd ? Json() : Json(osd_name(osd));
}

Json waited_json(const std::optional<Waited>& waited) {
  if (!waited) return {};
  Json replicas = Json::array();
  for (const std::int32_t osd : waited->replicas) replicas.push_back(osd_name(osd));
  return {{"where", wait_name(waited->where)},
          {"longest_us", us(waited->longest)},
          {"replicas", replicas},
          {"reason", waited->reason},
          {"before_us", us(waited->before)},
          {"on_osd_us", us(waited->on_osd)},
          {"after_us", us(waited->after)},
          {"ended", waited->ended}};
}

std::optional<Waited> waited_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const std::string name = string_at(json, "where");
  const auto where = wait_from_name(name);
  if (!where) refuse(fmt::format("'{}' is not a place where an operation waits", name));
  Waited waited{.where = *where,
                .longest = time_from(json.at("longest_us"), ns_per_us),
                .replicas = {},
                .reason = string_at(json, "reason"),
                .before = time_from(json.at("before_us"), ns_per_us),
                .on_osd = time_from(json.at("on_osd_us"), ns_per_us),
                .after = time_from(json.at("after_us"), ns_per_us),
                .ended = bool_at(json, "ended")};
  for (const Json& osd : json.at("replicas")) waited.replicas.push_back(osd_number(osd));
  return waited;
}

Json slow_op_json(const SlowOp& op) {
  const std::string pg = pg_text(op);
  return {{"op", op_kind_name(op.kind)},
          {"object", op.object},
          {"pg", pg.empty() ? Json() : Json(pg)},
          {"osd", osd_text_or_null(op.osd)},
          {"offset", op.offset},
          {"bytes", op.bytes},
          {"t_s", seconds(op.at)},
          {"sent", base::moment_text(op.wall)},
          {"service_us", us(op.service)},
          {"response_us", us(op.response)},
          {"outcome", outcome_text(op)},
          {"waited", waited_json(op.waited)}};
}

// "3.1f"
void read_pg(const Json& json, SlowOp& op) {
  if (json.is_null()) return;
  const auto text = json.get<std::string>();
  const char* const end = text.data() + text.size();
  const auto [dot, wrong_pool] = std::from_chars(text.data(), end, op.pool);
  constexpr int hexadecimal = 16;
  const char* const seed = dot == end ? end : dot + 1;
  const auto [stop, wrong_seed] = std::from_chars(seed, end, op.pg, hexadecimal);
  if (wrong_pool != std::errc() || op.pool < 0 || dot == end || *dot != '.' ||
      wrong_seed != std::errc() || stop != end || op.pg == no_pg) {
    refuse(fmt::format("'{}' is not a placement group", text));
  }
}

void read_outcome(const std::string& text, SlowOp& op) {
  op.answered = text != "unanswered";
  if (op.answered && text != "ok") op.rc = rc_from_name(text);
}

SlowOp slow_op_from(const Json& json) {
  const std::uint64_t bytes = count_at(json, "bytes");
  if (bytes > std::numeric_limits<std::uint32_t>::max()) refuse("a slow operation is too large");
  const auto wall = base::parse_moment(string_at(json, "sent"));
  if (!wall) refuse(fmt::format("'{}' is not a time", string_at(json, "sent")));
  SlowOp op{.kind = kind_from(string_at(json, "op")),
            .object = string_at(json, "object"),
            .osd = osd_number(json.at("osd")),
            .offset = count_at(json, "offset"),
            .bytes = static_cast<std::uint32_t>(bytes),
            .at = time_from(json.at("t_s"), ns_per_s),
            .wall = *wall,
            .service = time_from(json.at("service_us"), ns_per_us),
            .response = time_from(json.at("response_us"), ns_per_us),
            .waited = waited_from(json.at("waited"))};
  read_pg(json.at("pg"), op);
  read_outcome(string_at(json, "outcome"), op);
  return op;
}

Json counters_of_client_json(const std::optional<ClientCounters>& counters) {
  if (!counters) return {};
  return {{"ops_waits", counters->ops_waits},     {"ops_wait_s", seconds(counters->ops_wait)},
          {"bytes_waits", counters->bytes_waits}, {"bytes_wait_s", seconds(counters->bytes_wait)},
          {"resent", counters->resent},           {"laggy", counters->laggy}};
}

std::optional<ClientCounters> counters_of_client_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return ClientCounters{.ops_waits = count_at(json, "ops_waits"),
                        .ops_wait = time_from(json.at("ops_wait_s"), ns_per_s),
                        .bytes_waits = count_at(json, "bytes_waits"),
                        .bytes_wait = time_from(json.at("bytes_wait_s"), ns_per_s),
                        .resent = count_at(json, "resent"),
                        .laggy = count_at(json, "laggy")};
}

Json number_or_null(std::optional<double> number) {
  return number ? Json(*number) : Json();
}

Json time_or_null(std::optional<Time> time) {
  return time ? Json(seconds(*time)) : Json();
}

// Older records lack what was not measured then.
template <typename Read>
auto read_known(const Json& json, const char* key, Read read)
    -> std::optional<decltype(read(json))> {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return read(*found);
}

std::optional<Time> known_time(const Json& json, const char* key) {
  return read_known(json, key, [](const Json& time) { return time_from(time, ns_per_s); });
}

std::optional<double> known_number(const Json& json, const char* key) {
  return read_known(json, key, [](const Json& number) { return number.get<double>(); });
}

Json pauses_json(const std::optional<Pauses>& pauses) {
  if (!pauses) return {};
  Json longest = Json::array();
  for (const Pause& pause : pauses->longest) {
    longest.push_back({{"t_s", seconds(pause.from)},
                       {"length_s", seconds(pause.length)},
                       {"cause", pause_cause_name(pause.cause)}});
  }
  return {{"count", pauses->count},
          {"sum_s", seconds(pauses->sum)},
          {"waiting_share", pauses->share},
          {"longest", longest}};
}

Pauses pauses_from(const Json& json) {
  Pauses pauses{.count = count_at(json, "count"),
                .sum = time_from(json.at("sum_s"), ns_per_s),
                .share = json.at("waiting_share").get<double>(),
                .longest = {}};
  for (const Json& pause : json.at("longest")) {
    const std::string name = string_at(pause, "cause");
    const auto cause = pause_cause_from_name(name);
    if (!cause) refuse(fmt::format("'{}' is not a cause of pauses", name));
    pauses.longest.push_back({.from = time_from(pause.at("t_s"), ns_per_s),
                              .length = time_from(pause.at("length_s"), ns_per_s),
                              .cause = *cause});
  }
  return pauses;
}

}  // namespace

Json slowest_json(const std::vector<SlowOp>& slowest) {
  Json list = Json::array();
  for (const SlowOp& op : slowest) list.push_back(slow_op_json(op));
  return list;
}

std::vector<SlowOp> slowest_from(const Json& object) {
  std::vector<SlowOp> slowest;
  const auto list = object.find("slowest");
  if (list == object.end()) return slowest;
  for (const Json& op : *list) slowest.push_back(slow_op_from(op));
  return slowest;
}

Json slow_search_json(const std::optional<SlowSearch>& search) {
  if (!search) return {};
  Json clocks = Json::object();
  for (const ClockDifference& clock : search->clocks) {
    clocks[osd_name(clock.osd)] = {{"ahead_us", us(clock.ahead)}, {"within_us", us(clock.within)}};
  }
  return {{"matched", search->matched}, {"missing", search->missing}, {"clocks", clocks}};
}

std::optional<SlowSearch> slow_search_from(const Json& object) {
  const auto json = object.find("slowest_search");
  if (json == object.end() || json->is_null()) return std::nullopt;
  SlowSearch search{
      .matched = count_at(*json, "matched"), .missing = string_at(*json, "missing"), .clocks = {}};
  for (const auto& [name, clock] : json->at("clocks").items()) {
    search.clocks.push_back({.osd = osd_from(name),
                             .ahead = time_from(clock.at("ahead_us"), ns_per_us),
                             .within = time_from(clock.at("within_us"), ns_per_us)});
  }
  return search;
}

Json client_load_json(const std::optional<ClientLoad>& load, const ClientCost& cost,
                      Time measured) {
  if (!load) return {};
  const bool known = !load->interface.empty();
  return {{"interface", known ? Json(load->interface) : Json()},
          {"received_bytes", load->received},
          {"sent_bytes", load->sent},
          {"link_mbit_per_s", load->link_mbit == 0 ? Json() : Json(load->link_mbit)},
          {"link_share", number_or_null(link_share(*load, measured))},
          {"cpus", load->cpus},
          {"cpu_share", number_or_null(cpu_share(*load, cost.user_s + cost.system_s, measured))},
          {"cpu_wait_s", time_or_null(load->cpu_wait)},
          {"pauses", pauses_json(load->pauses)},
          {"cpu_throttled_s", time_or_null(load->throttled)},
          {"cpu_stolen_share", number_or_null(load->stolen)},
          {"cpu_pressure_share", number_or_null(load->cpu_pressure)},
          {"clients", load->clients},
          {"throttle_share", number_or_null(throttle_share(*load, measured))},
          {"counters", counters_of_client_json(load->counters)},
          {"missing", load->missing}};
}

std::optional<ClientLoad> client_load_from(const Json& object) {
  const auto json = object.find("client");
  if (json == object.end() || json->is_null()) return std::nullopt;
  const Json& interface = json->at("interface");
  const Json& speed = json->at("link_mbit_per_s");
  const std::uint64_t cpus = count_at(*json, "cpus");
  // Older records lack these two.
  const std::uint64_t clients = json->contains("clients") ? count_at(*json, "clients") : 0;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (cpus > most || clients > most) refuse("there are too many CPUs or clients");
  return ClientLoad{.interface = interface.is_null() ? "" : interface.get<std::string>(),
                    .received = count_at(*json, "received_bytes"),
                    .sent = count_at(*json, "sent_bytes"),
                    .link_mbit = speed.is_null() ? 0 : count_at(*json, "link_mbit_per_s"),
                    .cpus = static_cast<std::uint32_t>(cpus),
                    .cpu_wait = known_time(*json, "cpu_wait_s"),
                    .pauses = read_known(*json, "pauses", pauses_from),
                    .throttled = known_time(*json, "cpu_throttled_s"),
                    .stolen = known_number(*json, "cpu_stolen_share"),
                    .cpu_pressure = known_number(*json, "cpu_pressure_share"),
                    .counters = counters_of_client_from(json->at("counters")),
                    .clients = static_cast<std::uint32_t>(clients),
                    .missing = string_at(*json, "missing")};
}

}  // namespace radosload::record::codec
