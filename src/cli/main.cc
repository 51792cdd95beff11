#include <cstdio>
#include <unistd.h>

#include "cli/program.h"
#include "cluster/bounded_call.h"

int main(int argc, char** argv) {
  const int status = radosload::cli::run_program(argc, argv);
  if (radosload::cluster::abandoned_calls() == 0) return status;
  // A command that never came back still runs on a thread of librados: no destructors under it.
  std::fflush(nullptr);
  _exit(status);
}
