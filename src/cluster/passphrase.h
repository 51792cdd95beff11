// The passphrase of encrypted images: read up to a limit, kept in one place, and wiped when its
// last owner is gone. A process that has read one writes no core dump.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "radosload/result.h"

namespace radosload::cluster {

// Bytes that are wiped when it ends.
struct SecretBytes {
  // Key files have up to some kilobytes; the byte beyond shows that a file has more.
  static constexpr std::size_t most = 65'536;

  SecretBytes() = default;
  ~SecretBytes();
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  SecretBytes(SecretBytes&&) = delete;
  SecretBytes& operator=(SecretBytes&&) = delete;

  std::array<char, most + 1> bytes{};
  std::size_t size = 0;
};

// Copies share the bytes.
class Passphrase {
 public:
  // None: images are opened as they are.
  Passphrase() = default;
  // Takes the whole file as it is. From here on the kernel writes no core dump of this process, and
  // lets no other process of the same user read its memory (PR_SET_DUMPABLE).
  static Result<Passphrase> read(const std::string& path);

  bool empty() const { return text().empty(); }
  // Valid while a copy of this object exists.
  std::string_view text() const;

 private:
  explicit Passphrase(std::shared_ptr<const SecretBytes> bytes) : m_bytes(std::move(bytes)) {}

  std::shared_ptr<const SecretBytes> m_bytes;
};

}  // namespace radosload::cluster
