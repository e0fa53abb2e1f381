"""Uploaded files: on disk until they are used or a day old, each with its name and owner beside it.

A file appears under its id only when it is complete. While it is being received it counts towards its owner's
quota with its announced size, so that several uploads at once cannot exceed it together.
"""

import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

MEGABYTE = 1024 * 1024
LARGEST = 512 * MEGABYTE
"""Default limit of a file, in bytes."""
QUOTA = 2048 * MEGABYTE
"""Default quota of all files of an account, in bytes."""
KEPT_S = 24 * 3600
"""Seconds after which a file that nobody used is deleted."""
MUST_STAY_FREE = 512 * MEGABYTE
"""Free disk bytes that uploads must leave: a full disk would stop everybody's saves."""
LONGEST_NAME = 200
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Upload:
    """A file that was uploaded."""

    upload_id: str
    owner: str
    """User id."""
    name: str
    """The file's name on its owner's computer; never a path here."""
    size: int
    """Bytes, as announced and received."""


@dataclass(frozen=True)
class Uploads:
    """Upload store in a folder, which is created when needed."""

    folder: Path
    largest: int = LARGEST
    quota: int = QUOTA

    def begin(self, *, owner: str, name: str, size: int) -> "Receiving":
        """Reserve room for a file of `size` bytes; returns what its content is written to.

        Raises InputError if it is empty or too large, or if the account's quota or the disk has no room for
        it.
        """
        self.delete_old()
        if size <= 0:
            raise InputError(Translatable("The file is empty; choose one with content."))
        if size > self.largest:
            raise InputError(
                Translatable(
                    "The file has {size} MB, and at most {most} MB can be uploaded; split it, or ask an "
                    "admin to load it on the server.",
                    size=_megabytes(size),
                    most=_megabytes(self.largest),
                )
            )
        taken = sum(one.size for one in self._all() if one.owner == owner)
        if taken + size > self.quota:
            raise InputError(
                Translatable(
                    "Your uploaded files take {taken} MB of {quota} MB, so there is no room for this one; "
                    "they are deleted once imported, or after a day.",
                    taken=_megabytes(taken),
                    quota=_megabytes(self.quota),
                )
            )
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if shutil.disk_usage(self.folder).free - size < MUST_STAY_FREE:
            raise InputError(
                Translatable("The server's disk is almost full; ask an admin to make room, then try again.")
            )
        upload = Upload(secrets.token_hex(16), owner, _plain_name(name), size)
        self._about(upload.upload_id).write_text(json.dumps(asdict(upload)), encoding="utf-8")
        return Receiving(self, upload)

    def find(self, upload_id: str, *, owner: str) -> Upload:
        """An account's own complete upload. Raises InputError if there is none."""
        found = self._read(upload_id) if _ID.fullmatch(upload_id) else None
        if found is None or found.owner != owner or not self.path(found).is_file():
            raise InputError(
                Translatable(
                    "There is no such uploaded file any more: files are deleted once imported, or after a "
                    "day. Upload it again."
                )
            )
        return found

    def path(self, upload: Upload) -> Path:
        """Where the content of an upload is stored."""
        return self.folder / upload.upload_id

    def delete(self, upload_id: str) -> None:
        """Delete an upload and the files beside it; no-op if there is none."""
        for path in (self.folder / upload_id, self._part(upload_id), self._about(upload_id)):
            path.unlink(missing_ok=True)

    def delete_old(self) -> None:
        """Delete what is older than a day, complete or left over from a server that was killed."""
        for about in self._abouts():
            newest = max((_changed_at(path) for path in (about, self._part(about.stem))), default=0)
            if newest < time.time() - KEPT_S:
                self.delete(about.stem)

    def _all(self) -> Iterator[Upload]:
        return (found for about in self._abouts() if (found := self._read(about.stem)))

    def _abouts(self) -> list[Path]:
        return [path for path in self.folder.glob("*.json") if _ID.fullmatch(path.stem)]

    def _read(self, upload_id: str) -> Upload | None:
        try:
            return Upload(**json.loads(self._about(upload_id).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):  # another server has just deleted it
            return None

    def _about(self, upload_id: str) -> Path:
        return self.folder / f"{upload_id}.json"

    def _part(self, upload_id: str) -> Path:
        return self.folder / f"{upload_id}.part"


class Receiving:
    """A file being received; as a context manager it leaves nothing behind unless `finish` was called."""

    def __init__(self, uploads: Uploads, upload: Upload) -> None:
        self.upload = upload
        self._uploads = uploads
        self._part = uploads._part(upload.upload_id)
        self._file: BinaryIO
        self._received = 0
        self._finished = False

    def __enter__(self) -> "Receiving":
        self._file = self._part.open("xb")
        return self

    def write(self, content: bytes) -> None:
        """Append bytes. Raises InputError if they are more than announced."""
        self._received += len(content)
        if self._received > self.upload.size:
            raise InputError(Translatable("More arrived than was announced; try the upload again."))
        self._file.write(content)

    def finish(self) -> Upload:
        """Give the complete file its name; returns the upload. Raises InputError if less arrived than was
        announced.
        """
        if self._received < self.upload.size:
            raise InputError(Translatable("The upload was cut off; try it again."))
        self._file.close()
        self._part.rename(self._uploads.path(self.upload))
        self._finished = True
        return self.upload

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if not self._finished:
            self._uploads.delete(self.upload.upload_id)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _plain_name(name: str) -> str:
    """The last part of a file's name, printable and not too long."""
    last = re.split(r"[/\\]", name)[-1]
    return "".join(c for c in last if c.isprintable())[-LONGEST_NAME:].strip() or "upload"


def _megabytes(size: int) -> int:
    return -(-size // MEGABYTE)
