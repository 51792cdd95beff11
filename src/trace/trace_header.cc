#include "trace/trace_header.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "trace/trace_row.h"

#include <fmt/format.h>

namespace radosload::trace {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_1_bytes = 10;  // magic, version, and two bytes of length
constexpr std::size_t version_2_bytes = 12;  // the same with four bytes of length
constexpr std::string_view measured_key = "#measured_ns=";
constexpr std::string_view columns =
    "('intended_ns', '<i8'), ('submit_ns', '<i8'), ('complete_ns', '<i8'), ('where', '<u8'), "
    "('bytes', '<u4'), ('osd', '<i4'), ('pg', '<u4'), ('rc', '<i2'), ('op', '|u1'), "
    "('client', '|u1')";

tl::unexpected<Error> not_a_trace(const std::string& subject, std::string reason) {
  return fail({.attempt = "read the trace",
               .subject = subject,
               .reason = std::move(reason),
               .hint = "write a trace with 'radosload run --trace FILE.npy'",
               .exit = Exit::usage});
}

std::string without_space(std::string_view text) {
  std::string dense(text);
  std::erase_if(dense, [](char letter) { return letter == ' ' || letter == '\t'; });
  if (dense.ends_with('\n')) dense.pop_back();
  return dense;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    const auto byte = static_cast<unsigned char>(bytes[i - 1]);
    value = value << 8U | std::size_t{byte};
  }
  return value;
}

// Parses the number of rows; false when the text is not the header of a trace.
bool parse_description(std::string_view words, std::uint64_t& rows) {
  const std::string before =
      without_space(fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': (", columns));
  if (!words.starts_with(before)) return false;
  const char* const end = words.data() + words.size();
  const auto [stop, error] = std::from_chars(words.data() + before.size(), end, rows);
  const std::string_view after(stop, static_cast<std::size_t>(end - stop));
  return error == std::errc() && (after == ",)}" || after == ",),}");
}

// Empty for a comment that radosload did not write.
std::optional<Time> parse_measured(std::string_view comment) {
  Time::rep ns = 0;
  if (!comment.starts_with(measured_key)) return std::nullopt;
  const char* const end = comment.data() + comment.size();
  const auto [stop, error] = std::from_chars(comment.data() + measured_key.size(), end, ns);
  if (error != std::errc() || stop != end || ns < 0) return std::nullopt;
  return Time(ns);
}

}  // namespace

std::string encode_trace_header(std::uint64_t rows, bool ended, std::optional<Time> measured) {
  constexpr std::size_t length = trace_header_bytes - version_1_bytes;
  std::string text(magic);
  text += '\1';
  text += '\0';
  text += static_cast<char>(length & 0xffU);
  text += static_cast<char>(length >> 8U);
  // Twenty digits hold any count, and Python ignores blanks before a number.
  text +=
      fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({:20},), }}", columns, rows);
  if (measured) text += fmt::format("{}{}", measured_key, measured->count());
  text.resize(trace_header_bytes - 1, ' ');
  if (ended) text.back() = '\t';
  return text + '\n';
}

Result<TraceHeader> parse_trace_header(std::string_view file, const std::string& subject) {
  constexpr std::size_t version_at = magic.size();
  if (!file.starts_with(magic) || file.size() < version_2_bytes) {
    return not_a_trace(subject, "it is not a .npy file");
  }
  const bool first_version = file[version_at] == '\1';
  const std::size_t begin = first_version ? version_1_bytes : version_2_bytes;
  const std::size_t length = little_endian(file.substr(version_at + 2, first_version ? 2 : 4));
  if (length > longest_trace_header - begin) {
    return not_a_trace(subject, "its .npy header is too long for a trace");
  }
  if (file.size() < begin + length) return not_a_trace(subject, "the file ends inside its header");
  TraceHeader header;
  header.data_begin = begin + length;
  const std::string words = without_space(file.substr(begin, length));
  const std::size_t comment = std::min(words.find('#'), words.size());
  header.measured = parse_measured(std::string_view(words).substr(comment));
  if (!parse_description(std::string_view(words).substr(0, comment), header.rows)) {
    return not_a_trace(subject, "it is a .npy file, but its columns are not those of a trace");
  }
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max() / sizeof(TraceRow) - 1024;
  if (header.rows > most) {
    return not_a_trace(subject, "its header names more rows than a file can hold");
  }
  header.ended = header.data_begin != trace_header_bytes || file[trace_header_bytes - 2] == '\t';
  return header;
}

}  // namespace radosload::trace
