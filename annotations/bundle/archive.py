"""The bundle as one ZIP file whose bytes depend only on its content.

Entries are stored uncompressed, in the order of their names and with one fixed time: neither the version of a
compression library nor the clock can change a byte, and a changed byte can be traced to its file.
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
"""Largest ratio of unpacked to packed size: a recompressed bundle reaches about 20; far more is an attack."""
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
"""Exceptions that an archive with a changed byte can raise when it is read."""


@dataclass(frozen=True)
class Unpacked:
    """The files of a bundle, by path with `/`."""

    files: dict[str, bytes]
    archive: bytes | None = None
    """The bytes of the archive; None for a folder."""
    compressed: bool = False
    """Whether another program packed the archive: its own bytes then prove nothing."""


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
    """Read the files of a bundle, from its archive or from a folder into which it was unpacked.

    Raises InputError for anything else, and, naming the entry, for an entry that leads outside the archive,
    occurs twice or cannot be read.
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
    # A single compressed entry may be one changed byte; a program that repacks compresses most entries.
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
                files[name] = handle.read(entry.file_size)  # at most the declared size
        except _BROKEN as error:
            raise zipfile.BadZipFile(f"{name} cannot be read ({error})") from error
    return files


def _of_folder(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
