#include "prepare/draft.h"

#include <utility>

#include "base/log.h"
#include "prepare/dataset.h"
#include "prepare/engine_plan.h"
#include "prepare/inactive_pgs.h"
#include "prepare/object_names.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

// A refusal becomes part of the draft, and the rest is found all the same.
Status note_refusal(Draft& draft, const Status& found) {
  if (found) return {};
  if (found.error().exit != Exit::refused) return found;
  base::log_warning("a safety check refuses the run: {}", one_line(found.error()));
  if (!draft.refusal) draft.refusal = found.error();
  return {};
}

// Those that an earlier step or another process has made for this run too.
Status use_made_images(Draft& draft, ClusterSession& session,
                       const std::vector<std::string>& names) {
  RADOSLOAD_TRY(draft.images->take_over(draft.plan, session, names));
  return switch_to_pool(session, draft.images->data_pool());
}

Status inspect_images(Draft& draft, ClusterSession& session, workload::Part part) {
  if (draft.plan.target != TargetKind::rbd) return {};
  draft.made_object_size = draft.plan.pattern.object_size;
  RADOSLOAD_ASSIGN(auto found, look_at_images(draft.plan, session, draft.run_id, part));
  draft.plan = std::move(found.plan);
  draft.images = std::move(found.images);
  if (!draft.shared || !draft.makes_images()) return {};
  return use_made_images(draft, session, draft.shared->images);
}

Status use_filled(Draft& draft, ClusterSession& session, const Dataset& filled) {
  draft.cached = true;
  draft.dataset = filled.name();
  base::log_info("reads the objects that step {} of this series has filled", filled.name());
  draft.picked.numbers = filled.picked();
  if (!draft.makes_images()) return {};
  return use_made_images(draft, session, filled.images());
}

// Objects that are there already: those of an earlier step, or of the run that --reuse names.
Status find_filled(Draft& draft, ClusterSession& session, const DatasetCache* cache) {
  const Dataset* const filled =
      cache != nullptr ? cache->find(draft.plan, draft.load.layout) : nullptr;
  if (filled != nullptr) return use_filled(draft, session, *filled);
  if (draft.plan.reuse.empty()) return {};
  auto chosen = find_reusable(draft.plan, session, draft.load.layout);
  if (!chosen) return note_refusal(draft, fail(chosen.error()));
  draft.dataset = chosen->run;
  base::log_info("reuses the objects of run {}", chosen->run);
  draft.picked.numbers = chosen->picked;
  draft.reused = *std::move(chosen);
  return {};
}

// Of images that are not made yet.
ObjectNaming names_to_be(const Draft& draft, const ClusterSession& session) {
  ObjectNaming names = names_of_objects(draft.plan, session, draft.run_id);
  const auto pool = pool_of_data(draft.plan, session, session.space.pool.id);
  if (!pool) return {};
  put_in_pool(names, *pool);
  names.name_of = [each = objects_in_each(draft.plan, *draft.images)](std::uint64_t object) {
    return fmt::format("rbd_data.{}.{:016x}", object / each, object % each);
  };
  return names;
}

ObjectNaming names_for(const Draft& draft, const ClusterSession& session) {
  if (!draft.images) return names_of_objects(draft.plan, session, draft.dataset);
  if (draft.makes_images()) return names_to_be(draft, session);
  return names_in_images(draft.plan, session, *draft.images);
}

Status pick(Draft& draft, const ClusterSession& session) {
  if (!draft.pinned() || !draft.picked.numbers.empty()) return {};
  const workload::Layout& layout = draft.load.layout;
  RADOSLOAD_ASSIGN(draft.picked,
                   draft.images
                       ? pick_in_images(draft.plan, session, *draft.images, draft.names, layout)
                       : pick_in_pool(draft.plan, session, layout, draft.run_id));
  return {};
}

// What has been found already needs no room; what --reuse names and is not there takes none.
Status inspect_space(Draft& draft, const ClusterSession& session) {
  if (draft.cached || draft.shared || !draft.plan.reuse.empty()) return {};
  draft.space = plan_space(draft.plan, session, draft.load.layout, draft.picked.pgs);
  return note_refusal(draft, placement::check_space(*draft.space));
}

}  // namespace

Status place_objects(Draft& draft, const ClusterSession& session) {
  draft.names = names_for(draft, session);
  if (auto picked = pick(draft, session); !picked) return picked;
  workload::Layout& layout = draft.load.layout;
  if (!draft.picked.numbers.empty()) layout.objects = draft.picked.numbers.size();
  if (draft.makes_images() && !draft.pinned()) return {};
  draft.locations = locate_objects(session, layout, draft.names, draft.picked.numbers);
  layout.locations = draft.locations;
  if (!draft.pinned()) return {};
  if (!draft.locations) return fail(unseen_pgs(session));
  return check_still_there(session, layout, *draft.locations);
}

void place_files(Draft& draft, const ClusterSession& session) {
  if (!draft.files->placed()) return;
  draft.names = draft.files->names(draft.plan, session);
  draft.locations = locate_objects(session, draft.load.layout, draft.names, {});
  draft.load.layout.locations = draft.locations;
}

namespace {

workload::PoolTraits traits_for(const Draft& draft, const ClusterSession& session) {
  if (draft.images) return Images::traits();
  return draft.plan.target == TargetKind::cephfs ? Files::traits() : session.traits;
}

// Where a file lies is known only once it is there: place_files().
Status inspect_files(Draft& draft, const ClusterSession& session) {
  // A warm-up would read what is to be read cold.
  if (draft.plan.pattern.reads_cold()) draft.plan.warmup = draft.load.warmup = Time(0);
  RADOSLOAD_ASSIGN(draft.files,
                   Files::inspect(draft.plan, session, draft.run_id, draft.load.layout));
  draft.names = draft.files->names(draft.plan, session);
  return {};
}

}  // namespace

Result<Draft> inspect(const RunPlan& plan, ClusterSession& session, const std::string& run_id,
                      const DatasetCache* cache, const Shared& shared) {
  Draft draft;
  draft.shared = shared.objects;
  if (shared.objects) draft.picked.numbers = shared.objects->picked;
  draft.run_id = run_id;
  draft.dataset = run_id;
  draft.plan = plan;
  RADOSLOAD_TRY(note_refusal(draft, check_health(plan, session)));
  RADOSLOAD_TRY(note_refusal(draft, check_pgs(plan, session)));
  RADOSLOAD_TRY(inspect_images(draft, session, shared.part));
  RADOSLOAD_ASSIGN(draft.load, engine_plan_for(draft.plan, traits_for(draft, session),
                                               session.pinned, shared.part));
  if (draft.plan.target == TargetKind::cephfs) {
    RADOSLOAD_TRY(inspect_files(draft, session));
    RADOSLOAD_TRY(inspect_space(draft, session));
    return draft;
  }
  RADOSLOAD_TRY(find_filled(draft, session, cache));
  if (draft.plan.reuse.empty() || draft.reused) {
    RADOSLOAD_TRY(note_refusal(draft, place_objects(draft, session)));
  }
  RADOSLOAD_TRY(inspect_space(draft, session));
  return draft;
}

}  // namespace radosload::prepare
