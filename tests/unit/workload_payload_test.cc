#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "radosload/outcome.h"
#include "radosload/units.h"

#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "support/laws.h"
#include "workload/payload.h"

#include <zlib.h>

namespace radosload::workload {
namespace {

using Buffer = std::vector<std::byte>;

Op read_of(std::uint64_t object, std::uint64_t offset, std::size_t length) {
  Op op;
  op.object = object;
  op.offset = offset;
  op.length = static_cast<std::uint32_t>(length);
  return op;
}

Buffer content(const Payload& payload, const Op& op) {
  Buffer buffer(op.length);
  payload.fill(op, buffer);
  return buffer;
}

uLong checksum(const Buffer& data) {
  uLong crc = crc32(0, nullptr, 0);
  for (const std::byte byte : data) {
    const auto value = std::to_integer<Bytef>(byte);
    crc = crc32(crc, &value, 1);
  }
  return crc;
}

// Any range of up to ten sectors; half of them aligned as a block device's would be.
Op any_range() {
  const bool aligned = *rc::gen::arbitrary<bool>();
  const std::uint64_t unit = aligned ? sector_bytes : 1;
  const auto offset = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40U);
  const auto length = *rc::gen::inRange<std::size_t>(1, 10 * sector_bytes / unit + 1);
  return read_of(*rc::gen::arbitrary<std::uint64_t>(), offset / unit * unit, length * unit);
}

std::uint64_t first_stamp_in(const Op& op) {
  return (0 - op.offset) % sector_bytes;
}

RC_GTEST_PROP(Payload, PartOfAFill_EqualsThatPartOfTheWhole, ()) {
  const Payload payload(*rc::gen::arbitrary<std::uint64_t>());
  const Op whole = any_range();
  const auto skip = *rc::gen::inRange<std::uint32_t>(0, whole.length);
  const auto length = *rc::gen::inRange<std::uint32_t>(1, whole.length - skip + 1);
  const Buffer all = content(payload, whole);
  const Buffer part = content(payload, read_of(whole.object, whole.offset + skip, length));
  RC_ASSERT(std::equal(part.begin(), part.end(), all.begin() + skip));
}

RC_GTEST_PROP(Payload, FilledPayload_PassesTheCheck, ()) {
  const Payload payload(*rc::gen::arbitrary<std::uint64_t>());
  const Op op = any_range();
  RC_ASSERT(payload.check(op, content(payload, op)) == 0);
}

RC_GTEST_PROP(Payload, AReadMayReturnMoreThanTheOperationAskedFor, ()) {
  const Payload payload(1);
  const Op op = any_range();
  Buffer buffer = content(payload, op);
  buffer.resize(buffer.size() + 100);
  RC_ASSERT(payload.check(op, buffer) == 0);
}

RC_GTEST_PROP(Payload, AnySectorOfZerosIsAHole, ()) {
  const Payload payload(*rc::gen::arbitrary<std::uint64_t>());
  const Op op = any_range();
  Buffer buffer = content(payload, op);
  // The part of one sector that lies in the range, be it the whole of it, its head or its tail.
  const std::uint64_t first = op.offset / sector_bytes;
  const std::uint64_t last = (op.offset + op.length - 1) / sector_bytes;
  const std::uint64_t sector = *rc::gen::inRange(first, last + 1);
  const std::uint64_t begin = std::max(sector * sector_bytes, op.offset);
  const std::uint64_t end = std::min((sector + 1) * sector_bytes, op.offset + op.length);
  const auto part = std::span(buffer).subspan(begin - op.offset, end - begin);
  // A single byte may have been written as zero, which nothing tells from a hole.
  RC_PRE(std::any_of(part.begin(), part.end(), [](std::byte one) { return one != std::byte{0}; }));
  std::fill(part.begin(), part.end(), std::byte{0});
  RC_ASSERT(payload.check(op, buffer) == rc_hole);
}

RC_GTEST_PROP(Payload, AllZerosAreAHole, ()) {
  const Op op = any_range();
  RC_ASSERT(Payload(1).check(op, Buffer(op.length)) == rc_hole);
}

// The ways in which sound data can be that of another place.
void check_misplaced(const Op& wanted, const Payload& writer, const Op& written, int expected) {
  const Payload reader(7);
  const int rc = reader.check(wanted, content(writer, written));
  const bool holds_a_stamp = first_stamp_in(wanted) + stamp_bytes <= wanted.length;
  RC_ASSERT(rc == (holds_a_stamp ? expected : rc_corrupt));
}

RC_GTEST_PROP(Payload, DataOfAnotherDataSetIsStale, ()) {
  const Op op = any_range();
  RC_PRE(op.length >= 16U);  // so that no byte or two agree by chance
  check_misplaced(op, Payload(8), op, rc_stale);
}

RC_GTEST_PROP(Payload, DataOfAnotherObjectIsMisdirected, ()) {
  const Op op = any_range();
  RC_PRE(op.length >= 16U);
  Op other = op;
  other.object ^= std::uint64_t{1} << *rc::gen::inRange(0U, 64U);
  check_misplaced(op, Payload(7), other, rc_misdirected);
}

RC_GTEST_PROP(Payload, DataOfAnotherOffsetIsMisdirected, ()) {
  const Op op = any_range();
  RC_PRE(op.length >= 16U);
  Op other = op;
  other.offset += *rc::gen::inRange<std::uint64_t>(1, 1000) * sector_bytes;
  check_misplaced(op, Payload(7), other, rc_misdirected);
}

RC_GTEST_PROP(Payload, AnyBitFlippedInAStampIsTornOrCorrupt, ()) {
  const Payload payload(7);
  const Op op = any_range();
  const std::uint64_t first = first_stamp_in(op);
  RC_PRE(first + stamp_bytes <= op.length);
  const std::uint64_t stamps = (op.length - first - stamp_bytes) / sector_bytes + 1;
  const auto in_stamp = *rc::gen::inRange<std::uint64_t>(0, stamp_bytes);
  const std::uint64_t at =
      first + *rc::gen::inRange<std::uint64_t>(0, stamps) * sector_bytes + in_stamp;
  Buffer buffer = content(payload, op);
  buffer.at(at) ^= std::byte{1} << *rc::gen::inRange(0, 8);
  RC_ASSERT(payload.check(op, buffer) == (in_stamp < 4 ? rc_corrupt : rc_torn));
}

RC_GTEST_PROP(Payload, BitFlippedOutsideStamps_IsCorrupt, ()) {
  const Payload payload(7);
  // A range inside a sector behind its stamp: every byte counts.
  const auto offset = *rc::gen::inRange<std::uint64_t>(1, 400);
  const auto length = *rc::gen::inRange<std::uint32_t>(2, 100);
  const Op op = read_of(3, 1024 + offset, length);
  Buffer buffer = content(payload, op);
  buffer.at(*rc::gen::inRange<std::size_t>(0, length)) ^= std::byte{1} << *rc::gen::inRange(0, 8);
  const int rc = payload.check(op, buffer);
  RC_ASSERT(rc == rc_corrupt);
}

RC_GTEST_PROP(Payload, FewerBytesThanAskedForAreAShortRead, ()) {
  const Payload payload(7);
  const Op op = any_range();
  Buffer buffer = content(payload, op);
  buffer.resize(*rc::gen::inRange<std::size_t>(0, op.length));
  RC_ASSERT(payload.check(op, buffer) == rc_short_read);
}

TEST(Payload, OnlyOperationsThatReturnContent_AreChecked) {
  const Payload payload(1);
  Op op = read_of(1, 0, 4096);
  for (const OpKind kind : {OpKind::write, OpKind::stat, OpKind::create, OpKind::remove,
                            OpKind::list, OpKind::omap_set, OpKind::flush, OpKind::discard}) {
    op.kind = kind;
    EXPECT_EQ(payload.check(op, Buffer(4096)), 0);
  }
  op.kind = OpKind::omap_get;
  EXPECT_EQ(payload.check(op, Buffer(4096)), rc_hole);
}

TEST(Payload, DoesNotCompress) {
  const Payload payload(stamp_id("run"));
  const Buffer data = content(payload, read_of(5, 0, 4U << 20U));
  uLongf size = compressBound(data.size());
  std::vector<Bytef> packed(size);
  std::vector<Bytef> plain(data.size());
  std::memcpy(plain.data(), data.data(), data.size());
  ASSERT_EQ(compress2(packed.data(), &size, plain.data(), plain.size(), 9), Z_OK);
  EXPECT_GE(static_cast<double>(size), 0.99 * static_cast<double>(data.size()));
}

TEST(Payload, DoesNotRepeatWithinOrAcrossObjects) {
  // No 16 bytes at any multiple of 8 occur twice in 8 MiB from four objects.
  const Payload payload(2);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t object = 0; object < 4; ++object) {
    const Buffer data = content(payload, read_of(object, object << 30U, 2U << 20U));
    for (std::size_t at = 0; at + 16 <= data.size(); at += 8) {
      std::pair<std::uint64_t, std::uint64_t> words;
      std::memcpy(&words.first, &data[at], 8);
      std::memcpy(&words.second, &data[at + 8], 8);
      seen.push_back(words);
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Payload, BytesAreUniform) {
  // Apart from the four bytes of magic that every sector has in clear.
  const Buffer data = content(Payload(3), read_of(1, 0, 1U << 20U));
  std::vector<std::uint64_t> counts(256);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i % sector_bytes >= 4) ++counts.at(std::to_integer<std::size_t>(data[i]));
  }
  EXPECT_LE(chi_square_excess(counts, std::vector<double>(256, 1)), 1);
}

TEST(Payload, Format_IsStable) {
  // Objects kept with --keep are read by later versions with --reuse: a change here strands them.
  const Buffer data = content(Payload(stamp_id("7f3a")), read_of(3, 8192, 4096));
  EXPECT_EQ(std::memcmp(data.data(), "RDLS", 4), 0);
  EXPECT_EQ(checksum(data), 0x6e02928dU);
}

// ---- generations ----

constexpr Writer me{.id = 0x1234567890abU};
constexpr Writer other{.id = 0x1234567890acU};

Op whole_sectors() {
  const auto object = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40U);
  const auto sector = *rc::gen::inRange<std::uint64_t>(0, (std::uint64_t{1} << 28U) - 10);
  const auto count = *rc::gen::inRange<std::size_t>(2, 10);
  return read_of(object, sector * sector_bytes, count * sector_bytes);
}

Generation any_generation() {
  return static_cast<Generation>(*rc::gen::inRange(1, 1 << generation_bits));
}

Buffer written(const Op& op, Generation generation, Writer writer = me) {
  Buffer buffer(op.length);
  Payload(7, writer).fill(op, buffer, generation);
  return buffer;
}

RC_GTEST_PROP(PayloadGeneration, IsReadFromTheStamps, ()) {
  const Op op = whole_sectors();
  const Generation generation = any_generation();
  const Content found = Payload(7, me).inspect(op, written(op, generation), true);
  RC_ASSERT(found.rc == 0);
  RC_ASSERT(found.generation == generation);
  RC_ASSERT(!found.foreign);
}

RC_GTEST_PROP(PayloadGeneration, OfAnotherRunIsFromBeforeThisOne, ()) {
  const Op op = whole_sectors();
  const Content found = Payload(7, me).inspect(op, written(op, any_generation(), other), true);
  RC_ASSERT(found.rc == 0);
  RC_ASSERT(found.generation == 0);
  RC_ASSERT(found.foreign);
}

RC_GTEST_PROP(PayloadGeneration, ABlockOfTwoWritesIsTornAndNamesThePlace, ()) {
  const Op op = whole_sectors();
  const Generation first = any_generation();
  const auto second = static_cast<Generation>(*rc::gen::inRange(0, 1 << generation_bits));
  RC_PRE(first != second);
  const auto cut = *rc::gen::inRange<std::size_t>(1, op.length / sector_bytes) * sector_bytes;
  Buffer buffer = written(op, first);
  const Buffer rest = written(op, second);
  std::copy_n(rest.begin() + static_cast<std::ptrdiff_t>(cut), op.length - cut,
              buffer.begin() + static_cast<std::ptrdiff_t>(cut));
  const Content found = Payload(7, me).inspect(op, buffer);
  RC_ASSERT(found.rc == rc_torn);
  RC_ASSERT(found.generation == first);
  RC_ASSERT(found.other == second);
  RC_ASSERT(found.offset == op.offset + cut);
}

RC_GTEST_PROP(PayloadGeneration, AMisdirectedBlockNamesWhereItShouldBe, ()) {
  const Op op = whole_sectors();
  Op meant = op;
  meant.object ^= 1U;
  meant.offset += sector_bytes;
  const Generation generation = any_generation();
  const Content found = Payload(7, me).inspect(op, written(meant, generation));
  RC_ASSERT(found.rc == rc_misdirected);
  RC_ASSERT(found.generation == generation);
  RC_ASSERT(found.meant_object == meant.object);
  RC_ASSERT(found.meant_offset == meant.offset);
  RC_ASSERT(found.offset == op.offset);
}

RC_GTEST_PROP(PayloadGeneration, PartsThatAnotherRunHasWrittenAreNotTorn, ()) {
  const Op op = whole_sectors();
  Buffer buffer = written(op, any_generation());
  const Buffer rest = written(op, any_generation(), other);
  std::copy_n(rest.begin(), sector_bytes, buffer.begin());
  const Content found = Payload(7, me).inspect(op, buffer, true);
  RC_ASSERT(found.rc == 0);
  RC_ASSERT(found.foreign);
}

RC_GTEST_PROP(PayloadGeneration, AnyBitFlippedInAStampIsNoticed, ()) {
  const Op op = whole_sectors();
  Buffer buffer = written(op, any_generation());
  const auto sector = *rc::gen::inRange<std::size_t>(0, op.length / sector_bytes);
  const auto in_stamp = *rc::gen::inRange<std::size_t>(0, stamp_bytes);
  buffer.at(sector * sector_bytes + in_stamp) ^= std::byte{1} << *rc::gen::inRange(0, 8);
  const Content found = Payload(7, me).inspect(op, buffer);
  RC_ASSERT(found.rc == (in_stamp < 4 ? rc_corrupt : rc_torn));
  RC_ASSERT(found.offset == op.offset + sector * sector_bytes);
}

RC_GTEST_PROP(PayloadGeneration, EveryByteIsCheckedWhenAskedFor, ()) {
  const Op op = any_range();
  const Payload payload(7, me);
  Buffer buffer = content(payload, op);
  const auto at = *rc::gen::inRange<std::size_t>(0, op.length);
  buffer.at(at) ^= std::byte{1} << *rc::gen::inRange(0, 8);
  RC_ASSERT(payload.inspect(op, buffer, true).rc != 0);
}

RC_GTEST_PROP(PayloadGeneration, OldContentBehindANewerStamp_IsTornWhenEveryByteIsChecked, ()) {
  const Op op = whole_sectors();
  const auto generation = *rc::gen::inRange<Generation>(2, 100);
  Buffer buffer = written(op, generation);
  const auto older = static_cast<Generation>(generation - *rc::gen::inRange(1, int{generation}));
  const Buffer old = written(op, older);
  const auto at = sector_bytes * *rc::gen::inRange<std::size_t>(0, op.length / sector_bytes);
  std::copy_n(&old[at + stamp_bytes], sector_bytes - stamp_bytes, &buffer[at + stamp_bytes]);
  const Content found = Payload(7, me).inspect(op, buffer, true);
  RC_ASSERT(found.rc == rc_torn);
  RC_ASSERT(found.offset == op.offset + at);
  RC_ASSERT(Payload(7, me).inspect(op, buffer).rc == 0);
}

RC_GTEST_PROP(PayloadGeneration, PartOfASectorThatIsOfNoWrite_IsCorrupt, ()) {
  const Op op = whole_sectors();
  Buffer all = written(op, any_generation(), other);
  const auto skip = *rc::gen::inRange<std::uint32_t>(1, sector_bytes - 16);
  all.at(std::max<std::size_t>(skip, stamp_bytes) + 3) ^= std::byte{1};
  const Payload later(7, {.id = 1, .others_before = true});
  const Buffer part(all.begin() + skip, all.end());
  const Op read = read_of(op.object, op.offset + skip, op.length - skip);
  RC_ASSERT(later.inspect(read, part).rc == rc_corrupt);
}

RC_GTEST_PROP(PayloadGeneration, IsReadInAnyPartOfItWithoutAFalseAlarm, ()) {
  const Op op = whole_sectors();
  const Buffer all = written(op, any_generation(), other);
  const auto skip = *rc::gen::inRange<std::uint32_t>(0, op.length);
  const auto length = *rc::gen::inRange<std::uint32_t>(1, op.length - skip + 1);
  const Payload later(7, {.id = 1, .others_before = true});
  const Buffer part(all.begin() + skip, all.begin() + skip + length);
  RC_ASSERT(later.inspect(read_of(op.object, op.offset + skip, length), part, true).rc == 0);
}

TEST(PayloadGeneration, FitsWholeSectorsAndNumbersOfBounds) {
  EXPECT_TRUE(Payload::holds_generations(1, mib(4).count, kib(4).count));
  EXPECT_FALSE(Payload::holds_generations(1, mib(4).count, 1000));
  EXPECT_FALSE(Payload::holds_generations(1, mib(4).count, 0));
  EXPECT_FALSE(Payload::holds_generations(std::uint64_t{1} << 40U, mib(4).count, 512));
  EXPECT_FALSE(Payload::holds_generations(1, gib(128).count, 512));
}

TEST(PayloadGeneration, Format_IsStable) {
  const Op op = read_of(3, 8192, 4096);
  Buffer data(op.length);
  Payload(stamp_id("7f3a"), {.id = stamp_id("81b2")}).fill(op, data, 77);
  EXPECT_EQ(std::memcmp(data.data(), "RDLG", 4), 0);
  EXPECT_EQ(checksum(data), 0x1b4404eaU);
}

TEST(StampId, DiffersByRun) {
  EXPECT_NE(stamp_id("a"), stamp_id("b"));
  EXPECT_EQ(stamp_id("a"), stamp_id("a"));
}

}  // namespace
}  // namespace radosload::workload
