// What a cluster answers of its OSDs, and the words with which people choose among them. The first
// byte chooses. Whatever was understood is matched, shown and selected from.
#include <string>

#include "fuzz/target.h"
#include "observe/health.h"
#include "placement/osd_match.h"
#include "placement/osd_select.h"
#include "views/osds_text.h"

namespace radosload {
namespace {

using placement::OsdInventory;

// A WAL and a DB OSD to which an answer may add.
OsdInventory two_osds() {
  OsdInventory inventory;
  inventory.osds.push_back({.id = 0, .up = true, .kind = placement::OsdKind::wal});
  inventory.osds.push_back({.id = 1, .up = true, .kind = placement::OsdKind::db});
  return inventory;
}

Status answer(char which, const std::string& json, OsdInventory& into) {
  if (which == 'm') return placement::parse_osd_metadata(json, into);
  if (which == 'f') return placement::parse_osd_fill(json, into);
  if (which == 'p') return placement::parse_osd_pgs(json, into);
  if (which == 'c') return placement::parse_osd_settings(json, into);
  if (which == 'h') {
    const auto health = observe::parse_health(json);
    if (!health) return fail(health.error());
    for (const auto& check : health->checks) {
      placement::note_complaints(check.code, check.details, into);
    }
    return {};
  }
  auto tree = placement::parse_osd_tree(json);
  if (!tree) return fail(tree.error());
  into = *std::move(tree);
  return {};
}

void show(const OsdInventory& inventory) {
  const auto matches = placement::match_osds(inventory, {});
  fuzz::require(matches.has_value());
  static_cast<void>(views::osds_text(inventory));
  static_cast<void>(views::matches_text(inventory, *matches));
  static_cast<void>(views::osds_json(inventory, *matches));
}

void select(std::string_view words, const OsdInventory& inventory) {
  const auto selection = placement::parse_osd_selection(words);
  if (!selection) return fuzz::require(!selection.error().message().empty());
  const auto ids = placement::select_osds(*selection, inventory);
  if (ids) fuzz::require(!ids->empty());
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char which = static_cast<char>(data[0]);
  const auto rest = radosload::fuzz::text_of(data + 1, size - 1);
  auto inventory = radosload::two_osds();
  if (which == 'w') {
    radosload::select(rest, inventory);
    static_cast<void>(radosload::placement::parse_kinds(rest));
  } else if (radosload::answer(which, std::string(rest), inventory)) {
    radosload::show(inventory);
  }
  return 0;
}
