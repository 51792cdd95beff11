// What it means for a run that its process did not run for some time, or had too little CPU: by how
// much of what its operations waited was that. Pure.
#pragma once

#include <vector>

#include "radosload/units.h"

#include "record/client_load.h"
#include "record/run_record.h"
#include "record/slow_op.h"
#include "watch/client_witness.h"

namespace radosload::run {

// What the operations of the measured phase waited.
struct Waiting {
  Time measured{0};
  double sum_s = 0;   // all of them
  double mean_s = 0;  // each
  bool open = false;  // they are due at given times
};
Waiting waiting_of(const record::RunRecord& record, Time measured, bool open);

// In a closed loop what is in flight waits for all of a pause, and nothing else is sent. In an
// open loop, what becomes due in the pause waits for the rest of it as well.
double share_in_pauses(const watch::ClientWitness::Seen& seen, const Waiting& waiting);

void add_witness(const watch::ClientWitness::Seen& seen, const Waiting& waiting,
                 record::ClientLoad& load);
// Operations that mostly waited here: no OSD is named for them.
void blame_pauses(const record::Pauses& pauses, std::vector<record::SlowOp>& slowest);
// What to add to the grade of the run.
std::vector<record::Grade> grades_of(const record::ClientLoad& load, const Waiting& waiting);

}  // namespace radosload::run
