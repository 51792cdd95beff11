// The objects behind the files of a run. The inode number of a file names its objects, so a file
// has to be there before it is known which OSD serves it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"
#include "radosload/units.h"

#include "base/interrupts.h"
#include "cluster/file_tree.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"

namespace radosload::prepare {

struct FileObjects {
  std::vector<std::uint64_t> inodes;  // by the number of the file
  std::string nspace;                 // in the data pool
};

struct FileShape {
  std::uint64_t files = 0;
  std::uint64_t entries = 1;  // files in each directory
  Bytes size;                 // of each
};

// Makes the files, empty. Without inodes when the file system divides a file of that size into
// several objects: then only the first file has been made. `patience`: for an answer of the MDS.
Result<FileObjects> make_file_objects(const std::shared_ptr<cluster::FileTree>& own,
                                      const FileShape& shape, Time patience,
                                      base::Interrupts& interrupts);

// "10000000001.00000000"
ObjectNaming names_of_file_objects(const RunPlan& plan, const ClusterSession& session,
                                   const FileObjects& objects);

}  // namespace radosload::prepare
