// The command line: words in, one subcommand run, an exit status out.
#pragma once

namespace radosload::cli {

int run_program(int argc, char** argv);

}  // namespace radosload::cli
