// Runs the target on every file of a folder and fails unless that many were run: what fuzzing found
// once stays found. usage: replay_TARGET COUNT FOLDER
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "fuzz/target.h"

namespace {

bool replay(const std::filesystem::path& path) {
  // Flushed, so that the last line of a test that crashed names its input.
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) return false;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t expected = 0;
  const std::string_view number = count == 3 ? arguments[1] : "";
  const char* const end = number.data() + number.size();
  if (std::from_chars(number.data(), end, expected).ptr != end || expected == 0) {
    std::fprintf(stderr, "usage: replay COUNT FOLDER (COUNT is at least 1)\n");
    return 2;
  }
  std::size_t replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[2])) {
    if (!replay(entry.path())) {
      std::fprintf(stderr, "replay: cannot read %s\n", entry.path().c_str());
      return 1;
    }
    ++replayed;
  }
  std::printf("%zu of %zu inputs\n", replayed, expected);
  return replayed == expected ? 0 : 1;
}
