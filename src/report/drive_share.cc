#include "report/drive_share.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "plan/options.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::PoolFacts;
using record::RunRecord;

namespace {

constexpr Bytes stripe_unit = kib(4);  // osd_pool_erasure_code_stripe_unit of every release so far

DriveCost replicated_cost(OpKind kind, std::uint32_t size) {
  if (kind == OpKind::read) {
    return {.reads = 1, .bytes_read = 1, .why = "each read is served by one drive"};
  }
  return {.writes = static_cast<double>(size),
          .bytes_written = static_cast<double>(size),
          .why = size == 1 ? "each write is kept once"
                           : fmt::format("each write is kept {} times", size)};
}

// All data chunks of a stripe at once: nothing has to be read to compute the parity.
DriveCost stripe_cost(OpKind kind, double k, double m) {
  if (kind == OpKind::read) {
    return {.reads = k,
            .bytes_read = 1,
            .why = fmt::format("each read of whole stripes takes a chunk from {:.0f} drives", k)};
  }
  return {.writes = k + m,
          .bytes_written = (k + m) / k,
          .why = fmt::format("each write of whole stripes puts a chunk on {:.0f} + {:.0f} drives",
                             k, m)};
}

// Ceph may read and write the whole stripe: that is k reads, or k reads and k+m writes.
DriveCost part_of_stripe_cost(OpKind kind, double k, double m) {
  if (kind == OpKind::read) {
    return {.reads = 1,
            .bytes_read = 1,
            .at_least = true,
            .why = fmt::format("each read of a part of a stripe takes at least 1 chunk, at most "
                               "{:.0f}",
                               k)};
  }
  return {.reads = 1 + m,
          .writes = 1 + m,
          .bytes_read = 1 + m,
          .bytes_written = 1 + m,
          .at_least = true,
          .why = fmt::format("each write of a part of a stripe reads and writes at least its chunk "
                             "and the {:.0f} of parity",
                             m)};
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Runs with the same name are of one drive: the device, the label drive=NAME, or the one OSD that
// was pinned. Any other run is of a drive of its own.
std::string name_of_drive(const RunRecord& run) {
  const RunPlan& plan = run.header.plan;
  const plan::Option* const option = plan::find_option("drive");
  const auto path = option != nullptr ? option->get(plan) : std::nullopt;
  if (path && !path->empty()) return run.header.environment.client.host + ":" + *path;
  const auto label = plan.labels.find("drive");
  if (label != plan.labels.end()) return label->second;
  return is_number(plan.pins.osds) ? "osd." + plan.pins.osds : run.header.run_id;
}

bool is_data(OpKind kind) {
  return kind == OpKind::read || kind == OpKind::write;
}

std::vector<record::Cell> data_cells(const RunRecord& run) {
  std::vector<record::Cell> cells;
  for (const record::Cell& cell : run.kinds) {
    if (is_data(cell.kind) && cell.finished.ops > 0) cells.push_back(cell);
  }
  return cells;
}

// The mean of the runs of one drive with one kind.
struct OneDrive {
  double iops = 0;
  double mib_per_s = 0;
  std::size_t runs = 0;
};

class Drives {
 public:
  void add(const RunRecord& run, std::vector<std::string>& warnings) {
    const auto cells = data_cells(run);
    const auto left_out = [&](const std::string& why) {
      warnings.push_back(fmt::format("{} is left out: {}", run.header.run_id, why));
    };
    if (run.grade.value == record::GradeValue::void_run) return left_out("it is void");
    if (cells.empty()) return left_out("it has neither reads nor writes");
    if (cells.size() > 1) {
      return left_out("it has reads and writes at once, and a drive's sum needs a run of each");
    }
    const record::Cell& cell = cells.front();
    const std::string name = name_of_drive(run);
    OneDrive& drive = m_kinds[cell.kind][name];
    drive.iops += record::iops(run, cell);
    drive.mib_per_s += record::mib_per_s(run, cell);
    ++drive.runs;
    m_names.insert(name);
  }

  std::size_t count() const { return m_names.size(); }

  // Of `equal` drives if that is given, by the mean of those that have a run.
  std::vector<DriveSum> sums(std::size_t equal) const {
    std::vector<DriveSum> all;
    for (const auto& [kind, drives] : m_kinds) {
      DriveSum sum{.kind = kind, .drives = drives.size()};
      for (const auto& [name, drive] : drives) {
        sum.iops += drive.iops / static_cast<double>(drive.runs);
        sum.mib_per_s += drive.mib_per_s / static_cast<double>(drive.runs);
      }
      const double factor =
          equal == 0 ? 1 : static_cast<double>(equal) / static_cast<double>(drives.size());
      sum.iops *= factor;
      sum.mib_per_s *= factor;
      all.push_back(sum);
    }
    return all;
  }

 private:
  std::map<OpKind, std::map<std::string, OneDrive>> m_kinds;
  std::set<std::string> m_names;
};

const DriveSum* sum_of(const std::vector<DriveSum>& sums, OpKind kind) {
  const auto found =
      std::find_if(sums.begin(), sums.end(), [kind](const auto& one) { return one.kind == kind; });
  return found == sums.end() ? nullptr : &*found;
}

// Both by IOPS, or both by MiB/s.
struct Rates {
  double reads = 0;
  double writes = 0;
};

// How many of these operations the drives can do if they do nothing else. Nothing when a rate that
// it needs is not known. Each drive does one thing at a time, so the times of reads and of writes
// add up.
std::optional<double> attainable(double reads, double writes, const Rates& rates) {
  double time = 0;
  if (reads > 0) {
    if (rates.reads <= 0) return std::nullopt;
    time += reads / rates.reads;
  }
  if (writes > 0) {
    if (rates.writes <= 0) return std::nullopt;
    time += writes / rates.writes;
  }
  return time > 0 ? std::optional(1 / time) : std::nullopt;
}

DriveShareRow row_of(OpKind kind, std::string unit, double pool, const DriveCost& cost,
                     const std::optional<double>& drives, const std::optional<double>& most) {
  return {.kind = kind,
          .unit = std::move(unit),
          .pool = pool,
          .drives = drives,
          .attainable = most,
          .share = most ? std::optional(pool / *most) : std::nullopt,
          .cost = cost,
          .at_least = cost.at_least};
}

void add_rows(const RunRecord& run, const record::Cell& cell, const DriveCost& cost,
              bool iops_comparable, DriveShare& into) {
  const DriveSum* const read = sum_of(into.sums, OpKind::read);
  const DriveSum* const write = sum_of(into.sums, OpKind::write);
  const DriveSum* const own = cell.kind == OpKind::read ? read : write;
  const auto drives = [own](double DriveSum::*rate) {
    return own != nullptr ? std::optional(own->*rate) : std::nullopt;
  };
  const auto rates = [&](double DriveSum::*rate) {
    return Rates{.reads = read != nullptr ? read->*rate : 0,
                 .writes = write != nullptr ? write->*rate : 0};
  };
  if (iops_comparable) {
    into.rows.push_back(row_of(cell.kind, "IOPS", record::iops(run, cell), cost,
                               drives(&DriveSum::iops),
                               attainable(cost.reads, cost.writes, rates(&DriveSum::iops))));
  }
  into.rows.push_back(
      row_of(cell.kind, "MiB/s", record::mib_per_s(run, cell), cost, drives(&DriveSum::mib_per_s),
             attainable(cost.bytes_read, cost.bytes_written, rates(&DriveSum::mib_per_s))));
}

std::optional<double> together(const std::vector<DriveShareRow>& rows, std::string_view unit) {
  double sum = 0;
  std::size_t count = 0;
  for (const DriveShareRow& row : rows) {
    if (row.unit != unit) continue;
    if (!row.share) return std::nullopt;
    sum += *row.share;
    ++count;
  }
  return count > 1 ? std::optional(sum) : std::nullopt;
}

// The pool that holds the data.
const PoolFacts* pool_of(const RunRecord& run) {
  const record::Environment& place = run.header.environment;
  if (place.data_pool) return &*place.data_pool;
  return place.pool ? &*place.pool : nullptr;
}

// Whether operations of drives are of the size that this pool sends them.
bool sizes_fit(const RunRecord& pool, const std::vector<RunRecord>& drives) {
  const Bytes size = pool.header.plan.pattern.block_size;
  const PoolFacts* const facts = pool_of(pool);
  const std::uint64_t chunk =
      facts != nullptr && facts->erasure && facts->k > 0 ? size.count / facts->k : size.count;
  return std::all_of(drives.begin(), drives.end(), [&](const RunRecord& drive) {
    const std::uint64_t own = drive.header.plan.pattern.block_size.count;
    return own == size.count || own == chunk;
  });
}

void warn_of_counts(const Drives& drives, std::size_t equal, DriveShare& into) {
  if (equal > 0) {
    into.scaled = equal;
  } else if (into.osds > drives.count()) {
    into.warnings.push_back(fmt::format(
        "{} of {} OSDs have a run of their drive, so the sum is too small and the share "
        "too large; if all drives are equal, add --drives {}",
        drives.count(), into.osds, into.osds));
  }
  for (const DriveSum& sum : into.sums) {
    if (sum.drives == drives.count()) continue;
    into.warnings.push_back(fmt::format("{} of {} drives have a run of {}s alone", sum.drives,
                                        drives.count(), op_kind_name(sum.kind)));
  }
}

void warn_of_patterns(const RunRecord& pool, const std::vector<RunRecord>& drives,
                      bool iops_comparable, DriveShare& into) {
  if (!iops_comparable) {
    into.warnings.emplace_back(
        "the operations of the drives' runs have another size than those of the pool, so only "
        "MiB/s "
        "are compared; measure the drives with the same --bs");
  }
  const bool access = std::any_of(drives.begin(), drives.end(), [&](const RunRecord& drive) {
    return drive.header.plan.pattern.access != pool.header.plan.pattern.access;
  });
  if (access) {
    into.warnings.emplace_back(
        "random and sequential operations are compared, which is right only for drives that do "
        "both at the same rate");
  }
}

void warn_of_shares(DriveShare& into) {
  for (const DriveShareRow& row : into.rows) {
    const bool above = row.share && *row.share > 1;
    if (above) {
      into.warnings.push_back(fmt::format(
          "{} {}: the pool delivers more than its drives; its figures are of the OSDs' memory, or "
          "the drives' runs of fewer drives or a smaller depth",
          op_kind_name(row.kind), row.unit));
    }
    if (!row.share) {
      into.warnings.push_back(fmt::format(
          "{} {}: no share, because no drive has a run of {}", op_kind_name(row.kind), row.unit,
          row.drives ? "reads alone, which such a write needs too"
                     : fmt::format("{}s alone", op_kind_name(row.kind))));
    }
  }
}

}  // namespace

DriveCost cost_on_drives(OpKind kind, const PoolFacts* pool, const Pattern& pattern) {
  if (pool == nullptr) return replicated_cost(kind, 1);
  if (!pool->erasure || pool->k == 0) return replicated_cost(kind, std::max(1U, pool->size));
  const std::uint64_t stripe = stripe_unit.count * pool->k;
  const bool whole = pattern.block_size.count % stripe == 0;
  const auto k = static_cast<double>(pool->k);
  const auto m = static_cast<double>(pool->m);
  return whole ? stripe_cost(kind, k, m) : part_of_stripe_cost(kind, k, m);
}

Result<DriveShare> share_of_drives(const RunRecord& pool, const std::vector<RunRecord>& drives,
                                   std::size_t equal) {
  const auto refuse = [](std::string reason, std::string hint) {
    return fail({.attempt = "compare the pool with its drives",
                 .reason = std::move(reason),
                 .hint = std::move(hint),
                 .exit = Exit::usage});
  };
  const auto cells = data_cells(pool);
  if (cells.empty()) {
    return refuse(pool.header.run_id + " has neither reads nor writes",
                  "give a run of a pool with a pattern of reads or writes");
  }
  DriveShare share{.run_id = pool.header.run_id, .osds = pool.header.environment.osds.size()};
  Drives known;
  for (const RunRecord& run : drives) known.add(run, share.warnings);
  if (known.count() == 0) {
    return refuse("no run is of a drive with reads alone or writes alone",
                  "measure each drive with randread4k and with randwrite4k");
  }
  if (equal > 0 && equal < known.count()) {
    return refuse(
        fmt::format("--drives {} is less than the {} drives that have a run", equal, known.count()),
        "give the number of all drives of the pool");
  }
  share.drives = known.count();
  share.sums = known.sums(equal);
  const bool iops_comparable = sizes_fit(pool, drives);
  for (const record::Cell& cell : cells) {
    const auto cost = cost_on_drives(cell.kind, pool_of(pool), pool.header.plan.pattern);
    add_rows(pool, cell, cost, iops_comparable, share);
  }
  share.together_iops = together(share.rows, "IOPS");
  share.together_mib = together(share.rows, "MiB/s");
  warn_of_counts(known, equal, share);
  warn_of_patterns(pool, drives, iops_comparable, share);
  warn_of_shares(share);
  return share;
}

}  // namespace radosload::report
