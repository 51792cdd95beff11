// Internal to this room: the JSON of the parts of a record, shared by the lines of the journal and
// the published record. Readers throw on any unexpected type, as the JSON library does; the two
// public codecs turn that into Errors.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"

#include <nlohmann/json_fwd.hpp>

namespace radosload::record::codec {

// Keys keep their order, because people read records too.
using Json = nlohmann::ordered_json;

// Thrown by the readers of this room for an invalid value.
struct ShapeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
[[noreturn]] void refuse(const std::string& what);
// The text of an exception, without the JSON library's own prefix.
std::string reason_of(const std::exception& error);

// Throws when the text is not JSON or is nested too deeply.
Json parsed(std::string_view text);

// Strict readers: no silent conversion from other types.
std::uint64_t count_at(const Json& object, const char* key);
std::int64_t integer_at(const Json& object, const char* key);
std::string string_at(const Json& object, const char* key);
bool bool_at(const Json& object, const char* key);
double number_at(const Json& object, const char* key);

// {"submitted": 1, "completed": 1, "failed": 0, "cancelled": 0}
Json flow_json(const Flow& flow);
Flow flow_from(const Json& json);
// {"ops": 1, "bytes": 4096}
Json amount_json(const Amount& amount);
// The object's member; older records lack it and get the other value.
Amount amount_from(const Json& object, const char* key, const Amount& otherwise);
// {"ENOENT": 3}
Json errors_json(const std::vector<ErrorCount>& errors);
std::vector<ErrorCount> errors_from(const Json& json);
// The code that rc_name() calls by this name; throws for other names.
std::int32_t rc_from_name(std::string_view name);

// The environment of a run; {"pool": null} and the like for unknown facts.
Json environment_json(const Environment& environment);
Environment environment_from(const Json& json);

// {"lateness": "HISTF...", "lateness_ns": {"sum", "min", "max"}}; nothing when empty.
void put_lateness(Json& json, const Histogram& lateness);
Histogram lateness_from(const Json& json);

// {"service": "HISTF...", "service_ns": {"sum", "min", "max"}, "response": ..., "response_ns": ...}
// without the last two when response times are service times.
// "lost_service" and "lost_response" likewise, without those that are empty.
Json cell_histograms_json(const Cell& cell);
void cell_histograms_from(const Json& json, Cell& cell);

// "osd.3", and back; throws for any other text.
std::string osd_name(std::int32_t osd);
std::int32_t osd_from(std::string_view name);
// null without one
Json routing_json(const std::optional<Routing>& routing);
// Of the object's member "routing", which may be missing.
std::optional<Routing> routing_from(const Json& object);

// null without one
Json verification_json(const std::optional<Verification>& verification);
// Of the object's member "verification", which may be missing.
std::optional<Verification> verification_from(const Json& object);

// What one OSD counted, and back; its number is the caller's.
Json window_json(const OsdWindow& window);
OsdWindow window_from(const Json& json, std::int32_t osd);
// A map by OSD; the reader takes the object's member "counters", which may be missing.
Json windows_json(const std::vector<OsdWindow>& windows);
std::vector<OsdWindow> windows_from(const Json& object);

// The slowest operations, as a list; of the object's member "slowest", which may be missing.
Json slowest_json(const std::vector<SlowOp>& slowest);
std::vector<SlowOp> slowest_from(const Json& object);
// null without one; of the object's member "slowest_search", which may be missing.
Json slow_search_json(const std::optional<SlowSearch>& search);
std::optional<SlowSearch> slow_search_from(const Json& object);
Json warmup_json(const Warmup& warmup);
Warmup warmup_from(const Json& json);
// null without one; of the object's member "client", which may be missing.
Json client_load_json(const std::optional<ClientLoad>& load, const ClientCost& cost, Time measured);
std::optional<ClientLoad> client_load_from(const Json& object);
// null without one; of the object's member "energy", which may be missing.
Json energy_json(const std::optional<Energy>& energy);
std::optional<Energy> energy_from(const Json& object);
// null without any; of the object's member "members", which may be missing.
Json members_json(const std::vector<SessionMember>& members);
std::vector<SessionMember> members_from(const Json& object);

Json grade_json(const Grade& grade);
Grade grade_from(const Json& json);
RunStatus status_from(const std::string& name);
EndedBy ended_by_from(std::string_view name);
OpKind kind_from(std::string_view name);
// Times as the numbers that records have.
inline constexpr double ns_per_us = 1e3;
inline constexpr double ns_per_s = 1e9;
double us(Time time);
Json us_or_null(const std::optional<Time>& time);
// Throws for one that no double holds to the nanosecond: radosload wrote none.
Time time_from(const Json& value, double ns_per_unit);
std::optional<Time> us_from(const Json& value);

Json row_json(const TimelineRow& row);
TimelineRow row_from(const Json& json);
// A whole record: see record_codec.h.
Json record_json(const RunRecord& record);
RunRecord record_from(const Json& json);

Json plan_json(const RunPlan& plan);
RunPlan plan_from(const Json& json);

}  // namespace radosload::record::codec
