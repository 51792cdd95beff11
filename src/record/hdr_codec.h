// Histograms as text that every HdrHistogram tool reads: the V2 encoding, deflated, in base64
// ("HISTFAAA...").
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

#include "record/histogram.h"

namespace radosload::record {

// Counts only: the format has no exact sum, minimum and maximum.
std::string encode_hdr(const Histogram& histogram);
// Reads what encode_hdr writes, and any V2 payload of the same layout (unit 1, three digits).
// Untrusted text costs bounded memory and time.
Result<Histogram> decode_hdr(std::string_view text);

}  // namespace radosload::record
