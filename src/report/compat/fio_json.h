// Prints a run in the format of fio's --output-format=json+, for scripts and plots that read it.
// The operations of each direction: fio_terms.h.
//
//   clat_ns  from submission to the answer: radosload's service time. The submission time is taken
//            before the submitting call, so clat includes what fio splits into slat and clat.
//   lat_ns   from when the operation was due: radosload's response time. fio counts from when the
//            operation was created, so in an open loop its lat includes the waiting time as well.
//            In a closed loop an operation is due when it is sent, so lat and clat are the same.
//   slat_ns  empty: only the mean waiting time is known: the mean of lat minus that of clat.
//
// Percentiles are nearest rank and always printed, as in fio, even for few operations. `bins` has
// the highest value of each of radosload's buckets, so the same percentiles follow from it.
// Operations longer than fio's last bin (17.1 s) are counted in that bin, because readers of bins
// stop there. Operations that failed count in total_err and nowhere else, those that were given up
// at the end in drop_ios, and short reads also in short_ios. `error` is the errno of the first
// failures; data that differs from what was written is EILSEQ, as with fio's verify. Unknown values
// are left out: context switches, page faults, disk_util.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

std::string fio_json(const record::RunRecord& record);

}  // namespace radosload::report
