"""JSONL in and out: one type of object a file, one object a line, no header.

Metadata of the file is in `FILE.meta.json`. A file without one was made elsewhere. Writing is all or nothing:
the target appears only when complete.
"""

import hashlib
import hmac
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from pydantic import BaseModel, ValidationError

from clinicnum.errors import InputError
from clinicnum.io.strict_json import plain_json
from clinicnum.io.validation_problems import problem_text
from clinicnum.translatable_text import Translatable

T = TypeVar("T", bound=BaseModel)
_BUFFER = 1 << 20
"""Bytes written at once: a benchmark may have gigabytes."""


compact_json: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Plain data as one line of JSON, as pydantic writes it."""


quoted: Callable[[str], str] = json.encoder.encode_basestring
"""A text as a JSON string, not escaped beyond need."""


def quoted_list(texts: Iterable[str]) -> str:
    """Texts as a JSON array."""
    return f"[{','.join(map(quoted, texts))}]"


def text_id(*texts: str) -> str:
    """Stable id of texts: the first 16 hex digits of SHA-256 over them as a JSON array."""
    return id_of_json(quoted_list(texts))


def id_of_json(text: str) -> str:
    """Stable id of a JSON text as it is written: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def content_id(payload: object) -> str:
    """Stable id of a value: the first 16 hex digits of SHA-256 over its canonical JSON (sorted keys, no
    spaces).
    """
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return id_of_json(text)


def keyed_id(key: str, payload: object) -> str:
    """As `content_id`, by HMAC-SHA256 (RFC 2104): it does not reveal the content without the key."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()[:16]


def sha256_json(payload: object) -> str:
    """SHA-256 over a value's canonical JSON, in hex."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def sha256_file(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def meta_path(path: Path) -> Path:
    """Path of the file that describes a whole JSONL file."""
    return path.with_name(path.name + ".meta.json")


def first_problem(error: ValidationError) -> str:
    """The first problem of a validation error as `field: message`, on one line."""
    problem = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in problem["loc"]) or "line"
    return Translatable("{field}: {problem}", field=where, problem=problem_text(problem))


def read_jsonl(path: Path, kind: type[T]) -> Iterator[T]:
    """Yield the objects of a JSONL file.

    Raises InputError naming file and line for a missing file, bad JSON, an unknown key or a bad value.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected JSONL with one {kind.__name__.lower()} a line")
    with path.open(encoding="utf-8") as handle:
        try:
            for number, line in enumerate(handle, start=1):
                if line.strip():
                    yield parse_line(line, kind, path, number)
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected JSONL") from error


def parse_line(line: str | bytes, kind: type[T], path: Path, number: int) -> T:
    """The object in a line of a JSONL file. Raises InputError naming file and line if it is none."""
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        raise InputError(
            f"{path}:{number}: not a valid {kind.__name__.lower()}: {first_problem(error)}; "
            "correct the line or make the file anew"
        ) from error


def read_meta(path: Path) -> dict[str, Any] | None:
    """The meta data of a JSONL file; None if the file was made elsewhere. Raises InputError if they cannot be
    read.
    """
    meta = meta_path(path)
    if not meta.is_file():
        return None
    try:
        loaded = plain_json(meta.read_bytes())
    except ValueError as error:
        raise InputError(f"{meta}: not JSON ({error}); make the file anew or delete the meta file") from error
    if not isinstance(loaded, dict):
        raise InputError(f"{meta}: expected a JSON object, got {type(loaded).__name__}")
    return loaded


def checked_meta(path: Path) -> dict[str, Any]:
    """A file's meta data with its hash checked; empty for a file made elsewhere. A run in progress has no
    hash yet.

    Raises InputError for a missing file, and for one that has changed since its meta was written.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected JSONL")
    meta = read_meta(path) or {}
    if meta.get("sha256") and meta["sha256"] != sha256_file(path):
        raise InputError(
            f"{path}: differs from the file that its .meta.json describes; make it anew, or delete the meta "
            "file to use it as made elsewhere"
        )
    return meta


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Context manager: a text file to write, which replaces `path` on exit unless the block raised.

    Raises InputError if the folder does not exist.
    """
    if not path.parent.is_dir():
        raise InputError(f"{path}: folder {path.parent} does not exist; make it or name another --out")
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", buffering=_BUFFER, encoding="utf-8", newline="\n") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_jsonl(path: Path, objects: Iterable[BaseModel], meta: dict[str, Any] | None = None) -> int:
    """Write objects and their meta with the file's sha256 added, both or none; return how many objects.

    Raises InputError if the folder does not exist.
    """
    lines = (item.model_dump_json().encode() for item in objects)
    return write_lines(path, lines, None if meta is None else lambda _: meta)


def write_lines(
    path: Path, lines: Iterable[bytes], meta: Callable[[int], dict[str, Any]] | None = None
) -> int:
    """Write lines of JSON that are already UTF-8, without line ends; return how many.

    `meta` is called with the number of lines and returns the content of `FILE.meta.json`, to which the sha256
    of the lines is added. Raises InputError if the folder does not exist.
    """
    count, digest = 0, hashlib.sha256()
    with replacing(path) as handle:
        for line in lines:
            handle.buffer.write(line + b"\n")
            digest.update(line + b"\n")
            count += 1
        if meta is not None:
            handle.flush()
            # A disk that is too small for the lines must not be left with their meta.
            os.fsync(handle.fileno())
            write_meta(path, meta(count) | {"sha256": digest.hexdigest()})
    return count


def write_meta(path: Path, meta: dict[str, Any]) -> None:
    """Write `FILE.meta.json` beside a JSONL file. Raises InputError if the folder does not exist."""
    with replacing(meta_path(path)) as handle:
        json.dump(meta, handle, indent=2, ensure_ascii=False, sort_keys=True)
        handle.write("\n")
