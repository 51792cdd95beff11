// A run as fio prints one with --output-format=json+, for the scripts and plots that read that.
// What stands under which direction: fio_terms.h.
//
//   clat_ns  from submission to the answer: our service time. We stamp before the call that
//            submits, so it holds what fio would part into slat and clat.
//   lat_ns   from when the operation was due: our response time. fio counts from where the
//   operation
//            came into being, so in an open loop its lat holds the waiting too. In a closed loop an
//            operation is due when it is sent, and the two are the same.
//   slat_ns  empty: how long operations waited is known as a mean only, that of lat less that of
//            clat.
//
// Percentiles are nearest rank, always printed as fio does, however few operations stand behind
// them. `bins` has for each of our buckets its highest value, so that the same percentiles come out
// of it; what took longer than fio's last bin reaches (17.1 s) counts there, since readers of bins
// end at it. Operations that failed count in total_err and nowhere else, those given up at the end
// in drop_ios, reads that came back short in short_ios too. `error` is the errno of the first
// failures; data that was not what had been written is EILSEQ, as with fio's verify. What we do not
// know is left out: context switches, page faults, disk_util.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

std::string fio_json(const record::RunRecord& record);

}  // namespace radosload::report
