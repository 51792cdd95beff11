#include "report/counters_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "report/time_parts.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::OsdWindow;
using record::RunRecord;

namespace {

constexpr double counter_kib = 1024;
constexpr double counter_mib = 1024 * 1024;

using Quantity = std::optional<double>;

// A column of figures about one OSD each.
struct Figure {
  std::string head;
  std::function<Quantity(const OsdWindow&)> of;
};

Quantity quotient_of(Quantity part, Quantity whole) {
  if (!part || !whole || *whole <= 0) return std::nullopt;
  return *part / *whole;
}

Quantity sum_of(Quantity one, Quantity other) {
  if (!one || !other) return std::nullopt;
  return *one + *other;
}

Quantity difference_of(Quantity whole, Quantity part) {
  if (!whole || !part) return std::nullopt;
  return std::max(0.0, *whole - *part);
}

Quantity scaled_by(Quantity value, double by) {
  if (!value) return std::nullopt;
  return *value * by;
}

Figure timed(std::string head, std::string name) {
  return {std::move(head),
          [name = std::move(name)](const OsdWindow& osd) { return mean_ns(osd, name); }};
}

// Values in units of their own: "1,234", "81.2", "0.812", "0".
std::string figure_text(double value) {
  constexpr TimeUnit plain{"", 1};
  return in_unit(value, plain);
}

// A row for each OSD. Columns without known values are left out; without columns the block is
// empty. `times`: the values are ns, shown in the one unit that the title names.
Sheet osd_block(const std::vector<OsdWindow>& windows, const std::string& title,
                const std::vector<Figure>& figures, bool times) {
  std::vector<Table::Column> columns = {{"OSD", Align::left}};
  std::vector<std::vector<std::string>> rows;
  std::vector<double> all;
  std::vector<const Figure*> known;
  for (const Figure& figure : figures) {
    bool any = false;
    for (const OsdWindow& window : windows) {
      const Quantity value = figure.of(window);
      any = any || value.has_value();
      if (value) all.push_back(*value);
    }
    if (!any) continue;
    known.push_back(&figure);
    columns.push_back({figure.head});
  }
  if (known.empty()) return {};
  const TimeUnit unit = unit_of(all);
  Table table(std::move(columns));
  for (const OsdWindow& window : windows) {
    std::vector<std::string> cells = {fmt::format("osd.{}", window.osd)};
    for (const Figure* const figure : known) {
      const Quantity value = figure->of(window);
      cells.push_back(!value ? "-" : times ? in_unit(*value, unit) : figure_text(*value));
    }
    table.add(std::move(cells));
  }
  return {{.title = times ? fmt::format("{} in {}", title, unit.name) : title,
           .table = std::move(table)}};
}

// ---- what an OSD did ----

Table work_table(const std::vector<OsdWindow>& windows, bool of_run) {
  std::vector<Table::Column> columns = {
      {"OSD", Align::left}, {"kind", Align::left}, {"seconds"}, {"operations"}, {"reads"},
      {"writes"},           {"as replica"}};
  if (of_run) columns.push_back({"this run"});
  Table table(std::move(columns));
  for (const OsdWindow& window : windows) {
    std::vector<std::string> cells = {
        fmt::format("osd.{}", window.osd), window.kind.empty() ? "?" : window.kind,
        window.to > window.from ? fmt::format("{:.1f}", seconds(window.to - window.from)) : "-"};
    for (const char* const name : {"op", "op_r", "op_w", "subop_w"}) {
      const auto found = window.growth.counts.find(name);
      cells.push_back(found == window.growth.counts.end() ? "-" : grouped(found->second));
    }
    if (of_run) cells.push_back(share_of_ops_text(record::share_ours(window)));
    table.add(std::move(cells));
  }
  return table;
}

std::string head_text(const std::vector<OsdWindow>& windows, bool of_run) {
  if (!of_run) return "What the OSDs counted";
  Time from = Time::max();
  Time to{0};
  for (const OsdWindow& window : windows) {
    if (window.to <= window.from) continue;
    from = std::min(from, window.from);
    to = std::max(to, window.to);
  }
  if (to == Time(0)) return "What the OSDs counted";
  return fmt::format("What the OSDs counted, from {:.1f} to {:.1f} s of the measured phase",
                     seconds(from), seconds(to));
}

// ---- the times and sizes ----

Sheet operation_times(const std::vector<OsdWindow>& windows, const RunRecord* run) {
  // Operations that this OSD served as primary, of all kinds.
  const auto clients =
      run == nullptr ? std::map<std::int32_t, ClientMeans>() : client_means(*run, windows);
  const auto client_mean = [&clients](const OsdWindow& window) {
    const auto found = clients.find(window.osd);
    return found == clients.end() || found->second.ops == 0 ? Quantity()
                                                            : Quantity(found->second.service);
  };
  return osd_block(windows, "Operations, means",
                   {{"client", client_mean},
                    timed("OSD op", "op_latency"),
                    {"queue",
                     [](const OsdWindow& osd) {
                       return difference_of(mean_ns(osd, "op_latency"), mean_ns(osd, "op_process"));
                     }},
                    timed("execute", "op_prepare"),
                    {"commit wait",
                     [](const OsdWindow& osd) {
                       return difference_of(mean_ns(osd, "op_w_process"),
                                            mean_ns(osd, "op_w_prepare"));
                     }},
                    timed("own commit", "txc_commit"),
                    timed("as replica", "subop_w_latency")},
                   true);
}

Sheet store_times(const std::vector<OsdWindow>& windows) {
  return osd_block(windows, "BlueStore, means",
                   {timed("data write", "state_aio_wait"), timed("kv queue", "state_kv_queued"),
                    timed("kv flush", "kv_flush"), timed("kv commit", "kv_commit"),
                    timed("device read", "read_device")},
                   true);
}

// The upper limits of the buckets, because an OSD's histogram has no finer resolution.
Sheet latency_block(const std::vector<OsdWindow>& windows) {
  const auto limit = [](std::string name, record::Quantile quantile) {
    return [name = std::move(name), quantile](const OsdWindow& osd) -> Quantity {
      const auto found = osd.growth.latencies.find(name);
      if (found == osd.growth.latencies.end()) return std::nullopt;
      constexpr double ns_in_us = 1000;
      const auto us = record::limit_us(found->second, quantile);
      return us ? Quantity(*us * ns_in_us) : std::nullopt;
    };
  };
  return osd_block(windows, "Latencies in the OSD, upper limits (at most twice the true value)",
                   {{"read p50", limit("read", record::p50)},
                    {"read p99", limit("read", record::p99)},
                    {"write p50", limit("write", record::p50)},
                    {"write p99", limit("write", record::p99)}},
                   true);
}

Sheet share_block(const std::vector<OsdWindow>& windows) {
  constexpr double percent = 100;
  const auto share = [](std::string part, std::string rest) {
    return [part = std::move(part), rest = std::move(rest)](const OsdWindow& osd) {
      const Quantity of = count_of(osd, part);
      return scaled_by(quotient_of(of, sum_of(of, count_of(osd, rest))), percent);
    };
  };
  return osd_block(windows, "Shares in %",
                   {{"onode misses", share("onode_misses", "onode_hits")},
                    {"read from OSD memory", share("buffer_hit_bytes", "buffer_miss_bytes")},
                    {"deferred writes",
                     [percent](const OsdWindow& osd) {
                       const Quantity all =
                           sum_of(count_of(osd, "write_big"), count_of(osd, "write_small"));
                       const Quantity part = quotient_of(count_of(osd, "deferred"), all);
                       return part ? Quantity(std::min(percent, percent * *part)) : part;
                     }}},
                   false);
}

// Without a separate DB device, BlueFS calls the main device "db", so data cannot spill over.
bool has_db(const OsdWindow& window) {
  return window.kind.starts_with("db");
}

Sheet size_block(const std::vector<OsdWindow>& windows) {
  const auto mib = [](std::string name) {
    return [name = std::move(name)](const OsdWindow& osd) {
      return scaled_by(count_of(osd, name), 1 / counter_mib);
    };
  };
  return osd_block(
      windows, "Written by RocksDB, in MiB",
      {{"to WAL", mib("wal_bytes")},
       {"to SST", mib("sst_bytes")},
       {"to slow device",
        [mib](const OsdWindow& osd) { return has_db(osd) ? mib("slow_bytes")(osd) : Quantity(); }},
       {"spilled over",
        [](const OsdWindow& osd) {
          return has_db(osd) ? scaled_by(level_of(osd, "slow_used_bytes"), 1 / counter_mib)
                             : Quantity();
        }}},
      false);
}

// Compactions that were ordered, of all of RocksDB or a part; running and queued ones count too.
Quantity compactions(const OsdWindow& window) {
  Quantity all;
  const auto add = [&all](Quantity more) {
    if (more) all = all.value_or(0) + *more;
  };
  add(count_of(window, "compact"));
  add(count_of(window, "compact_range"));
  add(level_of(window, "compact_running"));
  return all;
}

// An OSD commits the writes that it leads and, as a replica, those of other OSDs.
Quantity applied_writes(const OsdWindow& window) {
  return sum_of(sum_of(count_of(window, "op_w"), count_of(window, "op_rw")),
                count_of(window, "subop_w"));
}

Quantity osd_flushes(const OsdWindow& window) {
  const auto found = window.growth.times.find("kv_commit");
  if (found == window.growth.times.end()) return std::nullopt;
  return static_cast<double>(found->second.count);
}

Sheet effort_block(const std::vector<OsdWindow>& windows) {
  return osd_block(
      windows, "For each write that an OSD applied, and compactions",
      {{"flushes per write",
        [](const OsdWindow& osd) { return quotient_of(osd_flushes(osd), applied_writes(osd)); }},
       {"WAL KiB per write",
        [](const OsdWindow& osd) {
          return scaled_by(quotient_of(count_of(osd, "wal_bytes"), applied_writes(osd)),
                           1 / counter_kib);
        }},
       {"compactions ordered", compactions}},
      false);
}

// ---- sentences ----

// The sum over all OSDs, so that the work of the replicas counts as part of the client's write.
std::string per_client_write(const std::vector<OsdWindow>& windows) {
  double writes = 0;
  double flushed = 0;
  double wal = 0;
  std::size_t osds = 0;
  bool counts_disk = false;  // an OSD without a drive (memstore) has no such counters
  for (const OsdWindow& window : windows) {
    if (!window.missing.empty()) continue;
    ++osds;
    writes += count_of(window, "op_w").value_or(0) + count_of(window, "op_rw").value_or(0);
    const auto flushes = osd_flushes(window);
    const auto wal_bytes = count_of(window, "wal_bytes");
    counts_disk = counts_disk || flushes || wal_bytes;
    flushed += flushes.value_or(0);
    wal += wal_bytes.value_or(0);
  }
  if (writes == 0 || !counts_disk) return {};
  return fmt::format("{} flushes and {} KiB of WAL for each client write, on {}",
                     figure_text(flushed / writes), figure_text(wal / writes / counter_kib),
                     counted(osds, "OSD"));
}

// Without rights all OSDs give the same error, so only a few are listed.
Sheet uncounted(const std::vector<OsdWindow>& windows) {
  constexpr std::size_t most = 4;
  std::size_t missing = 0;
  Sheet sheet;
  for (const OsdWindow& window : windows) {
    if (window.missing.empty() || ++missing > most) continue;
    const std::string name = fmt::format("osd.{} ", window.osd);
    sheet.push_back({.title = "missing",
                     .text = window.missing.starts_with(name)
                                 ? window.missing
                                 : fmt::format("osd.{}: {}", window.osd, window.missing)});
  }
  if (missing > most) {
    sheet.push_back({.title = "missing", .text = counted(missing, "OSD") + " in all"});
  }
  return sheet;
}

// An empty line separates each table but the first from what is above it.
std::string part_text(const SheetPart& part, bool first) {
  constexpr std::size_t width = 80;
  constexpr std::size_t label_width = 10;
  if (part.table) {
    return fmt::format("{}  {}:\n{}", first ? "" : "\n", part.title, part.table->text(indent));
  }
  if (part.text.empty()) return fmt::format("  {}:\n", part.title);
  return paragraph(part.title, part.text, indent, label_width, width);
}

}  // namespace

Sheet counters_sheet(const std::vector<OsdWindow>& windows, const RunRecord* run) {
  if (windows.empty()) return {};
  std::vector<OsdWindow> known;
  std::copy_if(windows.begin(), windows.end(), std::back_inserter(known),
               [](const OsdWindow& window) { return window.missing.empty(); });
  Sheet sheet;
  const auto add = [&sheet](Sheet more) {
    std::move(more.begin(), more.end(), std::back_inserter(sheet));
  };
  if (known.empty()) {
    sheet.push_back({.title = "No counters of the OSDs"});
    add(uncounted(windows));
    return sheet;
  }
  const bool of_run = run != nullptr;
  sheet.push_back({.title = head_text(known, of_run), .table = work_table(known, of_run)});
  add(operation_times(known, run));
  for (const auto block : {latency_block, store_times, share_block, size_block, effort_block}) {
    add(block(known));
  }
  const std::string per_write = per_client_write(known);
  if (!per_write.empty()) sheet.push_back({.title = "per write", .text = per_write});
  if (of_run) add(time_parts_sheet(known, *run));
  add(uncounted(windows));
  return sheet;
}

std::string counters_text(const std::vector<OsdWindow>& windows, const RunRecord* run) {
  std::string text;
  for (const SheetPart& part : counters_sheet(windows, run)) {
    text += part_text(part, text.empty());
  }
  return text;
}

}  // namespace radosload::report
