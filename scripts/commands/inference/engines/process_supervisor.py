"""Run a command until it ends or standard input closes: `python process_supervisor.py COMMAND...`.

The engine's processes form a group. They are stopped when this process's parent closes the pipe or dies in
any way, so that no orphaned engine holds a GPU's memory. The process that is started waits for a second one,
which does the work: Ray kills a worker's own children first, and would leave the engine running. Standard
library only.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

GRACE_S = 10.0  # between asking the engine to stop and killing it


def main(command: list[str]) -> int:
    """Run the command; returns its exit code, or minus the signal that ended it."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - an engine
    threading.Thread(target=_stop_at_end_of_input, args=(child,), daemon=True).start()
    code = child.wait()
    _signal(child, signal.SIGKILL)
    return code


def _stop_at_end_of_input(child: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 65_536):
        pass
    _signal(child, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        child.wait(timeout=GRACE_S)
        return
    _signal(child, signal.SIGKILL)


def _signal(child: "subprocess.Popen[bytes]", number: int) -> None:
    """Send a signal to the whole group, of which some may have ended."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, number)


if __name__ == "__main__":
    second = os.fork()
    if second:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(second, 0)[1]))
    os.setsid()
    code = main(sys.argv[1:])
    sys.exit(code if code >= 0 else 128 - code)
