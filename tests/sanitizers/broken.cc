// Proof that the sanitizers of a build look: each word makes one of the mistakes that they find.
// The tests require the place of the mistake in what is printed.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <climits>

namespace {

int overflow(int value) {
  return INT_MAX - 1 + value;  // the overflow
}

int read_freed(int value) {
  auto owner = std::make_unique<int>(value);
  const int* const freed = owner.get();
  owner.reset();
  return *freed;  // the use after free
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  const std::string mistake = argv[1];
  const int result = mistake == "overflow" ? overflow(argc) : read_freed(argc);
  std::printf("%d: the mistake was not found\n", result);
  return EXIT_SUCCESS;
}
