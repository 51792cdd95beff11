// All output goes through these functions: results to stdout, everything else to stderr. They do
// not throw, and escape control characters in names. Colours are added after that.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::cli {

// Call first in main. Opens closed descriptors 0 to 2 on /dev/null, so that reading and writing
// them fails; otherwise the next file or socket would get such a number, and messages would be
// written to it. A closed pipe becomes an error of the write, not a signal.
void prepare_streams();

// Writes to stderr. A text that cannot be written is dropped, because the run is more important.
void tell(std::string_view lines) noexcept;
// The same with "radosload: " before it and a newline after it.
void warn(std::string_view text) noexcept;
// The same for the error that ends the program.
void tell_error(std::string_view text) noexcept;
// For lines that are redrawn: `controls` are written unchanged, and the lines are coloured.
void draw(std::string_view controls, std::string_view lines) noexcept;

// Writes a result to stdout that is too long to be held as one text.
class ResultWriter {
 public:
  // False: stop writing, because a write failed or the reader closed the pipe.
  bool write(std::string_view lines);
  // The same for text for people, which is coloured on a terminal.
  bool write_text(std::string_view lines);
  // The program's exit status: `exit`, or flawed with a message if a write failed. A reader that
  // closed the pipe (| head) is not an error. `hint`: where else the result can be found.
  [[nodiscard]] Exit finish(Exit exit, const std::string& hint = "") const;

 private:
  int m_errnum = 0;
};

// The hint for a result that is saved there; empty if it is not saved.
std::string shown_again(const std::string& saved_as);
[[nodiscard]] Exit print_result(std::string_view lines, Exit exit = Exit::measured,
                                const std::string& hint = "");
// A result for people, coloured if stdout is a terminal with colours.
[[nodiscard]] Exit print_text(std::string_view lines, Exit exit = Exit::measured,
                              const std::string& hint = "");

}  // namespace radosload::cli
