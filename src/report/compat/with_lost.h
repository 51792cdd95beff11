// Latencies for programs that have no lost operations: each counts with the time that it had
// waited, at which a cancelled operation ended. Its answer would have taken at least that.
#pragma once

#include "record/cell.h"

namespace radosload::report {

inline record::Histogram with_lost(record::Histogram answered, const record::Histogram& lost) {
  answered.merge(lost);
  return answered;
}
inline record::Histogram service_with_lost(const record::Cell& cell) {
  return with_lost(cell.latency.service(), cell.lost.service);
}
inline record::Histogram response_with_lost(const record::Cell& cell) {
  return with_lost(cell.latency.response(), cell.lost.response);
}

}  // namespace radosload::report
