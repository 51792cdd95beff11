// Histograms as text that every HdrHistogram tool reads: the V2 encoding, deflated, in base64
// ("HISTFAAA..."), and the lines of an .hlog file. Knows the format and nothing of who stores it.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/units.h"

#include "record/histogram.h"

namespace radosload::record {

// Counts only: the format has no place for the exact sum, minimum and maximum.
std::string encode_hdr(const Histogram& histogram);
// Takes what encode_hdr gives, and any V2 payload of the same layout (unit 1, three digits). Text
// from elsewhere is not trusted: whatever it says, it costs bounded memory and time.
Result<Histogram> decode_hdr(std::string_view text);

// The head of an .hlog file, lines included. base_time: seconds since the epoch.
std::string hlog_head(double base_time);
// "Tag=osd.3/write,0.000,1.000,17.337,HISTF...": start and length from base_time in seconds, the
// maximum in milliseconds (the value unit of the format's readers is 1e6 of what is counted).
std::string hlog_line(std::string_view tag, Time start, Time length, const Histogram& histogram);

}  // namespace radosload::record
