#include "radosload/result.h"

#include <cstdlib>
#include <cstring>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload {

std::string errno_name(int errnum) {
  const int positive = std::abs(errnum);
  const char* name = strerrorname_np(positive);
  return name != nullptr ? name : fmt::format("errno {}", positive);
}

std::string errno_text(int errnum) {
  const char* description = strerrordesc_np(std::abs(errnum));
  return fmt::format("{} ({})", description != nullptr ? description : "unknown error",
                     errno_name(errnum));
}

std::string Error::message() const {
  // A reason may be another error's message, of several lines; a subject is a name.
  std::string text = attempt.empty() ? reason : fmt::format("cannot {}", attempt);
  if (!subject.empty()) text += fmt::format(" {}", printable(subject));
  if (!attempt.empty() && !reason.empty()) text += fmt::format(": {}", reason);
  if (errnum != 0) text += fmt::format(": {}", errno_text(errnum));
  if (!hint.empty()) text += fmt::format("\n  {}", hint);
  return printable_lines(text);
}

std::string one_line(Error error) {
  const std::string hint = std::exchange(error.hint, {});
  return hint.empty() ? error.message() : fmt::format("{} ({})", error.message(), hint);
}

}  // namespace radosload
