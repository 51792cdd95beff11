#include <cstdio>
#include <unistd.h>

#include "cli/output.h"
#include "cli/program.h"
#include "cluster/bounded_call.h"
#include "run/measure.h"

int main(int argc, char** argv) {
  radosload::cli::prepare_streams();
  const int status = radosload::cli::run_program(argc, argv);
  const int left_behind =
      radosload::cluster::abandoned_calls() + radosload::run::abandoned_passes();
  if (left_behind == 0) return status;
  // librados threads may still run calls that did not return, so nothing that they use is
  // destroyed.
  std::fflush(nullptr);
  _exit(status);
}
