// The content of the objects of a simulated cluster, which can lose, tear, reorder or misdirect
// acknowledged writes. Only stamps are kept, because the rest of each sector follows from its stamp
// and place.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "radosload/op.h"

#include "target/sim_model.h"
#include "workload/payload.h"

namespace radosload::target {

// Any thread.
class SimContents final {
 public:
  using Stamp = std::array<std::byte, workload::stamp_bytes>;
  using Stamps = std::vector<Stamp>;

  // Blocks that were never written read as if they had been prefilled.
  SimContents(SimModel model, workload::Payload filled)
      : m_model(std::move(model)), m_filled(std::move(filled)) {}

  static Stamps stamps_of(std::span<const std::byte> written);
  // Carries out a write of whole sectors; `luck`, from 0 to 1, decides how.
  void write(const Op& op, const Stamps& stamps, double luck);
  void read(const Op& op, std::span<std::byte> into) const;

 private:
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // object, offset

  void tear(const Op& op, const Stamps& stamps);
  Stamps current(const Op& op, std::size_t sectors) const;

  SimModel m_model;
  workload::Payload m_filled;
  mutable std::mutex m_mutex;
  std::map<Place, Stamps> m_written;
  std::map<Place, Stamps> m_held_back;
};

}  // namespace radosload::target
