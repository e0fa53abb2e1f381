"""Starts `clinicnum` commands as processes of their own, cheaply: imports once, then a fork for each start.

A start is the command itself: it has its own memory and files, and SIGKILL kills it as any process.
"""

import multiprocessing
import os
import sys
from collections.abc import Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.preloaded"])


def _command(arguments: Sequence[str], stdin: Path, out: Path, error: Path) -> None:
    """Run the command in this process, with its streams on files."""
    os.dup2(os.open(stdin, os.O_RDONLY), 0)
    for path, stream in ((out, 1), (error, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.argv = ["clinicnum", *arguments]
    from clinicnum.scripts.cli import main

    main()


def start_command(
    *arguments: str, out: Path, error: Path, stdin: Path = Path(os.devnull)
) -> ForkServerProcess:
    """Start `clinicnum ARGUMENTS`; what it writes is appended to the files. It ends with the test process."""
    process = _context.Process(target=_command, args=(arguments, stdin, out, error), daemon=True)
    process.start()
    return process
