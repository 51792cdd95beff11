// A line of a probe's history as anybody may have written it: what is understood has OSDs and
// times in their ranges, and can be written and read again.
#include <cmath>
#include <string>
#include <variant>

#include "fuzz/target.h"
#include "probe/history_codec.h"
#include "probe/summary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace radosload;
  const auto line = probe::decode_history_line(fuzz::text_of(data, size));
  if (!line) return 0;
  probe::Summariser summariser;
  summariser.add(*line);
  static_cast<void>(summariser.take());
  if (const auto* const round = std::get_if<probe::Round>(&*line)) {
    for (const probe::Visit& visit : round->visits) {
      fuzz::require(visit.target.osd >= 0);
      for (const probe::Kind kind : probe::kinds) {
        const auto& typical = visit.of(kind).typical;
        fuzz::require(!typical || typical->count() >= 0);
      }
    }
    fuzz::require(probe::decode_history_line(probe::encode(*round)).has_value());
  }
  if (const auto* const change = std::get_if<probe::Change>(&*line)) {
    fuzz::require(!probe::change_text(*change).empty());
    if (std::isfinite(change->ratio)) {
      fuzz::require(probe::decode_history_line(probe::encode(*change)).has_value());
    }
  }
  return 0;
}
