// Probes the OSDs of a cluster, with small objects of radosload's own in one pool: an OSD serves
// every read of an object whose PG it leads, and begins every write. Follows the cluster: before
// each round it asks which OSDs lead PGs, and chooses other objects when that changed. Or probes
// the pool as a whole, with objects wherever they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "cluster/admin.h"
#include "cluster/bounded_io.h"
#include "footprint/lasting_objects.h"
#include "footprint/site.h"
#include "placement/osd_map.h"
#include "placement/osd_select.h"
#include "placement/pg_map.h"
#include "probe/prober.h"

namespace radosload::probe {

inline constexpr std::size_t objects_of_osd = 32;
inline constexpr std::uint64_t objects_of_pool = 64;
inline constexpr Bytes object_size = kib(4);
// Of the objects' manifest: cleanup takes it as --run.
inline constexpr const char* probe_id = "probe";

struct ClusterWish {
  ClusterOptions cluster = {};
  std::string pool = {};
  std::string nspace = {};
  bool by_pool = false;
  std::string osds = {};                  // a selection; empty: all
  std::string started = {};               // 2026-11-26T08:20:00Z
  Time limit = std::chrono::seconds(10);  // of an operation
};

class ClusterProber final : public Prober {
 public:
  static Result<std::unique_ptr<ClusterProber>> open(const ClusterWish& wish);

  Result<Survey> survey() override;
  Answer probe(const Target& target, Kind kind, std::uint64_t turn) override;
  unsigned at_once() const override;

 private:
  enum class Presence : std::uint8_t { unknown, written, absent };
  struct Object {
    std::uint64_t number = 0;
    std::string name = {};
    Presence presence = Presence::unknown;
  };
  using Objects = std::map<std::int32_t, std::vector<Object>>;

  ClusterProber(ClusterWish wish, std::unique_ptr<cluster::Admin> admin, cluster::BoundedIo io,
                std::optional<placement::OsdSelection> selection)
      : m_wish(std::move(wish)),
        m_admin(std::move(admin)),
        m_io(std::move(io)),
        m_site(m_io),
        m_selection(std::move(selection)) {}
  // The chosen OSDs, with their classes.
  Result<std::vector<Target>> chosen();
  Status renew();
  Result<Survey> survey_osds(const placement::Pool& pool, const placement::PgMap& pgs);
  Result<Survey> survey_pool(const placement::Pool& pool, const placement::PgMap& pgs);
  Status use(const std::map<std::int32_t, std::vector<std::uint64_t>>& numbers);
  Status choose(const placement::Pool& pool, const placement::PgMap& pgs,
                const std::vector<Target>& targets);
  Answer read(Object& object);
  Answer write(Object& object);

  ClusterWish m_wish;
  std::unique_ptr<cluster::Admin> m_admin;
  cluster::BoundedIo m_io;
  footprint::ClusterSite m_site;
  std::optional<placement::OsdSelection> m_selection;
  std::vector<std::int32_t> m_selected;  // at the last time that all of them existed
  std::unique_ptr<footprint::LastingObjects> m_lasting;
  std::vector<std::int32_t> m_placement;  // that the choice was made for
  Objects m_objects;
};

}  // namespace radosload::probe
