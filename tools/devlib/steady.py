"""Runs tests again and again on a machine that is made busy, and lists which failed, how often and why.

usage: steady.py ROUNDS FILTER BUILD COMPILE_COMMANDS PARALLEL

FILTER is a regular expression of test names; empty: all tests on clusters; `first`: all tests of the first tier.
Beside the tests run four busy loops and a compiler, all the time. A failed test is not run again within its round.
Exit status: 0 nothing failed.
"""

import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

import unsteady

BUSY_LOOPS = 4
CHOICES = {"": ["--label-regex", "^cluster$"], "first": ["--label-exclude", "^full$"]}


class Load:
    """Four busy loops and a compiler, until close()."""

    def __init__(self, compile_commands):
        self._children = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(BUSY_LOOPS)]
        self._commands = itertools.cycle(compile_commands)
        self._closed = threading.Event()
        self._compiler = threading.Thread(target=self._compile)
        self._compiler.start()

    def _compile(self):
        while not self._closed.is_set():
            entry = next(self._commands)
            child = subprocess.Popen(compiler_words(entry["command"]), cwd=entry["directory"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            while child.poll() is None and not self._closed.wait(0.2):
                pass
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()

    def close(self):
        self._closed.set()
        self._compiler.join()
        for child in self._children:
            child.kill()
            child.wait()


def compiler_words(command):
    """Without the compiler cache, and without a result."""
    words = shlex.split(command)
    begin = next(at for at, word in enumerate(words) if Path(word).name in ("c++", "g++"))
    words = words[begin:]
    words[words.index("-o") + 1] = "/dev/null"
    return words


def run_round(number, filter_, build, parallel):
    """{name: why} of the tests that failed, and how many there were."""
    results = build / "steady" / str(number)
    results.mkdir(parents=True, exist_ok=True)
    which = CHOICES.get(filter_, ["--tests-regex", filter_])
    with open(results / "output.txt", "w", encoding="utf-8") as output:
        subprocess.run(["ctest", "--test-dir", build, "--parallel", parallel, "--output-on-failure", "--no-tests=error",
                        "--resource-spec-file", build / "labs.json", "--output-log", results / "ctest.log",
                        "--output-junit", results / "tests.xml", *which],
                       stdout=output, stderr=output, check=False)
    failed, outputs = unsteady.read(results)
    return {name: f"{end}: {unsteady.first_words(outputs.get(name, ''))}" for name, end in failed.items()}, len(outputs)


def table(failures, rounds):
    """A line for each test that failed, with its different reasons below."""
    for name, reasons in sorted(failures.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        yield f"failed {len(reasons)} of {rounds}: {name}"
        for reason in sorted(set(reasons)):
            yield f"    {reasons.count(reason)} x {reason}"


def main(rounds, filter_, build, compile_commands, parallel):
    build = Path(build).resolve()
    commands = json.loads(Path(compile_commands).read_text(encoding="utf-8"))
    failures, done, tests = defaultdict(list), 0, 0
    load = Load(commands)
    try:
        for done in range(1, int(rounds) + 1):
            began = time.monotonic()
            failed, tests = run_round(done, filter_, build, parallel)
            for name, why in failed.items():
                failures[name].append(why)
            print(f"round {done} of {rounds}: {tests} tests, {len(failed)} failed, {time.monotonic() - began:.0f} s",
                  *(f"\n    {name}: {why}" for name, why in failed.items()), sep="", flush=True)
    finally:
        load.close()
        print(*table(failures, done), sep="\n")
        print(f"{tests} tests, {done} rounds under load: {sum(map(len, failures.values()))} failures"
              f" of {len(failures)} tests")
    return 1 if failures or not tests else 0


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(*sys.argv[1:]))
