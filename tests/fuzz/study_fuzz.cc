// The file of a study as anybody may have written it: an error names the file and is a usage error;
// what was read can be written, and reads back as the same study.
#include <string>

#include "fuzz/target.h"
#include "study/study_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace radosload;
  const std::string_view text = fuzz::text_of(data, size);
  auto plan = study::read_study(text, "f.yaml");
  if (!plan) {
    fuzz::require(plan.error().exit == Exit::usage);
    fuzz::require(plan.error().message().find("f.yaml") != std::string::npos);
    return 0;
  }
  const auto again = study::read_study(study::study_text(*plan), "f.yaml");
  fuzz::require(again && *again == *plan);
  static_cast<void>(study::check_study(*plan, "f.yaml"));
  const std::string line(text.substr(0, text.find('\n')));
  if (study::apply_setting(*plan, line) || study::apply_arm(*plan, line)) {
    fuzz::require(study::read_study(study::study_text(*plan), "f.yaml").has_value());
  }
  return 0;
}
