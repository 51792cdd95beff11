// Rows and files of traces for the tests of trace/ and report/.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/files.h"
#include "trace/trace_file.h"
#include "trace/trace_row.h"

namespace radosload::trace::testing {

inline TraceRow a_row(std::int64_t number) {
  TraceRow row{};
  row.intended_ns = number * 1000;
  row.submit_ns = row.intended_ns + 10;
  row.complete_ns = row.submit_ns + 500 + number;
  row.where = static_cast<std::uint64_t>(number) * 4096;
  row.bytes = 4096;
  row.osd = static_cast<std::int32_t>(number % 3);
  row.pg = no_pg;
  return row;
}

inline std::string bytes_of(std::span<const TraceRow> rows) {
  std::string bytes(rows.size_bytes(), '\0');
  std::memcpy(bytes.data(), rows.data(), rows.size_bytes());
  return bytes;
}

inline std::vector<TraceRow> some_rows(std::int64_t count) {
  std::vector<TraceRow> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(a_row(i));
  return rows;
}

inline std::vector<TraceRow> rows_in(const std::filesystem::path& path) {
  const auto file = TraceFile::open(path);
  if (!file) throw std::runtime_error(file.error().message());
  std::vector<TraceRow> rows(file->rows());
  const auto got = file->read(0, rows);
  if (!got || *got != rows.size()) throw std::runtime_error("not all rows can be read");
  return rows;
}

class TraceFixture : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return m_folder.path() / "a.npy"; }
  // What a run leaves behind that is killed when it has told of so many rows.
  void leave(std::uint64_t told, std::span<const TraceRow> rows, const std::string& after = {},
             bool ended = false) const {
    std::ofstream(path()) << trace::encode_trace_header(told, ended) << bytes_of(rows) << after;
  }
  test::TemporaryFolder m_folder;
};

}  // namespace radosload::trace::testing
