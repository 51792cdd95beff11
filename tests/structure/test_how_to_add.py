"""Follows ARCHITECTURE.md's "How to add: an option of a run" on a copy of the files, step by step, and
sees the option in --help, in the JSON of a plan and in the comparison that --resume makes."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# File of each step, the line it is added before or after, and what is added there.
STEPS = {
    "include/radosload/run_plan.h":
        ("before", "  bool operator==(const RunPlan&) const = default;\n};\n\n// Whether operations",
         "  std::uint64_t repeats = 3;\n"),
    "src/plan/options_load.cc":
        ("after", "std::vector<Option> safety_rows() {\n  return {\n",
         '      {.name = "repeats",\n'
         "       .group = Group::safety,\n"
         '       .type = "N",\n'
         '       .help = "how often it is repeated",\n'
         "       .access = field<&RunPlan::repeats>()},\n"),
    "src/plan/validate.cc":
        ("after", "Status check_place(const RunPlan& plan) {\n",
         "  if (plan.repeats > 9 && plan.keep) {\n"
         '    return fail(contradiction("--repeats over 9 and --keep exclude each other", ""));\n'
         "  }\n"),
    "tests/unit/plan_support.h":
        ("before", "    plan.push_through = *rc::gen::arbitrary<bool>();\n",
         "    plan.repeats = *rc::gen::arbitrary<std::uint64_t>();\n"),
}

# What acts on the option: the command line, the documents and a resumed series.
PROGRAM = """
#include <iostream>

#include "cli/options/plan_options.h"
#include "plan/patterns.h"
#include "plan/plan_codec.h"
#include "plan/validate.h"
#include "record/series.h"

#include <nlohmann/json.hpp>

using namespace radosload;

namespace {

RunPlan parsed(CLI::App& app, RunPlan& plan, const std::string& words) {
  for (const plan::Option& option : plan::options()) {
    if (option.group == plan::Group::hidden || option.listed) continue;
    cli::declare(app, option, [&plan, &option](const std::string& text) {
      cli::set_or_throw(option, plan, text);
    });
  }
  app.parse(words);
  return plan;
}

record::Series series_of(const RunPlan& plan) {
  record::Series series;
  series.steps.push_back({.name = "a", .settings = {}, .plan = plan, .reason = {}, .record = {}});
  return series;
}

std::string resumed(const RunPlan& begun, const RunPlan& planned) {
  const auto same = record::check_same_plan(series_of(begun), series_of(planned).steps);
  return same ? "" : same.error().message();
}

}  // namespace

int main() {
  CLI::App app;
  RunPlan plan;
  parsed(app, plan, "--pool hdd --repeats 5");
  plan.pattern = *plan::parse_pattern("randread4k");
  RunPlan other = plan;
  other.repeats = 6;
  RunPlan wrong = plan;
  wrong.repeats = 10;
  wrong.keep = true;
  const auto json = plan::plan_json(plan);
  const auto valid = plan::validate(wrong);
  const nlohmann::ordered_json seen = {
      {"help", app.help()},
      {"value", plan.repeats},
      {"json", json["repeats"]},
      {"comes back", *plan::plan_from(json) == plan},
      {"resumed as it was", resumed(plan, plan)},
      {"resumed otherwise", resumed(plan, other)},
      {"contradiction", valid ? "" : valid.error().message()}};
  std::cout << seen.dump();
}
"""


def recipe():
    """The paragraph of ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.search(r"\*\*An option of a run\.\*\*(.*?)\n\n", text, re.S).group(1)


def files_of_recipe():
    """The files that it names, from the root of the source."""
    files = set()
    for name in re.findall(r"`([^`]+\.(?:h|cc))`", recipe()):
        path = name if (ROOT / name).exists() else f"src/{name}"
        files.add(path)
    return files


def copy_with(steps, folder):
    """A copy of the source in which the steps have been taken."""
    for name in ("include", "src"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "tests/unit").mkdir(parents=True)
    for name in steps:
        shutil.copy(ROOT / name, folder / name)
    for name, (where, line, added) in steps.items():
        path = folder / name
        text = path.read_text(encoding="utf-8")
        if text.count(line) != 1:
            raise AssertionError(f"{name} no longer has its line once:\n{line}")
        new = added + line if where == "before" else line + added
        path.write_text(text.replace(line, new), encoding="utf-8")


def compile_and_run(folder):
    """What the program has seen. Each room is compiled as one file, which is cheapest."""
    def all_of(room):
        return "".join(f'#include "{room}/{path.name}"\n'
                       for path in sorted((folder / "src" / room).glob("*.cc")))
    units = {"base": all_of("base"), "plan": all_of("plan"),
             "seen": '#include "record/series.cc"\n#include "cli/options/plan_options.cc"\n' + PROGRAM}
    compiler = os.environ.get("CXX", "c++")
    flags = ["-std=c++20", "-O0", "-I", str(folder / "include"), "-I", str(folder / "src")]
    objects = []
    for name, text in units.items():
        source = folder / f"{name}.cc"
        source.write_text(text, encoding="utf-8")
        objects.append(str(folder / f"{name}.o"))
        subprocess.run([compiler, *flags, "-c", str(source), "-o", objects[-1]], check=True)
    program = str(folder / "seen")
    subprocess.run([compiler, *objects, "-o", program, "-lfmt", "-pthread"], check=True)
    return json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)


class HowToAddAnOption(unittest.TestCase):
    def test_the_recipe_names_the_files_that_are_edited_here(self):
        # Rows stand in one of two files.
        self.assertEqual(files_of_recipe() - {"src/plan/options_where.cc"}, set(STEPS))

    def test_after_its_steps_the_option_is_everywhere(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            copy_with(STEPS, folder)
            seen = compile_and_run(folder)
        self.assertRegex(seen["help"], r"--repeats N=3\s+how often it is repeated")
        self.assertEqual(seen["value"], 5)
        self.assertEqual(seen["json"], 5)
        self.assertTrue(seen["comes back"])
        self.assertEqual(seen["resumed as it was"], "")
        self.assertIn("repeats was 5 and is now 6", seen["resumed otherwise"])
        self.assertIn("--repeats over 9 and --keep exclude each other", seen["contradiction"])


if __name__ == "__main__":
    unittest.main()
