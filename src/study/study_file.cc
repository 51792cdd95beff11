#include "study/study_file.h"

namespace radosload::study {

namespace {

tl::unexpected<Error> no_files() {
  return fail({.attempt = "read the file of a study",
               .reason = "this build cannot read YAML",
               .hint = "continue a saved study with --resume",
               .exit = Exit::usage});
}

}  // namespace

Result<StudyPlan> read_study(std::string_view, const std::string&) {
  return no_files();
}
Result<StudyPlan> read_study_file(const std::filesystem::path&) {
  return no_files();
}
Status apply_arm(StudyPlan&, std::string_view) {
  return no_files();
}
Status apply_setting(StudyPlan&, std::string_view) {
  return no_files();
}
Status check_study(const StudyPlan&, const std::string&) {
  return no_files();
}
std::string study_text(const StudyPlan&) {
  return {};
}
std::vector<std::string> study_names() {
  return {};
}
Result<std::filesystem::path> find_study(const std::string& word) {
  return std::filesystem::path(word);
}

}  // namespace radosload::study
