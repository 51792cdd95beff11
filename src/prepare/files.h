// The files of a run on a file system (CephFS): whether it may be used, the directory that the run
// makes in it, and a mount for each client.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "cluster/mount.h"
#include "observe/file_systems.h"
#include "prepare/cluster_session.h"
#include "prepare/file_objects.h"
#include "prepare/object_naming.h"
#include "record/environment.h"
#include "target/file_target.h"
#include "workload/layout.h"

namespace radosload::prepare {

// The plan with the pool that will hold the data of its files: the one that it names, if that is of
// the file system, or the file system's first. Other plans stay as they are. Asks the cluster.
Result<RunPlan> with_data_pool(const RunPlan& plan);

class Files {
 public:
  // Refuses what a file system cannot hold, or one process cannot keep open. Changes nothing.
  static Result<Files> inspect(const RunPlan& plan, const ClusterSession& session,
                               const std::string& run_id, const workload::Layout& layout);
  // What a layout on files may rely on.
  static workload::PoolTraits traits() { return {.omap = false}; }

  // How many mounts such a run makes, one after the other: those of a cold read are made twice.
  static std::uint64_t most_clients(const RunPlan& plan) {
    return std::uint64_t{plan.clients} * (plan.pattern.reads_cold() ? 2 : 1);
  }

  // Makes the directory of the run and those in it, and mounts it for each client; of a run of
  // reads and writes the files as well. The session knows the clients from then on. The caller has
  // written the manifest before.
  Status make(const RunPlan& plan, ClusterSession& session, base::Interrupts& interrupts);
  // How many files make() makes.
  std::uint64_t to_make() const { return m_options.data ? m_options.files : 0; }
  // Whether the objects of its files are known.
  bool placed() const { return !m_objects.inodes.empty(); }

  std::unique_ptr<target::FileTarget> target();
  // Clients that have not seen the files, in place of those that made them.
  std::function<Status()> fresh_clients(const RunPlan& plan, const ClusterSession& session,
                                        target::FileTarget& target) const;

  // Of the objects of its files, once these are known. Else "d000000/f000000000042"; of a pattern
  // that lists, "d000000".
  ObjectNaming names(const RunPlan& plan, const ClusterSession& session) const;
  record::FileSystemFacts facts(const ClusterSession& session) const;
  // The ids of the clients.
  std::vector<std::uint64_t> instances() const;

 private:
  // `first`: the number of the first of them.
  Status make_directories(const RunPlan& plan, const ClusterSession& session);
  void tell_clients(ClusterSession& session) const;
  Result<target::FileTarget::Mounts> mount_clients(const RunPlan& plan,
                                                   const ClusterSession& session,
                                                   std::uint64_t first) const;

  std::string m_run;
  std::string m_system;
  target::FileTargetOptions m_options;
  std::uint64_t m_directories = 0;
  FileObjects m_objects;
  bool m_first_pool = true;  // the file system puts data there by itself
  target::FileTarget::Mounts m_mounts;
  std::vector<std::uint64_t> m_instances;
  std::map<std::string, std::string> m_settings;
};

}  // namespace radosload::prepare
