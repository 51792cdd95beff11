// The named patterns, and the language of --pattern:
//
//   NAME[,key=value...]        randrw4k   randread4k,bs=8k,dist=zipf:1.1   seq,read=0,bs=64k
//
// A name is a set of defaults; keys change them, and each key is also a command-line option of the
// same name. `rand` and `seq` are the names to start a pattern of one's own from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/pattern.h"
#include "radosload/result.h"

namespace radosload::plan {

struct NamedPattern {
  Pattern defaults;          // defaults.name is the name
  std::string_view summary;  // one line
  std::string_view detail;   // what it is for, and what to know before trusting it
};

// In the order in which `radosload patterns` lists them. Lives as long as the program.
std::span<const NamedPattern> catalogue();
const NamedPattern* find_pattern(std::string_view name);

struct KeyHelp {
  std::string_view key;     // also the option, as --key
  std::string_view values;  // "SIZE", "uniform|zipf[:THETA]"
  std::string_view summary;
};
std::span<const KeyHelp> pattern_keys();

// A key and its value as the user wrote them.
struct Setting {
  std::string key;
  std::string value;
};

// A pattern's text, split. Only its form is checked, not its meaning.
struct PatternWords {
  std::string name;
  std::vector<Setting> settings;
};
Result<PatternWords> split_pattern(std::string_view text);
// Options replace settings of the same key; later options replace earlier ones.
std::vector<Setting> merge(std::vector<Setting> settings, std::span<const Setting> options);

// The pattern of that text, with the command line's options on top (they win over keys in the
// text), or the first thing that is wrong with it. Everything comes checked.
Result<Pattern> parse_pattern(std::string_view text, std::span<const Setting> options = {});

// Sets one key of one pattern. Refuses unknown keys, invalid values, and keys that the pattern does
// not have; check() finds contradictions between keys.
Status apply(Pattern& pattern, std::string_view key, std::string_view value);

// Checks the pattern as a whole.
Status check(const Pattern& pattern);

// Every setting in force by its long name, in a fixed order, "pattern" first; keys that the
// pattern does not have are left out. Reads back through parse_pattern to the same Pattern.
std::vector<Setting> describe(const Pattern& pattern);
// The same as one text of the language above.
std::string pattern_text(const Pattern& pattern);

}  // namespace radosload::plan
