"""The processes that plant bugs start: each in a group of its own, so that one that hangs is ended together
with its own children, and Ctrl-C leaves none."""

import os
import signal
import subprocess
import threading

PATIENCE_S = 10


class Ended(Exception):
    """No more processes are started."""


class Children:
    def __init__(self):
        self._lock = threading.Lock()
        self._running = set()
        self.ended = False

    def run(self, *command, timeout=None, **options):
        """(exit status, output); the status is None when it took too long."""
        with self._lock:
            if self.ended:
                raise Ended
            child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                     errors="replace", process_group=0, **options)
            self._running.add(child)
        try:
            output, _ = child.communicate(timeout=timeout)
            return child.returncode, output
        except subprocess.TimeoutExpired:
            signal_group(child, signal.SIGKILL)
            child.communicate()
            return None, ""
        finally:
            if child.returncode is not None:  # otherwise interrupted, and end() is still to end it
                with self._lock:
                    self._running.discard(child)

    def must(self, *command, **options):
        status, output = self.run(*command, **options)
        if status != 0:
            raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{output[-4000:]}")
        return output

    def end(self):
        """Ends all that run; ninja passes SIGTERM on to its compilers."""
        with self._lock:
            self.ended = True
            running = list(self._running)
        for child in running:
            signal_group(child, signal.SIGTERM)
        for child in running:
            try:
                child.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                signal_group(child, signal.SIGKILL)


def signal_group(child, number):
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        pass
