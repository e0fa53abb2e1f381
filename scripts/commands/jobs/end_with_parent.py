"""End a process when its parent ends, for whatever reason.

The kernel closes the pipe between them, whose other end is the child's standard input.
"""

import os
import threading
from collections.abc import Callable


def when_parent_ends(call: Callable[[], object]) -> None:
    """Call `call` in a thread when standard input ends."""

    def wait() -> None:
        while os.read(0, 1024):
            pass
        call()

    threading.Thread(target=wait, name="parent-process", daemon=True).start()
