#include "observe/rights.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "radosload/printable.h"

#include "base/suggest.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

constexpr std::string_view read_only = "allow r";
constexpr std::string_view default_namespace = "radosload";
constexpr std::string_view client_prefix = "client.";

constexpr std::array<Rights, 10> rights_table = {{
    {.features = "run, pinning, replicas, cleanup",
     .what = "a load on one pool, and removing what it wrote",
     .user = "load",
     .mon = read_only,
     .mgr = read_only,
     .osd = "allow rw pool=POOL namespace=NAMESPACE",
     .note = "Without the right on the mgr, fill and PGs of the OSDs are unknown, and 'run --osd' "
             "and 'replicas' are refused.",
     .use = "radosload --pool POOL --pattern randrw4k"},
    {.features = "probe",
     .what = "probing the OSDs of one pool",
     .user = "probe",
     .mon = read_only,
     .mgr = read_only,
     .osd = "allow rw pool=POOL namespace=NAMESPACE",
     .note = "The mgr is asked which OSD leads which PG; without the right on it, nothing can be "
             "probed.",
     .use = "radosload probe --pool POOL"},
    {.features = "images",
     .what = "a load on RBD images of one pool",
     .user = "images",
     .mon = "profile rbd",
     .mgr = read_only,
     .osd = "profile rbd pool=POOL",
     .note = "With --data-pool, the osd caps also need ', profile rbd pool=DATA_POOL'.",
     .use = "radosload --pool POOL --create 10G --pattern randrw4k"},
    {.features = "files",
     .what = "a load on the files of a file system (CephFS)",
     .user = "files",
     .mon = "allow r fsname=FILESYSTEM",
     .mgr = read_only,
     .mds = "allow rw fsname=FILESYSTEM path=/radosload",
     .osd = "allow rw tag cephfs data=FILESYSTEM",
     .note = "An administrator makes the directory /radosload before. With --pool the mds caps "
             "need 'rwp' instead of 'rw'.",
     .use = "radosload --fs FILESYSTEM --pattern fs-create"},
    {.features = "status, osds, time-backfill",
     .what = "looking at a cluster, without a load",
     .user = "reader",
     .mon = read_only,
     .mgr = read_only,
     .osd = "",
     .note = "Without the right on the mgr, fill, PGs and space are missing.",
     .use = "radosload status"},
    {.features = "watch, counters",
     .what = "counters of OSDs: 'radosload watch', and the observer of a run",
     .user = "watcher",
     .mon = read_only,
     .mgr = read_only,
     .osd = "allow *",
     .note = "These rights could destroy every pool: Ceph has none that only read counters. Keep "
             "the keyring safe. In a run this user is the observer (--observer-id), which never "
             "does I/O.",
     .use = "radosload watch"},
    {.features = "scratch",
     .what = "making, measuring and removing scratch pools",
     .user = "scratch",
     .mon = "allow r, allow service osd rw",
     .mgr = read_only,
     .osd = "allow rw tag radosload scratch=*",
     .note = "The right on the mons could change and remove every pool.",
     .use = "radosload scratch list"},
    {.features = "time-scrub",
     .what = "ordering scrubs, and timing them",
     .user = "scrubber",
     .mon = read_only,
     .mgr = "allow rw",
     .osd = "",
     .note = "With mgr 'allow r' the mgr refuses to order a scrub.",
     .use = "radosload time scrub --osd LIST"},
    {.features = "time-peering, cleanup-flags",
     .what = "timing the restart of an OSD, and removing the flag that this sets",
     .user = "restarter",
     .mon = "allow r, allow service osd rw, allow service config-key rw",
     .mgr = read_only,
     .osd = "",
     .note = "The right on the mons could change and remove every pool.",
     .use = "radosload cleanup --flags"},
    {.features = "time-compact, time-bench",
     .what = "timing a compaction and the benchmark of an OSD",
     .user = "timer",
     .mon = read_only,
     .mgr = read_only,
     .osd = "allow *",
     .note = "These rights could destroy every pool. Keep the keyring safe.",
     .use = "radosload time compact --osd LIST"},
}};

bool is_plain_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-' ||
         letter == '.';
}

// Quoted where the grammar of Ceph's caps needs it.
std::string cap_value(const std::string& name) {
  return std::all_of(name.begin(), name.end(), is_plain_letter) ? name
                                                                : fmt::format("\"{}\"", name);
}

void put(std::string& caps, std::string_view place, const std::string& value) {
  const std::size_t at = caps.find(place);
  if (at != std::string::npos) caps.replace(at, place.size(), value);
}

std::string filled_caps(std::string_view table, const RightsFor& whom) {
  std::string caps(table);
  // The last place first, so that no name is taken for a place.
  put(caps, "NAMESPACE",
      whom.nspace.empty() ? std::string(default_namespace) : cap_value(whom.nspace));
  if (!whom.pool.empty()) put(caps, "POOL", cap_value(whom.pool));
  if (!whom.fs.empty()) put(caps, "FILESYSTEM", cap_value(whom.fs));
  return caps;
}

Status check_name(std::string_view option, const std::string& name) {
  const bool fits = std::all_of(name.begin(), name.end(), [](char letter) {
    return static_cast<unsigned char>(letter) >= 0x20U && letter != '\'' && letter != '"';
  });
  if (fits) return {};
  return fail({.attempt = fmt::format("use {} {}", option, printable(name)),
               .reason = "the name has a quotation mark or a control character",
               .hint = "write the caps of this user by hand ('man ceph-authtool')",
               .exit = Exit::usage});
}

}  // namespace

std::vector<std::string_view> Rights::names() const {
  std::vector<std::string_view> all;
  constexpr std::string_view separator = ", ";
  for (std::string_view rest = features; !rest.empty();) {
    const std::size_t end = rest.find(separator);
    all.push_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + separator.size());
  }
  return all;
}

std::span<const Rights> all_rights() {
  return rights_table;
}

Result<const Rights*> rights_for(std::string_view feature) {
  std::vector<std::string_view> known;
  for (const Rights& rights : rights_table) {
    for (const std::string_view name : rights.names()) {
      if (name == feature) return &rights;
      known.push_back(name);
    }
  }
  const std::string near = did_you_mean(feature, known);
  return fail({.attempt = "print the rights for",
               .subject = printable(feature),
               .reason = "there is no such feature",
               .hint = (near.empty() ? "" : near + " ") + "'radosload auth' lists the features",
               .exit = Exit::usage});
}

Status check_names(const RightsFor& whom) {
  if (!std::all_of(whom.user.begin(), whom.user.end(), is_plain_letter)) {
    return fail({.attempt = "use --id " + printable(whom.user),
                 .reason = "a user's name has letters, digits, '_', '-' and '.' only",
                 .hint = "write for example --id load",
                 .exit = Exit::usage});
  }
  RADOSLOAD_TRY(check_name("--pool", whom.pool));
  RADOSLOAD_TRY(check_name("--fs", whom.fs));
  return check_name("--namespace", whom.nspace);
}

std::string user_name(const Rights& rights, const RightsFor& whom) {
  const std::string name = whom.user.empty() ? std::string(rights.user) : whom.user;
  return name.starts_with(client_prefix) ? name : std::string(client_prefix) + name;
}

Caps caps_of(const Rights& rights, const RightsFor& whom) {
  const auto filled = [&whom](std::string_view caps) { return filled_caps(caps, whom); };
  return {.mon = filled(rights.mon),
          .mgr = filled(rights.mgr),
          .mds = filled(rights.mds),
          .osd = filled(rights.osd)};
}

std::string caps_text(const Rights& rights, const RightsFor& whom) {
  const Caps caps = caps_of(rights, whom);
  std::string text = fmt::format("mon '{}' mgr '{}'", caps.mon, caps.mgr);
  if (!caps.mds.empty()) text += fmt::format(" mds '{}'", caps.mds);
  if (!caps.osd.empty()) text += fmt::format(" osd '{}'", caps.osd);
  return text;
}

std::string grant_command(const Rights& rights, const RightsFor& whom) {
  return fmt::format("ceph auth get-or-create {} {}", user_name(rights, whom),
                     caps_text(rights, whom));
}

std::string rights_hint(std::string_view feature) {
  return fmt::format("'radosload auth {}' prints the rights it needs", feature);
}

std::string silence_hint(std::string_view feature) {
  return fmt::format(
      "check with 'radosload status' that all PGs of the pool are active and it is not full; if it "
      "is well, this user may have no osd caps, and OSDs of newer releases do not answer such a "
      "key: {}",
      rights_hint(feature));
}

}  // namespace radosload::observe
