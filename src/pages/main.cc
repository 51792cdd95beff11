// Writes man pages and completion into a folder. Only the build uses this program.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/command_line.h"
#include "cli/declared.h"
#include "pages/completion.h"
#include "pages/man_page.h"

namespace {

namespace fs = std::filesystem;

bool write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return true;
  std::fprintf(stderr, "cannot write %s\n", path.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_pages FOLDER\n", stderr);
    return 2;
  }
  const radosload::cli::CommandLine line;
  const auto program = radosload::cli::declared(line.app);
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  bool fine = write(folder / "radosload.bash", radosload::pages::bash_completion(program));
  fine = write(folder / "radosload.zsh", radosload::pages::zsh_completion(program)) && fine;
  fine = write(folder / "radosload.fish", radosload::pages::fish_completion(program)) && fine;
  for (const auto& page : radosload::pages::man_pages(program)) {
    fine = write(folder / page.file, page.text) && fine;
  }
  return fine ? 0 : 1;
}
