"""Read an untrusted text file line by line: UTF-8, lines of limited length, progress in bytes."""

from collections.abc import Callable, Iterator
from pathlib import Path

from clinicnum.errors import InputError

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one line; more is no benchmark item."""
BOM = b"\xef\xbb\xbf"

Progress = Callable[[int], None]
"""Gets the bytes of each line read."""


def no_progress(_: int) -> None:
    """A progress callback that does nothing."""


def text_lines(path: Path, progress: Progress = no_progress) -> Iterator[str]:
    """Yield the lines of a text file with their ends, without a byte order mark. Raises InputError naming
    file and line.
    """
    with path.open("rb") as handle:
        number = 0
        while raw := handle.readline(MAX_LINE):
            number += 1
            if len(raw) == MAX_LINE:
                raise InputError(
                    f"{path}:{number}: a line of over {MAX_LINE:,} bytes; expected one item a line"
                )
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{path}:{number}: not UTF-8 text ({error.reason}); save the file as UTF-8"
                ) from error
            progress(len(raw))
            yield text
