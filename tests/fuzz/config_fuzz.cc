// A config file as anybody may have written it: whatever is understood has a section, a key, a
// value and the line where it stands.
#include <string>

#include "cli/options/config_file.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace radosload;
  const std::string_view text = fuzz::text_of(data, size);
  const auto parsed = cli::parse_config(text, "f");
  if (!parsed) {
    fuzz::require(parsed.error().message().find("f:") != std::string::npos);
    return 0;
  }
  int line = 0;
  for (const cli::ConfigEntry& entry : *parsed) {
    fuzz::require(!entry.section.empty() && !entry.key.empty() && !entry.value.empty());
    fuzz::require(entry.line > line);
    line = entry.line;
    fuzz::require(entry.value.find('\n') == std::string::npos);
  }
  return 0;
}
