#include "support/rados_rig.h"

#include <atomic>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include "target/pool_traits.h"
#include "workload/payload.h"

namespace radosload::test {

RadosRig::RadosRig(const std::string& pool_name, RadosTargetOptions wanted,
                   const cluster::Connection::Settings& settings)
    : connection(connect_here(settings)),
      pool(open_pool(*connection, pool_name)),
      options(std::move(wanted)) {
  static std::atomic<int> number{0};
  options.dataset = "target-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
  if (options.object_size.count == 0) options.object_size = Bytes{object_bytes};
  const auto traits = target::pool_traits(pool);
  if (!traits) throw std::runtime_error(traits.error().message());
  options.traits = *traits;
  target = std::make_unique<RadosTarget>(std::vector<RadosLane>(2, RadosLane{connection, pool}),
                                         options);
}

std::string RadosRig::name(std::uint64_t object) const {
  std::string text(workload::object_name_size(options.dataset), ' ');
  workload::object_name(text, options.dataset, object);
  return text;
}

Op op_of(OpKind kind, std::uint64_t object, std::uint64_t offset, std::uint32_t length) {
  return {.object = object, .offset = offset, .length = length, .kind = kind};
}

}  // namespace radosload::test
