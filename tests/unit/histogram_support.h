// An OSD's answer to 'perf histogram dump'.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace radosload::watch::testing {

// All operations took 1.6 to 3.2 ms, and were reads.
inline std::string histograms_of(std::uint64_t ops) {
  return fmt::format(
      R"x({{"osd":{{"op_r_latency_out_bytes_histogram":{{"axes":[{{"name":"Latency (usec)",)x"
      R"x("quant_size":100000,"scale_type":"log2","ranges":[{{"max":-1}},)x"
      R"x({{"min":1600000,"max":3199999}}]}}],"values":[[0,0],[0,{}]]}}}}}})x",
      ops);
}

}  // namespace radosload::watch::testing
