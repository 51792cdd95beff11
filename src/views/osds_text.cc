#include "views/osds_text.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "radosload/printable.h"

#include "placement/osd_select.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using placement::Osd;
using placement::OsdDrive;
using placement::OsdInventory;
using placement::OsdKind;
using report::Align;

constexpr std::size_t label_width = 9;

std::string state_of(const Osd& osd) {
  if (!osd.up) return osd.in ? "down" : "down, out";
  return osd.in ? "up" : "out";
}

std::string count_of(const std::optional<std::uint32_t>& count) {
  return count ? report::grouped(*count) : "";
}

std::string size_of(Bytes bytes) {
  return bytes.count == 0 ? "" : human_text(bytes);
}

std::string turning(const OsdDrive& drive) {
  if (!drive.rotational) return "";
  return *drive.rotational ? "yes" : "no";
}

// Virtual drives have no model: their name stands in for it.
std::string drive_text(const OsdDrive& drive) {
  return drive.model.empty() ? drive.names : drive.model;
}

std::string fast_text(const Osd& osd) {
  std::string drive = drive_text(osd.fast);
  if (drive.empty() || osd.fast.shared_by < 2) return drive;
  return fmt::format("{} (of {})", drive, osd.fast.shared_by);
}

std::string fill_text(const Osd& osd) {
  return osd.fill ? fmt::format("{:.1f} %", 100 * *osd.fill) : "";
}

struct Aspect {
  std::string_view head;
  std::string_view in_words;  // where it is shown once for all OSDs
  Align align;
  bool always;  // a column even when it is alike for all
  std::string (*cell)(const Osd&);
};

std::vector<Aspect> aspects() {
  return {
      {"osd", "", Align::left, true, [](const Osd& osd) { return fmt::format("osd.{}", osd.id); }},
      {"state", "state", Align::left, false, state_of},
      {"kind", "kind", Align::left, true,
       [](const Osd& osd) { return std::string(placement::kind_name(osd.kind)); }},
      {"class", "class", Align::left, true, [](const Osd& osd) { return osd.device_class; }},
      {"host", "host", Align::left, true, [](const Osd& osd) { return osd.host(); }},
      {"size", "size", Align::right, false, [](const Osd& osd) { return size_of(osd.data.size); }},
      {"fill", "fill", Align::right, true, fill_text},
      {"PGs", "PGs", Align::right, true, [](const Osd& osd) { return count_of(osd.pgs); }},
      {"primaries", "primaries", Align::right, true,
       [](const Osd& osd) { return count_of(osd.primaries); }},
      {"rotational", "rotational", Align::left, false,
       [](const Osd& osd) { return turning(osd.data); }},
      {"min_alloc", "min_alloc_size", Align::right, false,
       [](const Osd& osd) { return size_of(osd.allocation); }},
      {"version", "version", Align::left, false, [](const Osd& osd) { return osd.version; }},
      {"drive", "drive", Align::left, false, [](const Osd& osd) { return drive_text(osd.data); }},
      {"WAL/DB drive", "WAL/DB drive", Align::left, false, fast_text},
  };
}

// An inventory as rows of cells, and what of it is a column.
struct Sheet {
  std::vector<std::vector<std::string>> rows;
  std::vector<Aspect> columns;
  std::vector<std::string> alike;    // "version 16.2.15"
  std::vector<std::string> unknown;  // "drive"
};

void add_aspect(const Aspect& aspect, std::vector<std::string> cells, Sheet& sheet) {
  const bool same = std::all_of(cells.begin(), cells.end(),
                                [&](const std::string& cell) { return cell == cells.front(); });
  if (same && cells.front().empty()) {
    // An OSD without a WAL or DB drive has no such name: that is known.
    if (aspect.cell != fast_text) sheet.unknown.emplace_back(aspect.in_words);
    return;
  }
  if (same && !aspect.always) {
    // The first line says already that all are up.
    if (aspect.cell != state_of) {
      sheet.alike.push_back(fmt::format("{} {}", aspect.in_words, cells.front()));
    }
    return;
  }
  sheet.columns.push_back(aspect);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    sheet.rows[i].push_back(cells[i].empty() ? "-" : std::move(cells[i]));
  }
}

Sheet sheet_of(const OsdInventory& inventory) {
  Sheet sheet;
  if (inventory.osds.empty()) return sheet;
  sheet.rows.resize(inventory.osds.size());
  std::vector<Aspect> all = aspects();
  // An OSD without a figure has Ceph's default. That is known only when the config could be read.
  const auto mclock = [](const Osd& osd) {
    return osd.mclock_iops ? fmt::format("{:.0f}", *osd.mclock_iops) : std::string("default");
  };
  if (inventory.settings_seen) {
    all.insert(all.end() - 2, {"mclock", "mclock capacity", Align::right, false, mclock});
  }
  for (const Aspect& aspect : all) {
    std::vector<std::string> cells;
    for (const Osd& osd : inventory.osds) cells.push_back(aspect.cell(osd));
    add_aspect(aspect, std::move(cells), sheet);
  }
  return sheet;
}

std::string counted_text(const OsdInventory& inventory) {
  if (inventory.osds.empty()) return "none";
  std::map<OsdKind, std::size_t> kinds;
  std::map<std::string, std::size_t> states;
  for (const Osd& osd : inventory.osds) {
    ++kinds[osd.kind];
    ++states[state_of(osd)];
  }
  std::vector<std::string> of_kind;
  for (const OsdKind kind : placement::every_kind()) {
    if (kinds.contains(kind)) {
      of_kind.push_back(fmt::format("{} {}", kinds[kind], placement::kind_name(kind)));
    }
  }
  if (kinds.contains(OsdKind::unknown)) {
    of_kind.push_back(fmt::format("{} of unknown kind", kinds[OsdKind::unknown]));
  }
  std::vector<std::string> of_state;
  of_state.reserve(states.size());
  for (const auto& [state, count] : states) of_state.push_back(fmt::format("{} {}", count, state));
  const bool one_state = states.size() == 1;
  return fmt::format("{}: {}; {}", report::grouped(inventory.osds.size()),
                     report::joined(of_kind, ", "),
                     one_state ? "all " + states.begin()->first : report::joined(of_state, ", "));
}

std::string table_text(const Sheet& sheet) {
  std::vector<report::Table::Column> columns;
  for (const Aspect& aspect : sheet.columns) {
    columns.push_back({std::string(aspect.head), aspect.align});
  }
  report::Table table(std::move(columns));
  for (const auto& row : sheet.rows) table.add(row);
  return table.text(0);
}

bool keeps_db(const Osd& osd) {
  return osd.fill && (osd.kind == OsdKind::db || osd.kind == OsdKind::db_wal);
}

std::string notes_text(const OsdInventory& inventory) {
  std::string text;
  for (const Osd& osd : inventory.osds) {
    for (const auto& [code, what] : osd.complaints) {
      text += report::paragraph(fmt::format("osd.{}", osd.id), fmt::format("{}: {}", code, what), 0,
                                label_width);
    }
  }
  if (std::any_of(inventory.osds.begin(), inventory.osds.end(), keeps_db)) {
    text +=
        report::paragraph("fill",
                          "is that of the main drive. 'ceph osd df' counts the DB device as used "
                          "space, so it shows more.",
                          0, label_width);
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string unseen_text(const OsdInventory& inventory) {
  std::string text;
  if (!inventory.unseen.empty()) text += "\nNot available:\n";
  for (const std::string& part : inventory.unseen)
    text += fmt::format("  - {}\n", printable_lines(part));
  return text;
}

std::string osds_text(const OsdInventory& inventory) {
  const Sheet sheet = sheet_of(inventory);
  std::string text = report::paragraph("OSDs", counted_text(inventory), 0, label_width);
  if (!sheet.alike.empty()) {
    text += report::paragraph("all have", report::joined(sheet.alike, ", "), 0, label_width);
  }
  if (!sheet.unknown.empty()) {
    text += report::paragraph("unknown", report::joined(sheet.unknown, ", "), 0, label_width);
  }
  return text + "\n" + table_text(sheet) + notes_text(inventory) + unseen_text(inventory);
}

}  // namespace radosload::views
