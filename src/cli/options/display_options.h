// The appearance of output: the options --ascii and --color, and what the terminals on stdout and
// stderr support.
#pragma once

#include <string>
#include <string_view>

#include "report/style.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct DisplayOptions {
  bool ascii = false;
  std::string color = "auto";
};

// --color on every subcommand, --ascii on those that draw pictures.
void add_display_options(CLI::App& command, DisplayOptions& display);
// Call after parsing the command line; before that everything is automatic.
void use_display(const DisplayOptions& display);

// The size of the terminal behind a descriptor; 80 by 24 if it is unknown.
struct Screen {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
Screen screen_of(int descriptor);
// Uses block characters if the locale is UTF-8 and --ascii is not given.
report::Style style_for(int descriptor);
bool colours_on(int descriptor);

// The two decisions as pure functions. The first of the three variables that is set decides.
bool is_utf8_locale(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang);
bool wants_colours(std::string_view choice, bool terminal, std::string_view no_color,
                   std::string_view term);

}  // namespace radosload::cli
