// The images of a run: existing ones, opened by every lane that needs them, after a check that the
// run may write to them; or new ones that the run will create.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "cluster/image.h"
#include "prepare/cluster_session.h"
#include "prepare/image_shape.h"
#include "target/rbd_target.h"
#include "workload/layout.h"

namespace radosload::prepare {

class Images {
 public:
  // Opens existing images, and refuses what must not be written to or cannot be measured. Those to
  // be made only get their names. Nothing is changed in the cluster.
  // `part`: of several processes; each opens those of its own lanes, and the first checks them all.
  static Result<Images> inspect(const RunPlan& plan, const ClusterSession& session,
                                const std::string& run_id, workload::Part part = {});

  ImageShape shape() const;
  // What a layout on them may rely on.
  static workload::PoolTraits traits();
  bool to_be_made() const { return m_create.count > 0; }
  std::vector<std::string> names() const;
  // The run that made them all; empty: they are not, or not all, of one run of radosload.
  std::string made_by() const;

  // Creates and opens the new images. The caller has written the manifest before.
  Status make(const RunPlan& plan, const ClusterSession& session, const std::string& run_id,
              Bytes object_size);

  // Opens those that an earlier run has made in place of making some.
  Status take_over(const RunPlan& plan, const ClusterSession& session,
                   const std::vector<std::string>& names);

  // Opened; one for each client of this process.
  const std::vector<target::RbdLane>& lanes() const { return m_lanes; }
  // What each image is; of those to be made nothing.
  const std::vector<cluster::ImageInfo>& infos() const { return m_infos; }
  // The pool of their data; the pool of the images when that is unknown.
  std::int64_t data_pool() const;
  // Reasons why the figures would not be those of the cluster.
  std::vector<std::string> caveats(const RunPlan& plan) const;

 private:
  Status open(const RunPlan& plan, const ClusterSession& session);
  Status check(const RunPlan& plan) const;
  Status check_writing(const RunPlan& plan, const cluster::ImageInfo& info) const;
  // Refuses several clients that write to one image with an exclusive lock, as made ones have it.
  Status check_lock(const RunPlan& plan) const;
  // Of all processes.
  std::uint64_t clients(const RunPlan& plan) const {
    return std::uint64_t{plan.clients} * m_part.of;
  }

  workload::Part m_part;
  std::vector<cluster::ImageSpec> m_specs;
  Bytes m_create;
  std::vector<target::RbdLane> m_lanes;
  std::vector<cluster::ImageInfo> m_infos;  // of each image once
};

struct ImagesAndPlan {
  Images images;
  RunPlan plan;  // as the images have it
};

// Images::inspect, with the session turned to the pool of their data.
Result<ImagesAndPlan> look_at_images(const RunPlan& plan, ClusterSession& session,
                                     const std::string& run_id, workload::Part part = {});

}  // namespace radosload::prepare
