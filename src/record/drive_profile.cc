#include "record/drive_profile.h"

#include <algorithm>

#include "record/ranks.h"

namespace radosload::record {

namespace {

constexpr double ns_per_us = 1e3;

class Steps {
 public:
  explicit Steps(const Series& series) : m_series(series) {}

  std::optional<double> iops(std::string_view test) const {
    const RunRecord* const record = done(test);
    if (record == nullptr) return std::nullopt;
    return record::iops(*record, total_of(record->kinds));
  }
  std::optional<double> mib_per_s(std::string_view test) const {
    const RunRecord* const record = done(test);
    if (record == nullptr) return std::nullopt;
    return record::mib_per_s(*record, total_of(record->kinds));
  }
  std::optional<double> mean_us(std::string_view test) const {
    const RunRecord* const record = done(test);
    if (record == nullptr) return std::nullopt;
    const Cell total = total_of(record->kinds);
    if (total.ops() == 0) return std::nullopt;
    return total.latency.response().mean() / ns_per_us;
  }
  // Of one kind of operation. Nothing while it is among lost ones, or unknown.
  std::optional<double> p99_us(std::string_view test, OpKind kind) const {
    const RunRecord* const record = done(test);
    if (record == nullptr) return std::nullopt;
    for (const Cell& cell : record->kinds) {
      if (cell.kind != kind) continue;
      if (const auto ns = response_ranks(cell).percentile(p99).exact()) {
        return static_cast<double>(*ns) / ns_per_us;
      }
    }
    return std::nullopt;
  }

 private:
  const RunRecord* done(std::string_view test) const {
    for (const SeriesStep& step : m_series.steps) {
      if (step.state == StepState::done && step.setting("test") == test) return &*step.record;
    }
    return nullptr;
  }

  const Series& m_series;
};

WalWorth worth_of(const std::optional<double>& durable_us) {
  if (!durable_us) return WalWorth::unknown;
  if (*durable_us <= good_wal_us) return WalWorth::good;
  return *durable_us <= usable_wal_us ? WalWorth::usable : WalWorth::poor;
}

// mclock divides one capacity between reads and writes. With more than the drive has, nothing would
// ever be held back, so the lower figure is the safe one.
std::optional<double> lower(const std::optional<double>& one, const std::optional<double>& other) {
  if (!one || !other) return std::nullopt;
  return std::min(*one, *other);
}

std::vector<std::string> mclock_options(const Series& series) {
  const std::string rotating = "osd_mclock_max_capacity_iops_hdd";
  const std::string solid = "osd_mclock_max_capacity_iops_ssd";
  for (const SeriesStep& step : series.steps) {
    if (!step.record || !step.record->header.environment.drive) continue;
    const std::string& medium = step.record->header.environment.drive->medium;
    if (!medium.empty()) return {medium == "rotating" ? rotating : solid};
  }
  return {rotating, solid};
}

}  // namespace

DriveProfile drive_profile_of(const Series& series) {
  const Steps steps(series);
  DriveProfile profile;
  profile.write_mib_per_s = steps.mib_per_s("write in order");
  profile.read_mib_per_s = steps.mib_per_s("read in order");
  profile.read_us = steps.mean_us("read alone");
  profile.read_iops = steps.iops("read");
  profile.write_us = steps.mean_us("write alone");
  profile.write_iops = steps.iops("write");
  profile.mixed_read_p99_us = steps.p99_us("mixed", OpKind::read);
  profile.durable_us = steps.mean_us("durable alone");
  profile.durable_p99_us = steps.p99_us("durable alone", OpKind::write);
  profile.durable_iops = steps.iops("durable alone");
  profile.durable_iops_16 = steps.iops("durable by 16");
  profile.wal = worth_of(profile.durable_us);
  profile.mclock_iops = lower(profile.read_iops, profile.write_iops);
  profile.mclock_options = mclock_options(series);
  return profile;
}

std::string_view worth_name(WalWorth worth) {
  switch (worth) {
    case WalWorth::good:
      return "good";
    case WalWorth::usable:
      return "usable";
    case WalWorth::poor:
      return "poor";
    case WalWorth::unknown:
      break;
  }
  return "unknown";
}

}  // namespace radosload::record
