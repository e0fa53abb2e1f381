"""Read an untrusted text file line by line: UTF-8, lines of limited length, progress in bytes."""

from collections.abc import Callable, Iterator
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one line; more is no benchmark item."""
BOM = b"\xef\xbb\xbf"

OTHER_FILES = {
    b"\x89PNG": Translatable("a picture"),
    b"\xff\xd8\xff": Translatable("a picture"),
    b"GIF8": Translatable("a picture"),
    b"PK\x03\x04": Translatable("a workbook or an archive"),
    b"\xd0\xcf\x11\xe0": Translatable("a workbook or a document"),
    b"\x1f\x8b": Translatable("a compressed file"),
    b"%PDF": Translatable("a PDF"),
}
"""The first bytes of frequent files that are no text."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of text in UTF-16."""
_BEGINNING = 1024

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
                    Translatable(
                        "{place}: a line of over {most:,} bytes; expected one item a line",
                        place=f"{path}:{number}",
                        most=MAX_LINE,
                    )
                )
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                _check_text(path)
                raise InputError(
                    Translatable(
                        "{place}: not UTF-8 text ({reason}); save the file as UTF-8",
                        place=f"{path}:{number}",
                        reason=error.reason,
                    )
                ) from error
            progress(len(raw))
            yield text


def _check_text(path: Path) -> None:
    """Raise InputError for a picture, a workbook and the like, which no encoding makes text."""
    with path.open("rb") as handle:
        begins = handle.read(_BEGINNING)
    what = next((what for bytes_, what in OTHER_FILES.items() if begins.startswith(bytes_)), None)
    if what is not None:
        raise InputError(
            Translatable(
                "{path} is {what}, no text file; expected a CSV or JSONL; choose that file",
                path=str(path),
                what=what,
            )
        )
    if b"\0" in begins and not begins.startswith(UTF_16):
        raise InputError(
            Translatable("{path} is no text file; expected a CSV or JSONL; choose that file", path=str(path))
        )
