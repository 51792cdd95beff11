#include "cli/options/display_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace radosload::cli {

namespace {

DisplayOptions& display_in_force() {
  static DisplayOptions display;
  return display;
}

std::string_view environment_text(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void add_display_options(CLI::App& command, DisplayOptions& display) {
  constexpr std::array<std::string_view, 3> drawing = {"run", "report", "compare"};
  const std::string group = "Output";
  command.add_option("--color", display.color, "colour verdicts, errors and slow OSDs")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("auto|always|never")
      ->capture_default_str()
      ->group(group);
  if (std::find(drawing.begin(), drawing.end(), command.get_name()) == drawing.end()) return;
  command.add_flag("--ascii", display.ascii, "draw pictures with ASCII characters only")
      ->group(group);
}

void use_display(const DisplayOptions& display) {
  display_in_force() = display;
}

Screen screen_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return {};
  if (size.ws_col < 2 || size.ws_row < 2) return {};
  return {.columns = size.ws_col, .rows = size.ws_row};
}

report::Style style_for(int descriptor) {
  const bool utf8 = is_utf8_locale(environment_text("LC_ALL"), environment_text("LC_CTYPE"),
                                   environment_text("LANG"));
  return {.columns = screen_of(descriptor).columns, .unicode = utf8 && !display_in_force().ascii};
}

bool colours_on(int descriptor) {
  return wants_colours(display_in_force().color, ::isatty(descriptor) == 1,
                       environment_text("NO_COLOR"), environment_text("TERM"));
}

bool is_utf8_locale(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang) {
  if (lc_all.empty()) lc_all = lc_ctype.empty() ? lang : lc_ctype;
  std::string name(lc_all);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

bool wants_colours(std::string_view choice, bool terminal, std::string_view no_color,
                   std::string_view term) {
  if (choice != "auto") return choice == "always";
  return terminal && no_color.empty() && term != "dumb" && !term.empty();
}

}  // namespace radosload::cli
