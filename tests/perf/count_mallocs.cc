// Preloaded into a program, it counts what is allocated, by whatever function, and says so on
// stderr at the end. Everything goes to glibc's own allocator, whichever the program was linked
// with.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

// NOLINTBEGIN(bugprone-reserved-identifier): glibc's names
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

std::atomic<unsigned long> count{0};

void* counted(void* memory) {
  count.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void* need(void* memory) {
  if (memory == nullptr) std::abort();
  return counted(memory);
}

// NOLINTNEXTLINE(cppcoreguidelines-special-member-functions): there is one
struct AtTheEnd {
  ~AtTheEnd() { std::fprintf(stderr, "mallocs %lu\n", count.load()); }
} at_the_end;

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  return counted(__libc_malloc(size));
}
void* calloc(std::size_t nmemb, std::size_t size) {
  return counted(__libc_calloc(nmemb, size));
}
void* realloc(void* ptr, std::size_t size) {
  return counted(__libc_realloc(ptr, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** memptr, std::size_t alignment, std::size_t size) {
  *memptr = counted(__libc_memalign(alignment, size));
  return *memptr == nullptr ? ENOMEM : 0;
}
void free(void* ptr) {
  __libc_free(ptr);
}
}

void* operator new(std::size_t size) {
  return need(__libc_malloc(size));
}
void* operator new[](std::size_t size) {
  return need(__libc_malloc(size));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(__libc_malloc(size));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted(__libc_malloc(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return need(__libc_memalign(static_cast<std::size_t>(alignment), size));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return need(__libc_memalign(static_cast<std::size_t>(alignment), size));
}
void operator delete(void* memory) noexcept {
  __libc_free(memory);
}
void operator delete[](void* memory) noexcept {
  __libc_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  __libc_free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  __libc_free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  __libc_free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  __libc_free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  __libc_free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  __libc_free(memory);
}
