"""What the stages of tools/dev cost in CPU time, daemons included, and whether that is within their budgets.

usage: cpu.py run MARKS COMMAND...     runs it with RADOSLOAD_DEV_CPU=WHERE; ends with its exit status
       cpu.py mark WHERE NAME          a stage has ended: prints the CPU seconds since the mark before
       cpu.py check WHERE BUDGETS      complains about stages that cost more than their budget, with status 1

Processes that leave their parents (daemons of a lab) become children of `run`, so none is lost. The speed of a
processor depends on what its neighbours do: one and the same file takes from 11 to 19 s of CPU to compile. So
`run` times a small piece of work every few seconds, and budgets are in seconds of a machine on which it takes
PIECE_MS.

BUDGETS has `STAGE: SECONDS` on each line; the stage `build asan` is that of an empty compiler cache.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
EVERY_S = 3
PIECE_MS = 7.0
FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TICKS = os.sysconf("SC_CLK_TCK")


def time_a_piece():
    """CPU milliseconds for always the same work."""
    began, value = time.thread_time(), 0
    for number in range(50_000):
        value = (value * 31 + number) & 0xFFFFFFFF
    return (time.thread_time() - began) * 1000


def measure_pace(file):
    """Keeps the number of pieces and their milliseconds in the file, for ever."""
    count, total = 0, 0.0
    while True:
        count, total = count + 1, total + time_a_piece()
        new = f"{file}.new"
        Path(new).write_text(f"{count} {total}\n", encoding="ascii")
        os.replace(new, file)
        time.sleep(EVERY_S)


def run(marks, command):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    pace = Path(f"{marks}.pace")
    pace.parent.mkdir(parents=True, exist_ok=True)
    Path(marks).write_text("", encoding="ascii")
    # All are blocked and waited for: a handler would not run when its signal arrives just before a call that blocks.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD, *FORWARDED))
    threading.Thread(target=measure_pace, args=(pace,), daemon=True).start()
    child = os.posix_spawnp(command[0], command, {**os.environ, "RADOSLOAD_DEV_CPU": f"{os.getpid()}:{marks}"},
                            setsigmask=mask, setsigdef=FORWARDED)
    code = wait_and_forward_signals(child)
    pace.unlink(missing_ok=True)
    return code if code >= 0 else 128 - code


def wait_and_forward_signals(child):
    """Its exit code. What else has ended is waited for too: it became a child of this process."""
    while True:
        received = signal.sigwait((signal.SIGCHLD, *FORWARDED))
        if received in FORWARDED:
            os.kill(child, received)
            continue
        ended, status = os.waitpid(-1, os.WNOHANG)
        while ended:
            if ended == child:
                return os.waitstatus_to_exitcode(status)
            ended, status = os.waitpid(-1, os.WNOHANG)


def processes():
    """{pid: (parent, CPU seconds of the process and of its children that have ended)}"""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # not a process, or one that has ended
            continue
        if folder.name.isdigit():
            found[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    return found


def seconds_below(root, found):
    """CPU seconds of a process and of all that descend from it."""
    children = {}
    for pid, (parent, _) in found.items():
        children.setdefault(parent, []).append(pid)
    total, waiting = 0.0, [root]
    while waiting:
        pid = waiting.pop()
        total += found.get(pid, (0, 0.0))[1]
        waiting += children.get(pid, ())
    return total


def mark(where, name):
    root, _, marks = where.partition(":")
    try:
        count, total = Path(f"{marks}.pace").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        count, total = 0, 0
    lines = Path(marks).read_text(encoding="utf-8").splitlines()
    before = json.loads(lines[-1]) if lines else {"seconds": 0.0, "pieces": 0, "pieces_ms": 0.0}
    now = {"name": name, "seconds": seconds_below(int(root), processes()), "pieces": int(count),
           "pieces_ms": float(total)}
    now["spent"] = now["seconds"] - before["seconds"]
    pieces = now["pieces"] - before["pieces"]
    slow = (now["pieces_ms"] - before["pieces_ms"]) / pieces / PIECE_MS if pieces > 0 else 1.0
    now["slow"] = slow
    with open(marks, "a", encoding="utf-8") as file:
        file.write(json.dumps(now) + "\n")
    print(f"{now['spent']:.0f}")
    return 0


def budgets_in(text):
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return {name.strip(): float(seconds) for name, _, seconds in (line.partition(":") for line in lines if line)}


def complaints(marks, budgets):
    for spent in marks:
        limit = budgets.get(spent["name"])
        fair = spent["spent"] / spent["slow"]
        if limit is not None and fair > limit:
            yield (f"{spent['name']}: {fair:.0f} s of CPU, budget {limit:.0f} ({spent['spent']:.0f} s as measured, "
                   f"on a processor {spent['slow']:.2f} times as slow as the budget's)")


def check(where, budgets):
    _, _, marks = where.partition(":")
    rows = [json.loads(line) for line in Path(marks).read_text(encoding="utf-8").splitlines()]
    found = list(complaints(rows, budgets_in(Path(budgets).read_text(encoding="utf-8"))))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


def main(words):
    if len(words) > 2 and words[0] == "run":
        return run(words[1], words[2:])
    if len(words) == 3 and words[0] in ("mark", "check"):
        return {"mark": mark, "check": check}[words[0]](*words[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
