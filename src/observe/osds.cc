#include "observe/osds.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "observe/health.h"
#include "observe/space.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

using placement::OsdInventory;

Status note_health(const std::string& json, OsdInventory& into) {
  RADOSLOAD_ASSIGN(const auto health, parse_health(json));
  for (const HealthCheck& check : health.checks) {
    placement::note_complaints(check.code, check.details, into);
  }
  return {};
}

struct OsdQuestion {
  std::string_view what;
  Result<std::string> (AdminCommands::*ask)(const std::string&);
  std::string_view command;
  Status (*parse)(const std::string&, OsdInventory&);
};

constexpr const char* metadata_command = R"({"prefix": "osd metadata", "format": "json"})";

// In the order in which one builds on the other.
constexpr std::array<OsdQuestion, 5> osd_questions = {{
    {"kinds, drives and versions", &AdminCommands::mon, metadata_command,
     placement::parse_osd_metadata},
    {"settings and mclock capacity", &AdminCommands::mon,
     R"({"prefix": "config dump", "format": "json"})", placement::parse_osd_settings},
    {"health and spillover", &AdminCommands::mon,
     R"({"prefix": "health", "detail": "detail", "format": "json"})", note_health},
    {"fill", &AdminCommands::mgr, R"({"prefix": "osd df", "format": "json"})",
     placement::parse_osd_fill},
    {"PGs and primaries", &AdminCommands::mgr, pgs_brief_command, placement::parse_osd_pgs},
}};

}  // namespace

Result<OsdInventory> fetch_osds(AdminCommands& commands) {
  RADOSLOAD_ASSIGN(const auto tree, commands.mon(R"({"prefix": "osd tree", "format": "json"})"));
  auto inventory = placement::parse_osd_tree(tree);
  if (!inventory) return inventory;
  for (const OsdQuestion& question : osd_questions) {
    const auto answer = (commands.*question.ask)(std::string(question.command));
    const Status parsed = answer ? question.parse(*answer, *inventory) : fail(answer.error());
    if (parsed) continue;
    inventory->unseen.push_back(fmt::format("{}: {}", question.what, parsed.error().message()));
  }
  return inventory;
}

Result<OsdKinds> fetch_kinds(AdminCommands& commands, const std::vector<std::int32_t>& osds) {
  RADOSLOAD_ASSIGN(const auto metadata, commands.mon(metadata_command));
  OsdInventory inventory;
  for (const std::int32_t id : osds) {
    placement::Osd osd;
    osd.id = id;
    inventory.osds.push_back(std::move(osd));
  }
  RADOSLOAD_TRY(placement::parse_osd_metadata(metadata, inventory));
  OsdKinds kinds;
  for (const placement::Osd& osd : inventory.osds) kinds[osd.id] = osd.kind;
  return kinds;
}

}  // namespace radosload::observe
