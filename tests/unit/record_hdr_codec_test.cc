#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/hdr_codec.h"
#include "support/files.h"
#include "support/places.h"
#include "unit/record_support.h"

#include <fmt/format.h>

namespace radosload::record {
namespace {

using test::TemporaryFolder;

rc::Gen<Histogram> histograms() {
  return rc::gen::exec([] {
    Histogram histogram;
    const auto pairs = *rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(
        rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, Histogram::bucket_count),
                      rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 50U)));
    for (const auto& [index, count] : pairs) histogram.add_bucket(index, count);
    return histogram;
  });
}

RC_GTEST_PROP(HdrCodec, EncodedHistogram_ReadsBack, ()) {
  const Histogram histogram = *histograms();
  const std::string text = encode_hdr(histogram);
  RC_ASSERT(text.starts_with("HISTFAAA"));
  auto decoded = decode_hdr(text);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(decoded->set_exact(histogram.min(), histogram.max(), histogram.sum()));
  RC_ASSERT(*decoded == histogram);
}

RC_GTEST_PROP(HdrCodec, DamagedText_IsAnErrorOrAnotherHistogram, ()) {
  std::string text = encode_hdr(*histograms());
  const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
  text[place] = *rc::gen::arbitrary<char>();
  const auto decoded = decode_hdr(text);
  if (!decoded) RC_ASSERT(!decoded.error().message().empty());
}

TEST(HdrCodec, OtherText_IsRefusedWithAReason) {
  for (const char* text : {"", "HISTFAAA", "HISTFAAA====", "!!!!", "AAAAAAAAAAAAAAAA", "abc"}) {
    const auto decoded = decode_hdr(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_NE(decoded.error().message().find("cannot read the histogram"), std::string::npos);
  }
}

// ---- against the reference reader in Python ----

// What tests/interop/hdr.py prints for these words.
std::string python(const std::string& arguments) {
  const std::string command =
      test::test_python() + " " + test::in_source("tests/interop/hdr.py") + " " + arguments;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no pipe";
  std::string output;
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
    output.push_back(static_cast<char>(byte));
  }
  if (pclose(pipe) != 0) output += "failed; `tools/dev setup` makes the interpreter it needs";
  return output;
}

// Count, then percentiles as both sides define them alike: with whole multiples of 10,000
// operations, rounding a rank (theirs) and rounding it up (ours) is the same.
std::string summary(const Histogram& histogram) {
  std::ostringstream text;
  text << histogram.count();
  for (const Quantile q : {p50, p90, p95, p99, p999, p9999}) text << ' ' << histogram.value_at(q);
  text << '\n';
  return text.str();
}

// Bucket ends for minimum and maximum, which is all that the reader can know.
Histogram lognormal(unsigned seed, double median_ns) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> law(std::log(median_ns), 1.2);
  Histogram histogram;
  for (int i = 0; i < 20'000; ++i) histogram.add(static_cast<std::uint64_t>(law(random)));
  Histogram buckets;
  histogram.for_each([&](std::size_t index, std::uint64_t n) { buckets.add_bucket(index, n); });
  return buckets;
}

std::string hlog_head() {
  return "#[Histogram log format version 1.2]\n"
         "#[BaseTime: 1795000000.250 (seconds since epoch)]\n"
         "#[StartTime: 1795000000.250 (seconds since epoch)]\n"
         "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
         "\"Interval_Compressed_Histogram\"\n";
}

// A second, with its maximum in milliseconds.
std::string hlog_line(std::string_view tag, unsigned second, const Histogram& histogram) {
  return fmt::format("Tag={},{}.000,1.000,{:.3f},{}\n", tag, second,
                     static_cast<double>(histogram.max()) / 1e6, encode_hdr(histogram));
}

TEST(HdrInterop, HdrReader_FindsRadosloadsPercentilesInALog) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.hlog";
  std::ofstream log(path);
  log << hlog_head();
  std::string expected;
  for (unsigned second = 0; second < 3; ++second) {
    const Histogram histogram = lognormal(second, second == 2 ? 3e9 : 2e5);
    log << hlog_line("osd.3/write", second, histogram);
    expected += "osd.3/write " + summary(histogram);
  }
  log.close();
  EXPECT_EQ(python("read-log " + path.string()), expected);
}

TEST(HdrInterop, RadosloadsReader_FindsHdrsPercentiles) {
  std::istringstream output(python("write"));
  std::string payload;
  std::string theirs;
  int seen = 0;
  while (std::getline(output, payload) && std::getline(output, theirs)) {
    const auto histogram = decode_hdr(payload);
    ASSERT_TRUE(histogram) << histogram.error().message();
    EXPECT_EQ(summary(*histogram), theirs + "\n");
    ++seen;
  }
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace radosload::record
