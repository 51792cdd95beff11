// A rados target of two lanes on a pool of the lab.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "support/pool.h"
#include "support/slots.h"
#include "target/rados_target.h"

namespace radosload::test {

using target::RadosLane;
using target::RadosTarget;
using target::RadosTargetOptions;

constexpr std::uint32_t block = 4096;
constexpr std::uint32_t object_bytes = 64 * 1024;

// Its objects belong to a data set of its own.
struct RadosRig {
  std::shared_ptr<cluster::Connection> connection;
  librados::IoCtx pool;
  RadosTargetOptions options;
  std::unique_ptr<RadosTarget> target;

  explicit RadosRig(const std::string& pool_name, RadosTargetOptions wanted = {},
                    const cluster::Connection::Settings& settings = {});
  std::string name(std::uint64_t object) const;
};

Op op_of(OpKind kind, std::uint64_t object = 0, std::uint64_t offset = 0, std::uint32_t length = 0);

}  // namespace radosload::test
