"""The bundle as one ZIP file whose bytes depend only on its content.

Entries are stored, not compressed, in the order of their names and with one fixed time: no version of a
compression library and no clock can change a byte, and a byte that changes can be traced to its file.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clinicnum.errors import InputError

_NO_TIME = (2000, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
_MOST_EXPANSION = 200
"""A bundle that someone compressed unpacks to some 20 times its size; far more is an attack."""
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)
"""What reading an archive with a changed byte raises, by where the byte is."""


@dataclass(frozen=True)
class Unpacked:
    """The files of a bundle, by path with `/`."""

    files: dict[str, bytes]
    archive: bytes | None = None
    """The archive they came in, as it is; None for a folder."""
    compressed: bool = False
    """Whether another program packed it: then its own bytes say nothing."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """The files (path with `/` -> content) as ZIP."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=_NO_TIME)
            entry.create_system, entry.external_attr = 3, _READABLE
            archive.writestr(entry, files[name])
    return out.getvalue()


def unpack(path: Path) -> Unpacked:
    """A bundle, or a folder into which one was unpacked.

    Raises InputError for what is neither, and for an entry that leads outside, stands twice or cannot be
    read, naming it.
    """
    if path.is_dir():
        return Unpacked(files=_of_folder(path))
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected a bundle: clinicnum export --bundle F makes one")
    whole = path.read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(whole)) as archive:
            files = _of_archive(archive, len(whole))
            compressed = sum(one.compress_type != zipfile.ZIP_STORED for one in archive.infolist())
    except _BROKEN as error:
        raise InputError(
            f"{path}: not a whole bundle: {error}; copy it anew from where it was made"
        ) from error
    # One changed byte makes one entry say so; a program that packs anew compresses most.
    return Unpacked(files, whole, compressed > 1)


def _of_archive(archive: zipfile.ZipFile, size: int) -> dict[str, bytes]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if sum(entry.file_size for entry in entries) > _MOST_EXPANSION * size:
        raise zipfile.BadZipFile(f"it unpacks to more than {_MOST_EXPANSION} times its size")
    files: dict[str, bytes] = {}
    for entry in entries:
        name = entry.filename
        if name in files:
            raise zipfile.BadZipFile(f"{name} stands in it twice")
        if name.startswith("/") or ".." in name.split("/") or "\\" in name:
            raise zipfile.BadZipFile(f"{name!r} leads outside the bundle")
        try:
            with archive.open(entry) as handle:
                files[name] = handle.read(entry.file_size)  # what it says, which may be less than it holds
        except _BROKEN as error:
            raise zipfile.BadZipFile(f"{name} cannot be read ({error})") from error
    return files


def _of_folder(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
