// What is sent from a slot's memory, seen from the library beneath: it refers to the bytes of an
// operation for as long as it likes, and finds in them what the operation was sent with.

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "target/slot_bytes.h"

namespace radosload::target {
namespace {

constexpr std::size_t room = 1U << 20U;

// A message of a library's: it shares the bytes, as librados's own do.
using Message = librados::bufferlist;

struct Sender {
  Slot slot;
  SendBuffer buffer;

  Sender() {
    slot.room = room;
    buffer.serve(slot);
  }
  // One write, as the engine and a target make it.
  Message write(char content) {
    buffer.renew(slot);
    std::memset(slot.buffer.data(), content, slot.buffer.size());
    return Message(buffer.bytes(room));
  }
};

bool is_all(const Message& message, char content) {
  Message copy(message);
  const std::string_view bytes(copy.c_str(), copy.length());
  return bytes.size() == room && bytes.find_first_not_of(content) == std::string_view::npos;
}

TEST(SendBuffer, AMessageOutlivesTheTargetAndTheSlot) {
  Message late;
  {
    Sender sender;
    late = sender.write('a');
  }
  EXPECT_TRUE(is_all(late, 'a'));
}

TEST(SendBuffer, BytesOfAMessageInUse_AreNotOverwritten) {
  Sender sender;
  const Message first = sender.write('a');
  const Message second = sender.write('b');
  const Message third = sender.write('c');
  EXPECT_TRUE(is_all(first, 'a'));
  EXPECT_TRUE(is_all(second, 'b'));
  EXPECT_TRUE(is_all(third, 'c'));
}

TEST(SendBuffer, UnusedMemory_IsReused) {
  Sender sender;
  const std::byte* const memory = sender.slot.buffer.data();
  for (const char content : {'a', 'b', 'c'}) {
    const Message message = sender.write(content);
    EXPECT_TRUE(is_all(message, content));
    EXPECT_EQ(sender.slot.buffer.data(), memory);
  }
}

// A client that lets go of a message a moment after its answer makes no new memory every time.
TEST(SendBuffer, MessageHeldUntilTheNext_TwoPiecesAreEnough) {
  Sender sender;
  Message held = sender.write('a');
  const std::byte* const one = sender.slot.buffer.data();
  held = sender.write('b');
  const std::byte* const other = sender.slot.buffer.data();
  EXPECT_NE(one, other);
  for (int round = 0; round < 10; ++round) {
    held = sender.write('c');
    EXPECT_EQ(sender.slot.buffer.data(), round % 2 == 0 ? one : other);
    EXPECT_TRUE(is_all(held, 'c'));
  }
}

// Buffers keep checksums of what was in them, and the next content is not that.
TEST(SendBuffer, NewContentHasANewChecksum) {
  Sender sender;
  const auto checksum_of = [&](char content) { return sender.write(content).crc32c(0); };
  const auto first = checksum_of('a');
  EXPECT_NE(checksum_of('b'), first);
  EXPECT_EQ(checksum_of('a'), first);
}

TEST(SendBuffer, ASlotWithoutPayloadsTakesNoMemory) {
  Slot slot;
  SendBuffer buffer;
  buffer.serve(slot);
  buffer.renew(slot);
  EXPECT_TRUE(slot.buffer.empty());
}

}  // namespace
}  // namespace radosload::target
