#include "prepare/dataset.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cluster/image.h"
#include "footprint/cleanup.h"
#include "footprint/owner.h"
#include "footprint/reuse.h"
#include "placement/space_plan.h"
#include "plan/patterns.h"
#include "prepare/files.h"
#include "prepare/image_shape.h"
#include "record/store.h"
#include "workload/payload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

footprint::Content content_of(const RunPlan& plan, const workload::Layout& layout) {
  if (plan.target == TargetKind::rbd) return footprint::Content::image;
  if (plan.target == TargetKind::cephfs) return footprint::Content::files;
  if (plan.pattern.is_omap()) return footprint::Content::omap;
  return layout.prefill == workload::Prefill::empty ? footprint::Content::empty
                                                    : footprint::Content::data;
}

std::vector<std::string> without_snapshots(std::vector<std::string> names) {
  for (std::string& name : names) name = cluster::image_spec(name).name;
  return names;
}

footprint::Wanted wanted_by(const RunPlan& plan, const workload::Layout& layout) {
  return {.objects = layout.objects,
          .object_size = layout.object_size,
          .content = content_of(plan, layout),
          .value_size = plan.pattern.is_omap() ? layout.block : Bytes{},
          .images = without_snapshots(plan.images.names),
          .image_count = plan.target == TargetKind::rbd ? image_count(plan) : 0,
          .image_nspace = plan.images.nspace,
          .osds = layout.osds,
          .fewer_will_do = plan.target == TargetKind::rbd && !plan.size_named};
}

footprint::Manifest manifest_for(const RunPlan& plan, const ClusterSession& session,
                                 const workload::Layout& layout, const std::string& run_id,
                                 const std::vector<std::string>& images) {
  footprint::Manifest manifest;
  manifest.run = run_id;
  manifest.started = record::iso_time(std::chrono::system_clock::now());
  manifest.owner = footprint::this_process();
  manifest.owner.client = session.site->client();
  manifest.pool = plan.pool;
  manifest.nspace = plan.nspace;
  manifest.pattern = plan::pattern_text(plan.pattern);
  manifest.objects = layout.objects;
  manifest.object_size = layout.object_size;
  manifest.content = content_of(plan, layout);
  manifest.images = images;
  manifest.image_nspace = plan.images.nspace;
  manifest.file_system = plan.files.system;
  if (plan.target == TargetKind::cephfs) manifest.clients = Files::most_clients(plan);
  if (plan.pattern.is_omap()) manifest.value_size = layout.block;
  manifest.stamp = workload::stamp_id(run_id);
  manifest.keep = plan.keep;
  return manifest;
}

// "objects are", "image vm1 is"
std::string kept_text(const footprint::Manifest& manifest) {
  if (manifest.content == footprint::Content::files) return "files are";
  if (manifest.content != footprint::Content::image) return "objects are";
  return fmt::format("image {} is", fmt::join(manifest.images, ", "));
}

}  // namespace

placement::SpacePlan plan_space(const RunPlan& plan, const ClusterSession& session,
                                const workload::Layout& layout,
                                const std::vector<std::uint32_t>& pgs) {
  return placement::plan_space(session.space,
                               {.objects = layout.objects,
                                .object_size = layout.object_size,
                                .omap = plan.pattern.is_omap(),
                                .pgs = pgs,
                                .loads = std::max<std::size_t>(1, layout.osds.size())});
}

Result<footprint::Manifest> find_reusable(const RunPlan& plan, const ClusterSession& session,
                                          const workload::Layout& layout) {
  RADOSLOAD_ASSIGN(const auto runs, session.site->runs());
  std::vector<footprint::Entry> entries;
  for (const std::string& run : runs) {
    RADOSLOAD_ASSIGN(auto entry, session.site->look_up(run));
    entries.push_back(std::move(entry));
  }
  return footprint::choose(entries, wanted_by(plan, layout), plan.reuse);
}

Result<Dataset> Dataset::share(const ClusterSession& session, footprint::Manifest noted) {
  RADOSLOAD_ASSIGN(auto hold, session.site->lease(noted.run));
  Dataset dataset(session, std::move(noted), std::move(hold));
  dataset.m_reused = true;
  return dataset;
}

Result<Dataset> Dataset::reuse(const RunPlan& plan, const ClusterSession& session,
                               const workload::Layout& layout, footprint::Manifest chosen) {
  RADOSLOAD_ASSIGN(auto hold, session.site->lease(chosen.run));
  // A cleanup may have begun between the look and the hold.
  RADOSLOAD_ASSIGN(const auto again, session.site->look_up(chosen.run));
  if (const auto reason = footprint::why_not(again, wanted_by(plan, layout)); !reason.empty()) {
    return fail({.attempt = "use the objects of run",
                 .subject = chosen.run,
                 .reason = reason,
                 .exit = Exit::refused});
  }
  Dataset dataset(session, std::move(chosen), std::move(hold));
  dataset.m_reused = true;
  return dataset;
}

Result<Dataset> Dataset::make(const RunPlan& plan, const ClusterSession& session,
                              const workload::Layout& layout, const std::string& run_id,
                              const std::vector<std::string>& images, const Picked& picked) {
  auto manifest = manifest_for(plan, session, layout, run_id, images);
  if (!picked.numbers.empty()) {
    manifest.osds = layout.osds;
    manifest.picked = picked.numbers;
  }
  RADOSLOAD_ASSIGN(auto hold, session.site->create(manifest));
  return Dataset(session, std::move(manifest), std::move(hold));
}

Result<Dataset> Dataset::on_existing_images(const RunPlan& plan, const ClusterSession& session,
                                            const workload::Layout& layout,
                                            const std::string& run_id,
                                            const std::vector<std::string>& images,
                                            const std::string& made_by) {
  if (!made_by.empty()) {
    RADOSLOAD_ASSIGN(auto entry, session.site->look_up(made_by));
    if (entry.manifest) {
      RADOSLOAD_ASSIGN(auto hold, session.site->lease(made_by));
      Dataset dataset(session, *entry.manifest, std::move(hold));
      dataset.m_stays = true;
      dataset.m_manifest.state = footprint::State::filling;
      dataset.m_manifest.objects = std::max(dataset.m_manifest.objects, layout.objects);
      return dataset;
    }
  }
  Dataset dataset(session, manifest_for(plan, session, layout, run_id, images), nullptr);
  dataset.m_stays = true;
  dataset.m_noted = false;
  return dataset;
}

void Dataset::pick(std::vector<std::uint64_t> numbers, const std::vector<std::int32_t>& osds) {
  m_manifest.objects = numbers.size();
  m_manifest.picked = std::move(numbers);
  m_manifest.osds = osds;
}

bool Dataset::fits(const RunPlan& plan, const workload::Layout& layout) const {
  return plan.pool == m_manifest.pool && plan.nspace == m_manifest.nspace &&
         footprint::misfit(m_manifest, wanted_by(plan, layout)).empty();
}

Status Dataset::mark_ready() {
  m_manifest.state = footprint::State::ready;
  m_manifest.filled_objects = m_manifest.objects;
  m_manifest.filled = Bytes{m_manifest.objects * m_manifest.object_size.count};
  return m_noted ? m_site->update(m_manifest, nullptr) : Status{};
}

void Dataset::leave(record::ProgressListener& listener) const {
  if (m_reused || m_stays) return;
  listener.note(fmt::format(
      "the {} left in the cluster, because operations on {} have not returned\n  remove the rest "
      "with 'radosload cleanup --pool {}' when the cluster answers again",
      kept_text(m_manifest), m_manifest.content == footprint::Content::image ? "it" : "them",
      m_manifest.pool));
}

void Dataset::clean_up(bool keep, base::Interrupts& interrupts,
                       record::ProgressListener& listener) {
  if (m_reused || m_stays) return;
  const bool images = m_manifest.content == footprint::Content::image;
  if (keep && m_manifest.state == footprint::State::ready) {
    listener.note(fmt::format(
        "the {2} kept: use {3} with --reuse {0}, remove {3} with "
        "'radosload cleanup --pool {1} --run {0}'",
        m_manifest.run, m_manifest.pool, kept_text(m_manifest), images ? "it" : "them"));
    return;
  }
  const auto cut_short = [&] {
    listener.note(
        fmt::format("a second {} stopped the cleanup\n  'radosload cleanup --pool {}' removes what "
                    "the run has left",
                    interrupts.name(), m_manifest.pool));
  };
  if (interrupts.hurry()) {
    m_hold.reset();
    return cut_short();
  }
  const auto start = std::chrono::steady_clock::now();
  bool told = false;
  footprint::CleanupOptions options;
  options.progress = [&](const footprint::CleanupProgress& now) {
    record::Progress progress;
    progress.phase = "clean up";
    progress.elapsed = std::chrono::steady_clock::now() - start;
    if (now.of > 0) progress.done = static_cast<double>(now.done) / static_cast<double>(now.of);
    listener.progress(progress);
    if (interrupts.count() == 0 || std::exchange(told, true)) return;
    listener.note(
        fmt::format("{}: removing what the run created; a second signal leaves it in the pool",
                    interrupts.name()));
  };
  options.interrupted = [&] { return interrupts.hurry(); };
  const auto removed = footprint::remove_run(*m_site, m_manifest, options);
  m_hold.reset();
  if (removed.fate == footprint::Fate::removed) return;
  if (interrupts.hurry()) return cut_short();
  listener.note(
      fmt::format("not everything that the run created was removed: {}\n  remove the rest later "
                  "with 'radosload cleanup --pool {}'",
                  removed.detail.empty() ? "interrupted" : removed.detail, m_manifest.pool));
}

}  // namespace radosload::prepare
