// What other clients do on the OSDs of a run, by what the mgr counts of their pools: a steady load
// is a circumstance, one that begins, ends or changes within the run disturbs it. Pools of the run
// itself are left out: what is counted of the run arrives late, and would hide what other clients
// did. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "observe/disturbances.h"

namespace radosload::observe {

struct Work {
  double ops = 0;
  double bytes = 0;
};
// What each pool has served since it was made.
using PoolWork = std::map<std::int64_t, Work>;

inline constexpr const char* pool_work_command =
    R"({"prefix": "pg dump", "dumpcontents": ["pools"], "format": "json"})";
Result<PoolWork> parse_pool_work(const std::string& json);

class OtherLoad {
 public:
  explicit OtherLoad(const Measured& measured);

  // In the order of time.
  void add(PoolWork work, Time asked);
  // Whether the PGs of other pools matter, because clients use them.
  bool needs_places() const;
  // `pg dump pgs_brief`
  Status place(const std::string& pgs);

  // `own`: what the run did from `from` to `to`. `names`: of the pools.
  std::optional<Disturbance> judge(Time from, Time to, const Work& own,
                                   const std::map<std::int64_t, std::string>& names) const;

 private:
  struct Look {
    Time at{0};
    PoolWork work = {};
  };
  // Between two looks, on the OSDs of the run.
  struct Window {
    Time from{0};
    Time to{0};
    Work rate = {};  // per second
  };
  struct Change;
  struct Judged;
  static const std::array<Change, 2> changes;
  // Pools, other than the run's, that served something between the first look and the last.
  std::vector<std::int64_t> used() const;
  Window between(const Look& first, const Look& last) const;
  // All of at least this length.
  std::vector<Window> windows(Time first, Time length) const;

  std::string whose(const std::map<std::int64_t, std::string>& names) const;
  std::optional<Disturbance> uneven(const Change& change, const Judged& judged) const;
  std::optional<Disturbance> steady(const Look& first, const Judged& judged) const;

  std::set<std::int32_t> m_osds;
  std::set<std::int64_t> m_own;
  std::vector<Look> m_looks;
  std::map<std::int64_t, double> m_shares;  // of a pool's PGs: those on OSDs of the run
};

}  // namespace radosload::observe
