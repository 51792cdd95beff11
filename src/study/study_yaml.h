// Internal to this room: YAML as a small tree with lines, within limits, so that no text can make
// the program slow or large. Anchors, aliases, tags and a second document are refused: a study
// needs none of them. What the keys mean is not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

namespace radosload::study {

inline constexpr std::size_t most_study_bytes = 256U << 10U;
inline constexpr std::size_t most_yaml_nodes = 5000;
inline constexpr std::size_t most_yaml_levels = 8;

struct YamlNode {
  enum class Kind : std::uint8_t { empty, scalar, list, map };
  Kind kind = Kind::empty;
  std::string key = {};              // of an entry of a map
  std::string text = {};             // of a scalar
  int line = 0;                      // from 1; of an entry that of its key
  std::vector<YamlNode> items = {};  // of a list; the entries of a map, each key once
};

// What is being read, for errors: a file, whose lines are named, or an option.
struct Reading {
  std::string attempt;  // "read the study"
  std::string subject;  // "x.yaml"
  bool lines = true;

  tl::unexpected<Error> refuse(int line, std::string reason, std::string hint = {}) const;
  tl::unexpected<Error> refuse(const YamlNode& node, std::string reason,
                               std::string hint = {}) const {
    return refuse(node.line, std::move(reason), std::move(hint));
  }
  // An error of another room, with its place: "patterns: the pattern 'x': there is no ...".
  tl::unexpected<Error> pass_on(int line, const std::string& key, const Error& error) const;
};

// Refuses text that is too long, has control characters, or is not UTF-8.
Status check_text(std::string_view text, const Reading& reading);

// The root of the only document. An empty text is an empty node.
Result<YamlNode> parse_yaml(std::string_view text, const Reading& reading);

}  // namespace radosload::study
