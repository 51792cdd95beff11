// A run on a drive or a file: what it is about to do, found without changing anything, and the open
// file that it does it to. The counterpart of draft.h and prepared.h where there is no cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "base/descriptor.h"
#include "engine/engine.h"
#include "observe/drive.h"
#include "record/environment.h"

namespace radosload::prepare {

// A file that a step of a series has made and written whole, open for the steps after it.
struct FilledFile {
  std::string path;
  Bytes size;
  Bytes block;
  Bytes object_size;
  std::uint64_t stamp = 0;  // in its content
  base::Descriptor file;

  // Whether it is what the plan asks --create for.
  bool is_made_by(const RunPlan& plan) const {
    return path == plan.drive.path && size == plan.images.create;
  }
};

struct DriveDraft {
  RunPlan plan;  // as the drive has it
  observe::Drive drive;
  engine::EnginePlan load;  // without a payload
  bool makes_file = false;
  const FilledFile* filled = nullptr;  // taken instead of a new file; none: there is no such file
  std::string no_ring;                 // why the kernel gives no ring; empty: it does
  std::vector<std::string> notes;      // what a reader of the figures must know
  std::vector<std::string> taints;     // reasons to trust the figures less
  std::optional<Error> refusal;        // why the run will not start

  // Whether all that the run reads is written by it before the load.
  bool prefills() const {
    return filled == nullptr && load.layout.prefill != workload::Prefill::nothing;
  }
};

// Changes nothing. An Error means that there is nothing to show: no such drive, or one that cannot
// carry out the plan. A refusal to write stands in the draft instead. `filled`: by an earlier step,
// which the draft may point to.
Result<DriveDraft> inspect_drive(const RunPlan& plan, const FilledFile* filled = nullptr,
                                 const observe::SystemFolders& folders = {});

// Opens the drive of the draft for what the load does, and makes its file if it needs a new one.
Result<base::Descriptor> open_drive(DriveDraft& draft, const std::string& run_id);

// Of a run that fails before its load: takes the name of the file away that it has made, if any.
void remove_made_file(const DriveDraft& draft, int file);

// For later steps: the file that this run has made, or has from an earlier step, once it is
// written. Nothing if there is none, or no further descriptor.
std::optional<FilledFile> filled_file(const DriveDraft& draft, int file, std::uint64_t stamp);

record::DriveFacts drive_facts(const DriveDraft& draft);

// The plan cut to fit a drive of that size: without --size, all of it. Refuses what does not fit,
// and offsets and lengths that are not multiples of its block.
Result<RunPlan> fit_to_drive(const RunPlan& plan, const observe::Drive& drive);

}  // namespace radosload::prepare
