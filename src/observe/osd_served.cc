#include "observe/osd_served.h"

#include "observe/json.h"

namespace radosload::observe {

Result<ServedCounters> parse_served(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("perf dump", json));
  const Json& osd = member(dump, "osd");
  if (!member(osd, "op").is_number()) {
    return fail({.attempt = "read the answer to 'perf dump'",
                 .reason = "it has no counter of operations",
                 .exit = Exit::no_cluster});
  }
  ServedCounters served;
  for (const auto& [name, counter] : served_counters) served.*counter = number(osd, name);
  return served;
}

Result<ServedCounters> fetch_served(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto said,
                   commands.osd(osd, R"({"prefix": "perf dump", "logger": "osd"})"));
  return parse_served(said);
}

std::optional<ServedCounters> growth(const ServedCounters& before, const ServedCounters& after) {
  ServedCounters grown;
  for (const auto& [name, counter] : served_counters) {
    if (after.*counter < before.*counter) return std::nullopt;
    grown.*counter = after.*counter - before.*counter;
  }
  return grown;
}

}  // namespace radosload::observe
