// A session of a run on a cluster that is not there: its questions have recorded answers, what the
// run notes goes to a namespace in memory, and its images are in memory too.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plan/patterns.h"
#include "prepare/cluster_session.h"
#include "prepare/engine_plan.h"
#include "prepare/pinning.h"
#include "record/progress.h"
#include "support/asked_session.h"
#include "unit/recorded_cluster.h"
#include "unit/site_support.h"

namespace radosload::prepare {

inline const std::string this_run = "20261124-120000-abcdef";

class NotedLines final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string& text) override { lines.push_back(text); }
  std::vector<std::string> lines;
};

// Images of one RBD namespace; those that are made go through the steps of cluster/image_commands.
class ImagesInMemory final : public ImageAccess {
 public:
  std::map<std::string, cluster::ImageInfo> there;
  footprint::testing::MemoryImages commands;
  std::function<Status()> before_making = [] { return Status{}; };
  std::vector<std::string> opened;  // "CLIENT: IMAGE"
  std::vector<std::string> looked_at;

  cluster::ImageInfo& add(const std::string& name, Bytes size = gib(1), Bytes object = mib(4)) {
    cluster::ImageInfo& info = there[name];
    info.spec = {.name = name, .snapshot = {}};
    info.size = size;
    info.object_size = info.stripe_unit = object;
    info.data_pool = -1;
    info.id = "id-of-" + name;
    info.block_prefix = "rbd_data." + info.id;
    return info;
  }
  Result<Opened> open(std::size_t client, const cluster::ImageSpec& spec,
                      const cluster::Passphrase& passphrase) override {
    const auto found = there.find(spec.name);
    if (found == there.end()) return fail(cluster::image_error("open", spec.name, -ENOENT));
    opened.push_back(std::to_string(client) + ": " + spec.text());
    cluster::ImageInfo info = found->second;
    info.spec = spec;
    info.open = !passphrase.empty();
    return Opened{.info = info, .handle = nullptr};
  }
  Result<cluster::ImageInfo> look(const cluster::ImageSpec& spec,
                                  const cluster::Passphrase&) override {
    const auto found = there.find(spec.name);
    if (found == there.end()) return fail(cluster::image_error("open", spec.name, -ENOENT));
    looked_at.push_back(spec.text());
    cluster::ImageInfo info = found->second;
    info.spec = spec;
    return info;
  }
  Result<std::map<std::string, std::string>> ids() override {
    std::map<std::string, std::string> ids;
    for (const auto& [name, info] : there) ids[name] = info.id;
    return ids;
  }
  Status make(const cluster::NewImage& image) override {
    RADOSLOAD_TRY(before_making());
    RADOSLOAD_TRY(cluster::make_image(commands, image));
    add(image.name, image.size, image.object_size).made_by = image.run;
    return {};
  }
};

inline RunPlan plan_for(const std::string& pool, const std::string& pattern) {
  RunPlan plan;
  plan.pool = pool;
  plan.pattern = plan::parse_pattern(pattern).value();
  plan.seed = 7;
  return plan;
}

inline workload::Layout layout_of(const RunPlan& plan) {
  return layout_for(plan, {.overwrites = true}).value();
}

inline ClusterSession session_on(RecordedCluster& cluster, const RunPlan& plan) {
  ClusterSession session = test::session_on(cluster, plan);
  session.traits.overwrites = true;
  session.traits.omap = true;
  return session;
}

struct PrepareFixture {
  RecordedCluster cluster{"18.2.7"};
  std::shared_ptr<footprint::testing::MemorySite> site =
      std::make_shared<footprint::testing::MemorySite>();
  std::shared_ptr<ImagesInMemory> images = std::make_shared<ImagesInMemory>();
  base::Interrupts interrupts;
  NotedLines notes;
  ClusterSession session;

  explicit PrepareFixture(const RunPlan& plan = plan_for("hdd", "randread4k"))
      : session(session_on(cluster, plan)) {
    session.site = site;
    session.images = images;
  }
  bool nothing_noted() const { return site->index.empty() && site->objects.empty(); }
  footprint::Manifest noted(const std::string& run = this_run) const {
    const auto entry = site->look_up(run);
    return entry && entry->manifest ? *entry->manifest : footprint::Manifest{};
  }
};

}  // namespace radosload::prepare
