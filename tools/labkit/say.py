"""What the lab tells a person: errors that say what to do next, and progress.

Everything here goes to stderr; stdout belongs to the answer of a command.
"""

import os
import sys
import time

# As a person types it: from a package, or in a source tree.
INSTALLED = "radosload-lab"
NAME = INSTALLED if os.path.basename(sys.argv[0]) == INSTALLED else "tools/lab"


class LabError(Exception):
    """Something the lab could not do: what was tried, why it failed, what to do next."""

    def __init__(self, what, why="", todo=""):
        super().__init__(what)
        self.what, self.why, self.todo = what, str(why), todo

    def __str__(self):
        text = self.what + (f": {self.why}" if self.why else "")
        return text + (f"\n  next: {self.todo}" if self.todo else "")


class UsageError(LabError):
    """The command line itself was wrong (exit status 2)."""


class Progress:
    """Lines with the seconds since the command began."""

    def __init__(self, stream=None):
        self._began = time.monotonic()
        self._stream = stream or sys.stderr

    @property
    def seconds(self):
        return time.monotonic() - self._began

    def __call__(self, text):
        print(f"[{self.seconds:5.1f} s] {text}", file=self._stream, flush=True)


def typed(words):
    """One of our commands, as a person would type it."""
    return f"`{NAME} {words}`"


def note(text):
    print(f"lab: {text}", file=sys.stderr, flush=True)


def wait_until(what, seconds, check, todo="", pause=0.05):
    """Poll `check` until it returns something true, and return that.

    `check` may also return a falsy value that says how far it got by way of `check.seen`;
    that text ends up in the error, so a wait that fails says what it was waiting for.
    """
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        if result:
            return result
        if time.monotonic() > deadline:
            seen = getattr(check, "seen", "")
            raise LabError(f"waited {seconds:.0f} s for {what}", seen, todo)
        time.sleep(pause)
