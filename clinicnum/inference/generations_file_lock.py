"""Locks on a run's generations file: exclusive for one writer, or shared by ranks.

The lock is the kernel's (flock): it ends with the process, however that ends.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from clinicnum.errors import InputError

_RETRY_S = 0.1


class LockHeld(InputError):
    """Another process holds the lock."""


@contextmanager
def file_lock(path: Path, *, alone: bool, patience_s: float = 0) -> Iterator[BinaryIO]:
    """Open `path` for reading and appending, unbuffered, and hold its lock: exclusive (`alone`) or shared.

    Creates the file if it does not exist. Raises LockHeld if another process holds it for more than
    `patience_s` seconds.
    """
    handle = _locked(path, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, time.monotonic() + patience_s)
    try:
        yield handle
    finally:
        handle.close()


def check_free(path: Path) -> None:
    """Raise LockHeld if a process holds the lock on `path`; creates no file."""
    if path.is_file():
        with file_lock(path, alone=True):
            pass


def _locked(path: Path, kind: int, deadline: float) -> BinaryIO:
    while True:
        handle: BinaryIO = open(path, "a+b", buffering=0, opener=_private)  # noqa: SIM115  held on success
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
            if _is_still(handle, path):
                return handle
            handle.close()  # a merge has put another file in its place meanwhile
        except BlockingIOError as error:
            handle.close()
            if time.monotonic() >= deadline:
                raise LockHeld(
                    f"{path}: another process is writing it; wait for it to end, or name another --out"
                ) from error
            time.sleep(_RETRY_S)


def _private(path: str, flags: int) -> int:
    """Open a new file readable by its owner only, as other files with patient data are."""
    return os.open(path, flags, 0o600)


def _is_still(handle: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False
