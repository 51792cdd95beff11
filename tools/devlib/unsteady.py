"""The safety net below tests on a real cluster: one that failed may be run once more, alone, after all others.
What a busy machine cannot cause is never run again, and neither are tests that use no cluster.

usage: unsteady.py again BUILD RESULTS   prints the names of the tests to run again, a line each
       unsteady.py said RESULTS          prints `unsteady: NAME: what it said first` for each of them

RESULTS has the ctest.log and tests.xml of the first run, which ctest made in the folder BUILD. `again` ends with 1,
and says why, when the run has failed whatever a second try would show.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

MOST = 2  # tests that may be run again; more of them have a cause
CLUSTER = "cluster"  # ctest's label
# Of all ends that ctest knows, only this one is a check that was not met.
CHECK_NOT_MET = "Failed"
# Also written by tests: tests/support/grave.h.
GRAVE = "never run again: "
GRAVE_OUTPUT = (
    (re.compile(re.escape(GRAVE) + "(.*)"), None),
    (re.compile(r"\b\w+Sanitizer\b"), "a report of a sanitizer"),
    (re.compile(r"these figures do not add up"), "a wrong figure"),
    # How tests ask for the objects in their namespace (tests/support/leftovers.h, tests/cluster/runs.h).
    (re.compile(r"^(?:Value of:|Expected equality of these values:\n) .*\bnames(?:_in)?\(", re.MULTILINE),
     "something is left in the cluster"),
)
FAILED = re.compile(r"^\s+\d+ - (.+) \(([^()]+)\)$", re.MULTILINE)
SHOWN = 240  # characters of what a test said


def failed_in(log):
    """{name: how it ended} from what ctest prints last."""
    _, _, listed = log.partition("The following tests FAILED:")
    return dict(FAILED.findall(listed))


def outputs_in(results):
    return {case.get("name"): case.findtext("system-out") or ""
            for case in ElementTree.fromstring(results).iter("testcase")}


def labels_in(listing):
    """{name: labels} from `ctest --show-only=json-v1`."""
    found = {}
    for test in json.loads(listing)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", ())}
        found[test["name"]] = properties.get("LABELS", [])
    return found


def grave(end, output):
    """What a second try cannot excuse; None if there is nothing of the kind."""
    if end != CHECK_NOT_MET:
        return {"Timeout": "it hung"}.get(end, f"it ended by '{end}'")
    for pattern, meaning in GRAVE_OUTPUT:
        if found := pattern.search(output):
            return meaning or found[1]
    return None


def refusals(failed, outputs, labels):
    """Why the run has failed for good."""
    for name, end in failed.items():
        if CLUSTER not in labels.get(name, ()):
            yield f"{name}: it is not a test on a cluster"
        elif reason := grave(end, outputs.get(name, "")):
            yield f"{name}: {reason}"
    if len(failed) > MOST:
        yield f"{len(failed)} tests failed; at most {MOST} are run again"


def first_words(output):
    """The first check that was not met, in one line."""
    lines = [line.strip() for line in output.splitlines()]
    begin = next((at for at, line in enumerate(lines) if line.endswith(": Failure")), None)
    if begin is not None:
        end = next((at for at in range(begin, len(lines)) if not lines[at]), len(lines))
        said = lines[begin][:-len(": Failure")].rpartition("/")[2] + ": " + " ".join(lines[begin + 1:end])
    else:
        errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
        said = (errors or [line for line in lines if line] or ["no output"])[0 if errors else -1]
    return said if len(said) <= SHOWN else said[:SHOWN] + "..."


def labels_known_to_ctest(build):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return labels_in(listing)


def again(build, results):
    failed, outputs = read(results)
    found = list(refusals(failed, outputs, labels_known_to_ctest(build)))
    if found or not failed:
        print(*(f"no second try: {reason}" for reason in found), sep="\n", file=sys.stderr)
        return 1
    print(*failed, sep="\n")
    return 0


def said(results):
    failed, outputs = read(results)
    for name in failed:
        print(f"unsteady: {name}: {first_words(outputs.get(name, ''))}")
    return 0


def read(results):
    """What failed and how, and what each test printed."""
    log, xml = (Path(results, name).read_text(encoding="utf-8", errors="replace")
                for name in ("ctest.log", "tests.xml"))
    return failed_in(log), outputs_in(xml)


if __name__ == "__main__":
    COMMANDS = {("again", 4): again, ("said", 3): said}
    COMMAND = COMMANDS.get(((sys.argv + [""])[1], len(sys.argv)))
    sys.exit(COMMAND(*sys.argv[2:]) if COMMAND else __doc__)
