"""Tell what a file is that is given in place of a table: a picture, a PDF, a web page, a workbook."""

import zipfile
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

BEGINNING = 1024
"""The bytes at the beginning of a file that tell."""
ZIP = b"PK\x03\x04"
_COMPRESSED, _ARCHIVE = Translatable("a compressed file"), Translatable("a zip archive")
_PACKED = (_COMPRESSED, _ARCHIVE)
SAVE = Translatable('save the table so (in Excel as "CSV UTF-8")')
UNPACK = Translatable("unpack it")
_SIGNATURES = {
    b"\x89PNG": Translatable("a picture"),
    b"\xff\xd8\xff": Translatable("a picture"),
    b"GIF8": Translatable("a picture"),
    b"%PDF": Translatable("a PDF"),
    b"\xd0\xcf\x11\xe0": Translatable("an Excel or Word file"),
    b"\x1f\x8b": _COMPRESSED,
}
_MEMBERS = {
    "xl/": Translatable("an Excel file"),
    "word/": Translatable("a Word file"),
    "ppt/": Translatable("a PowerPoint file"),
    "content.xml": Translatable("a LibreOffice file"),
}
"""What a zip is that holds a member of which the name begins so."""
_WEB_PAGE = (b"<!doctype html", b"<html")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of text in UTF-16."""


def refuse_other_kind(path: Path) -> None:
    """Raise InputError saying what the file is if it is of a frequent kind that holds no table as text."""
    with path.open("rb") as handle:
        begins = handle.read(BEGINNING)
    what = _kind(path, begins)
    if what is not None:
        raise InputError(
            Translatable(
                "{path} is {what}; expected a table as CSV or JSON Lines; {do}, and choose that file",
                path=str(path),
                what=what,
                do=UNPACK if what in _PACKED else SAVE,
            )
        )


def refuse_binary(path: Path) -> None:
    """Raise InputError for a file whose first BEGINNING bytes show that it holds no table as text.

    That is a file which `refuse_other_kind` refuses, a web page among them, or one with a NUL byte in these
    bytes that does not begin as UTF-16 does.
    """
    refuse_other_kind(path)
    with path.open("rb") as handle:
        begins = handle.read(BEGINNING)
    if b"\0" in begins and not begins.startswith(UTF_16):
        raise InputError(
            Translatable(
                "{path} is no text file; expected a CSV or JSON Lines; choose that file", path=str(path)
            )
        )


def _kind(path: Path, begins: bytes) -> str | None:
    if begins.startswith(ZIP):
        return _kind_of_zip(path)
    if begins.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_WEB_PAGE):
        return Translatable("a web page")
    return next((what for signature, what in _SIGNATURES.items() if begins.startswith(signature)), None)


def _kind_of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = []
    found = (what for start, what in _MEMBERS.items() if any(name.startswith(start) for name in names))
    return next(found, _ARCHIVE)
