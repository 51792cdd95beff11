// The whole program: parses the command line, runs one command, returns the exit status.
#pragma once

namespace radosload::cli {

int run_program(int argc, char** argv);

}  // namespace radosload::cli
