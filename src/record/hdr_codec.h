// Histograms as text that every HdrHistogram tool reads: the V2 encoding, deflated, in base64
// ("HISTFAAA..."). Knows the format and nothing of who stores it.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

#include "record/histogram.h"

namespace radosload::record {

// Counts only: the format has no place for the exact sum, minimum and maximum.
std::string encode_hdr(const Histogram& histogram);
// Takes what encode_hdr gives, and any V2 payload of the same layout (unit 1, three digits). Text
// from elsewhere is not trusted: whatever it says, it costs bounded memory and time.
Result<Histogram> decode_hdr(std::string_view text);

}  // namespace radosload::record
