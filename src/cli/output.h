// All output goes through here: results to stdout, everything else to stderr. Nothing throws, and
// control characters in names are shown as escapes. Colours are added after that.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::cli {

// To be called first in main. Descriptors 0 to 2 that are closed would be given to the next file
// opened, a record or a socket, and messages would end in it: they are opened on /dev/null, so that
// reading and writing them fails. A reader that goes away is an error of the write, not a signal.
void prepare_streams();

// stderr. A text that cannot be written is dropped, because the run matters more than its messages.
void tell(std::string_view lines) noexcept;
// The same with "radosload: " before it and a newline behind.
void warn(std::string_view text) noexcept;
// The same for what ends the program.
void tell_error(std::string_view text) noexcept;
// For what is drawn over itself: `controls` go to the terminal as they are, and the lines get their
// colours.
void draw(std::string_view controls, std::string_view lines) noexcept;

// stdout, for a result too long to be held as one text.
class ResultWriter {
 public:
  // False: nothing more is taken, because a write has failed or the reader has gone away.
  bool write(std::string_view lines);
  // The same for text that people read: on a terminal it gets its colours.
  bool write_text(std::string_view lines);
  // The program's exit status: `exit`, or flawed (and said) where a write failed. A reader that has
  // gone away (| head) has seen what it wanted. `hint`: where else the result is.
  [[nodiscard]] Exit finish(Exit exit, const std::string& hint = "") const;

 private:
  int m_errnum = 0;
};

// The hint for a result that is saved there; empty for one that is saved nowhere.
std::string shown_again(const std::string& saved_as);
[[nodiscard]] Exit print_result(std::string_view lines, Exit exit = Exit::measured,
                                const std::string& hint = "");
// A result for people, in colour where stdout shows it.
[[nodiscard]] Exit print_text(std::string_view lines, Exit exit = Exit::measured,
                              const std::string& hint = "");

}  // namespace radosload::cli
