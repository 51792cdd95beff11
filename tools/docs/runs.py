"""Runs the blocks of a document: in a folder of their own, as a user who has just installed radosload,
without a cluster or on a lab.

The blocks of one document share that folder and its saved runs, so a block may show the run of an
earlier one. Progress is left out (--no-progress), because it is different every time; what a terminal
shows is in the pictures.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import blocks
import masks

TOOLS = Path(__file__).resolve().parents[1]
# No command of the documents takes longer, on a busy machine and with sanitizers.
SECONDS = 300
# In the place of the program, where commands are run for their text.
WITHOUT_PROGRESS = """#!/bin/sh
case " $* " in
  *' --dry-run '*) ;;
  *' --pattern '* | *' --resume '* | *' replicas '*) set -- "$@" --no-progress ;;
esac
exec '{}' "$@"
"""
# A lab on which an OSD has just come back takes so long at most.
QUIET_SECONDS = 60
KEPT = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH")


def built_program():
    """The newest build of the program."""
    built = sorted(TOOLS.parent.glob("build/*/src/radosload"), key=lambda path: path.stat().st_mtime)
    if not built:
        sys.exit("no program in build/*/src; run 'tools/dev build', or give --program")
    return built[-1]


@contextlib.contextmanager
def lab_of(folder):
    """The lab in that folder, which is up; without one, a lab for as long as the context lasts."""
    if folder:
        yield Path(folder).resolve()
        return
    own = TOOLS.parent / "build" / "docs-lab"
    try:
        subprocess.run([TOOLS / "lab", "up", "--profile", "fast", "--dir", own], check=True)
        yield own
    finally:
        subprocess.run([TOOLS / "lab", "down", "--dir", own], check=True)


class Failed(Exception):
    """A command that ended otherwise than the document says."""


class Sandbox:
    """Where the commands run: a home, a working folder, and the lab's config when there is one."""

    def __init__(self, program, lab=None, terminal=False):
        self._folder = tempfile.TemporaryDirectory(prefix="radosload-docs-")
        self.folder = Path(self._folder.name)
        self.work = self.folder / "work"
        self.work.mkdir()
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        program, called = Path(program).resolve(), bin_folder / "radosload"
        if terminal:
            called.symlink_to(program)
        else:
            called.write_text(WITHOUT_PROGRESS.format(program), encoding="utf-8")
            called.chmod(0o755)
        self.env = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.env.update(HOME=str(self.folder), USER="me", LC_ALL="C.UTF-8", TZ="UTC",
                        PATH=f"{bin_folder}:/usr/sbin:/usr/bin:/sbin:/bin",
                        RADOSLOAD_CONFIG="")
        self.env.update({"TERM": "xterm-256color"} if terminal
                        else {"TERM": "dumb", "COLUMNS": "100", "NO_COLOR": "1"})
        # Files that a page works with.
        self.env["EXAMPLES"] = str(TOOLS.parent / "docs" / "examples")
        if lab:
            lab = Path(lab).resolve()
            self.env["CEPH_CONF"] = str(lab / "ceph.conf")
            # For the commands before and after a block.
            self.env["LAB"] = str(TOOLS / "lab")
            self.env["RADOSLOAD_LAB_DIR"] = str(lab)

    def close(self):
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, command):
        """(exit status, lines printed on both streams)."""
        done = subprocess.run(["/bin/bash", "-c", command], cwd=self.work, env=self.env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
                              encoding="utf-8", errors="replace")
        # Where it ran is of no interest to a reader.
        printed = done.stdout.replace(str(self.work), "/home/me").replace(str(self.folder), "/home/me")
        lines = [line.rstrip() for line in printed.split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        return done.returncode, lines


    def wait_until_quiet(self, load_too=True, healthy_too=False):
        """Whether the lab's OSDs and PGs are in order now, and it reports no load, so that a block shows
        its own doings and not those of the one before; waits for a while."""
        deadline = time.monotonic() + QUIET_SECONDS
        while "CEPH_CONF" in self.env and not self._is_quiet(load_too, healthy_too):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.5)
        return True

    def _is_quiet(self, load_too, healthy_too):
        status, lines = self.call("ceph status --format json 2>/dev/null")
        if status != 0:
            return False
        cluster = json.loads("".join(lines))
        osds, pgs = cluster["osdmap"], cluster["pgmap"]
        states = {state["state_name"] for state in pgs.get("pgs_by_state", [])}
        in_order = osds["num_up_osds"] == osds["num_osds"] and states == {"active+clean"}
        healthy = not healthy_too or cluster["health"]["status"] == "HEALTH_OK"
        loaded = load_too and any(pgs.get(f"{kind}_op_per_sec") for kind in ("read", "write"))
        return in_order and healthy and not loaded


def _hidden(sandbox, block, commands):
    for command in commands:
        status, printed = sandbox.call(command)
        if status != 0:
            raise Failed(f"{block.place}: '{command}' ended with status {status}:\n" +
                         "\n".join(printed[-20:]))


def run_block(sandbox, block, patient=True):
    """[(Command, lines printed)] of a block; raises Failed on an exit status that is not the one
    documented."""
    _hidden(sandbox, block, block.before)
    try:
        done = [_run(sandbox, block, command, patient) for command in block.commands]
    except Failed:
        for command in block.after:  # as much as can be; the failure is told already
            sandbox.call(command)
        raise
    _hidden(sandbox, block, block.after)
    return done


def _run(sandbox, block, command, patient):
    """(Command, lines printed)"""
    # A run that begins during the load of another warns of it. For a page that is unwanted; for a test
    # it does not matter, and the wait takes ten seconds each time.
    shows_health = " status" in command.text
    sandbox.wait_until_quiet(patient or shows_health, shows_health)
    status, printed = sandbox.call(command.text)
    wanted = block.status if command is block.commands[-1] else 0
    if status != wanted:
        raise Failed(f"{block.place}: '{command.text}' ended with status {status}, not {wanted}:\n" +
                     "\n".join(printed[-20:]))
    return command, printed


def run_document(path, kind, program, lab=None, patient=True):
    """[(Block, Command, lines printed)] of all blocks of that kind in a document. The lines are None
    where the block shows none (sh). Not patient: load of one command may show in the next."""
    chosen = [block for block in blocks.parse(path) if block.kind == kind]
    if not chosen:
        return []
    with Sandbox(program, lab) as sandbox:
        return [(block, command, printed if block.language == "console" else None)
                for block in chosen for command, printed in run_block(sandbox, block, patient)]


def complaints(path, kind, program, lab=None):
    """What is stale in a document, one text for each command; empty when nothing is."""
    try:
        done = run_document(path, kind, program, lab, patient=False)
    except Failed as failed:
        return [str(failed)]
    found = []
    for block, command, printed in done:
        if printed is None:
            continue
        told = masks.differences(command.output, printed, exact=kind == "sim")
        if told:
            found.append("\n".join([f"{block.place}: $ {command.text}", *told]))
    return found


def rewritten(path, done):
    """The text of a document with the lines that were printed."""
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    for _, command, printed in sorted(done, key=lambda entry: entry[1].first, reverse=True):
        if printed is not None:
            # A blank line before the next command stays where it is.
            blank = [""] if command.output and not command.output[-1].strip() else []
            lines[command.first:command.last] = printed + blank
    return "\n".join(lines)
