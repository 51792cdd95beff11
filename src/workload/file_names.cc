#include "workload/file_names.h"

#include <algorithm>

namespace radosload::workload {

namespace {

constexpr std::size_t directory_digits = 6;
constexpr std::size_t file_digits = 12;

char* put_number(char* out, std::uint64_t value, std::size_t digits) noexcept {
  constexpr std::uint64_t ten = 10;
  for (std::size_t i = digits; i-- > 0; value /= ten) {
    out[i] = static_cast<char>('0' + value % ten);
  }
  return out + digits;
}

char* put_directory(char* out, std::uint64_t directory) noexcept {
  *out++ = '/';
  *out++ = 'd';
  return put_number(out, directory, directory_digits);
}

bool is_name(std::string_view name, char first, std::size_t digits) noexcept {
  return name.size() == digits + 1 && name[0] == first &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

FilePath directory_path(std::uint64_t directory) noexcept {
  FilePath path{};
  put_directory(path.data(), directory);
  return path;
}

FilePath file_path(std::uint64_t file, std::uint64_t entries) noexcept {
  FilePath path{};
  char* out = put_directory(path.data(), file / entries);
  *out++ = '/';
  *out++ = 'f';
  put_number(out, file, file_digits);
  return path;
}

bool is_directory_name(std::string_view name) noexcept {
  return is_name(name, 'd', directory_digits);
}

bool is_file_name(std::string_view name) noexcept {
  return is_name(name, 'f', file_digits);
}

}  // namespace radosload::workload
