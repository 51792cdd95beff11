// Rows of the table of options: how power is measured.
#include "plan/names.h"
#include "plan/option_fields.h"

namespace radosload::plan {

std::vector<Option> options_of_power() {
  return {
      {.name = "power",
       .group = Group::power,
       .type = "off|rapl|hwmon|auto",
       .help = "measure the power of this machine and the energy of an operation: rapl: CPU "
               "packages; hwmon: sensors of the board; auto: the one that sees most",
       .matters = Matters::no,
       .access = choice<power_names, &RunPlan::power, &PowerPlan::sensors>()},
      {.name = "power-cmd",
       .group = Group::power,
       .type = "CMD",
       .help = "shell command that prints watts, run once a second: for other hosts, PDUs and BMCs",
       .matters = Matters::no,
       .from_file = FromFile::said_again,
       .access = field<&RunPlan::power, &PowerPlan::command>()},
      {.name = "power-idle",
       .group = Group::power,
       .type = "TIME",
       .help = "how long power without load is measured before the run, to subtract it; 0: not",
       .matters = Matters::no,
       .access = field<&RunPlan::power, &PowerPlan::idle>()},
  };
}

}  // namespace radosload::plan
