// The objects of a run: its own, which it creates and removes, or those of an earlier run. The
// manifest is written to the cluster before the first object, so that cleanup finds everything
// after a kill at any moment.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "footprint/manifest.h"
#include "footprint/site.h"
#include "placement/space_plan.h"
#include "prepare/cluster_session.h"
#include "prepare/pinning.h"
#include "record/progress.h"
#include "workload/layout.h"

namespace radosload::prepare {

// What the run's objects will occupy; `pgs` of each, when they were picked.
placement::SpacePlan plan_space(const RunPlan& plan, const ClusterSession& session,
                                const workload::Layout& layout,
                                const std::vector<std::uint32_t>& pgs = {});
// The earlier run whose objects --reuse names. Takes no hold on them.
Result<footprint::Manifest> find_reusable(const RunPlan& plan, const ClusterSession& session,
                                          const workload::Layout& layout);

class Dataset {
 public:
  // The run's own objects, or the `images` that it is about to create. No object or image exists
  // before this returns. The caller has checked that there is space for
  // them.
  static Result<Dataset> make(const RunPlan& plan, const ClusterSession& session,
                              const workload::Layout& layout, const std::string& run_id,
                              const std::vector<std::string>& images = {},
                              const Picked& picked = {});
  // Existing images whose content the run replaces, and which stay. Images that an earlier run kept
  // get the same content again, so that --reuse still finds it.
  static Result<Dataset> on_existing_images(const RunPlan& plan, const ClusterSession& session,
                                            const workload::Layout& layout,
                                            const std::string& run_id,
                                            const std::vector<std::string>& images,
                                            const std::string& made_by);
  // Those of an earlier run. Refuses them when a cleanup has begun to remove them.
  static Result<Dataset> reuse(const RunPlan& plan, const ClusterSession& session,
                               const workload::Layout& layout, footprint::Manifest chosen);

  // Those that another process has noted, which this one writes to as well. It removes none of
  // them.
  static Result<Dataset> share(const ClusterSession& session, footprint::Manifest noted);

  // The run whose name the objects carry, and what is stamped into them.
  const std::string& name() const { return m_manifest.run; }
  std::uint64_t stamp() const { return m_manifest.stamp; }
  // The numbers of its objects; empty: they are numbered as they come.
  const std::vector<std::uint64_t>& picked() const { return m_manifest.picked; }
  // Of images: what of them is filled.
  void pick(std::vector<std::uint64_t> numbers, const std::vector<std::int32_t>& osds);
  // Of images: their names.
  const std::vector<std::string>& images() const { return m_manifest.images; }
  // Whether they are those of an earlier run.
  bool reused() const { return m_reused; }
  // Whether every one of them is there.
  bool ready() const { return m_manifest.state == footprint::State::ready; }
  // Whether another run could work on them too.
  bool fits(const RunPlan& plan, const workload::Layout& layout) const;
  // Fails when a cleanup has removed them in the meantime.
  Status check_held() { return m_hold ? m_hold->renew() : Status{}; }

  // Prefill has written everything.
  Status mark_ready();
  // Removes what this run created, unless it must be kept. Reports what could not be removed, and
  // how to remove it later.
  void clean_up(bool keep, base::Interrupts& interrupts, record::ProgressListener& listener);
  // Leaves all of it to a later cleanup, and reports it.
  void leave(record::ProgressListener& listener) const;

 private:
  Dataset(const ClusterSession& session, footprint::Manifest manifest,
          std::unique_ptr<footprint::Lease> hold)
      : m_site(session.site), m_manifest(std::move(manifest)), m_hold(std::move(hold)) {}

  std::shared_ptr<footprint::RunSite> m_site;
  footprint::Manifest m_manifest;
  std::unique_ptr<footprint::Lease> m_hold;
  bool m_reused = false;
  bool m_stays = false;  // when the run is over
  bool m_noted = true;   // there is a manifest in the cluster
};

}  // namespace radosload::prepare
