"""Runs a command on a terminal of our own (a pty) and keeps what it shows: the screen at chosen moments,
and at the end."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import textwrap
import time

from screen import Screen, Style

ROWS = 50
SECONDS = 600


class Captured:
    def __init__(self):
        self.moments = {}  # name: lines
        self.status = None
        self.end = []


def prompt(command, columns):
    """The command above its output, as a person would type it, in lines of that width."""
    begin = [("$", Style(2)), (" ", Style())]
    room = columns - 4 - 2  # the indent of the later lines, and what continues a line
    parts = textwrap.wrap(command, room, break_long_words=False, break_on_hyphens=False)
    lines = [part + " \\" for part in parts[:-1]] + parts[-1:]
    return [(begin if number == 0 else [(" ", Style())] * 4) +
            [(character, Style(bold=True)) for character in line] for number, line in enumerate(lines)]


def capture(command, env, folder, columns, moments=(), actions=(), watch=None):
    """moments: (name, test of (seconds, screen)): the screen when the test first holds. actions: (test,
    callable), done once when the test first holds. Both are asked after each output, and every
    tenth of a second; then the screen is given to `watch` too."""
    result = Captured()
    terminal, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    process = subprocess.Popen(["/bin/bash", "-c", command], cwd=folder, env=env, stdin=inner,
                               stdout=inner, stderr=inner, close_fds=True, start_new_session=True)
    os.close(inner)
    screen = Screen(columns)
    begun = time.monotonic()
    waiting, to_do = list(moments), list(actions)
    try:
        while _read(terminal, screen):
            now = time.monotonic() - begun
            if now > SECONDS:
                process.kill()
                raise TimeoutError(f"'{command}' takes longer than {SECONDS} s")
            for moment in [entry for entry in waiting if entry[1](now, screen)]:
                result.moments[moment[0]] = screen.snapshot()
                waiting.remove(moment)
            for action in [entry for entry in to_do if entry[0](now, screen)]:
                to_do.remove(action)
                action[1]()
            if watch:
                watch(screen)
    finally:
        os.close(terminal)
    result.status = process.wait()
    result.end = screen.snapshot()
    return result


def _read(terminal, screen):
    """Whether the terminal is still in use; feeds what has come within a tenth of a second."""
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side is closed
            return False
        if not data:
            return False
        screen.feed(data)
    return True
