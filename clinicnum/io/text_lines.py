"""Read an untrusted text file line by line: UTF-8, lines of limited length, progress in bytes."""

from collections.abc import Callable, Iterator
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.file_kinds import refuse_binary, refuse_other_kind
from clinicnum.translatable_text import Translatable

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one line; more is no benchmark item."""
BOM = b"\xef\xbb\xbf"


Progress = Callable[[int], None]
"""Gets the bytes of each line read."""


def no_progress(_: int) -> None:
    """A progress callback that does nothing."""


def text_lines(path: Path, progress: Progress = no_progress) -> Iterator[str]:
    """Yield the lines of a text file with their ends, without a byte order mark. Raises InputError naming
    file and line, or what the file is if it is a picture, a PDF, a workbook and the like.
    """
    refuse_other_kind(path)
    with path.open("rb") as handle:
        number = 0
        while raw := handle.readline(MAX_LINE):
            number += 1
            if len(raw) == MAX_LINE:
                raise InputError(
                    Translatable(
                        "{place}: a line of over {most:,} bytes; expected one item a line",
                        place=f"{path}:{number}",
                        most=MAX_LINE,
                    )
                )
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                refuse_binary(path)
                raise InputError(
                    Translatable(
                        "{place}: not UTF-8 text ({reason}); save the file as UTF-8",
                        place=f"{path}:{number}",
                        reason=error.reason,
                    )
                ) from error
            progress(len(raw))
            yield text
