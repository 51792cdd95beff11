"""The one way to wait in a Python test: for what the test is about, never for a time. The C++ tests have
tests/support/wait_for.h."""

import time

# Far more than anything takes on a busy machine. It costs nothing when the thing happens.
PATIENCE_S = 120


def wait_for(what, look, enough=bool, seconds=PATIENCE_S, between_s=0.3):
    """Looks repeatedly, and returns what a look saw once that is enough.

    Fails at the limit, and says what it waited for, how long, and what it saw last."""
    begin = time.monotonic()
    while not enough(seen := look()):
        waited = time.monotonic() - begin
        if waited > seconds:
            raise AssertionError(f"waited {waited:.1f} s for {what}; seen last: {str(seen)[-4000:]}")
        time.sleep(between_s)  # Time: between two looks.
    return seen
