// Lines of the history: one JSON document each, so that a killed process loses the round under way
// and nothing else. Pure.
//
//   {"schema":"radosload.probe-history/1","pool":"hdd","namespace":"radosload","started":"..."}
//   {"at":"...","took_ms":412,"osds":{"hdd":[[0,8123,15234],[3,null,14100,1,0,-110]]}}
//   {"change":{"found":"...","since":"...","osd":3,"kind":"read","ratio":1.52,...}}
//
// A row is an OSD, its typical read and write in microseconds, and if operations failed: how many
// reads, how many writes, and the error of the first.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "radosload/result.h"

#include "probe/facts.h"

namespace radosload::probe {

inline constexpr std::string_view history_schema = "radosload.probe-history/1";

// What all rounds of a file have in common.
struct HistoryHeader {
  std::string pool = {};
  std::string nspace = {};
  std::string started = {};  // 2026-11-26T08:20:00Z
  bool operator==(const HistoryHeader&) const = default;
};

using HistoryLine = std::variant<HistoryHeader, Round, Change>;

// Each ends in a newline.
std::string encode(const HistoryHeader& header);
std::string encode(const Round& round);
std::string encode(const Change& change);

// The answered operations of a round are not in its line: a typical time stands for one.
Result<HistoryLine> decode_history_line(std::string_view line);

}  // namespace radosload::probe
