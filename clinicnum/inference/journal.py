"""The generations file of a run as an append-only journal: what is in it is done, whatever happened since.

Each generation is one line, flushed and synced before the next. A process killed while writing leaves at
most a last line without an end, which is cut off at the next start. One process holds the file at a time.
"""

import fcntl
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from clinicnum.errors import InputError
from clinicnum.jsonl import meta_path, read_jsonl, read_meta, write_meta
from clinicnum.types import Generation

IDENTITY = ("run_id", "model_fingerprint", "prompt_hash", "decoding", "benchmark_sha256", "dtype")
"""Meta keys that must be equal for a file to be continued."""


class Journal:
    """An open generations file. Use `opened`."""

    def __init__(self, handle: BinaryIO, done: frozenset[str]) -> None:
        self._handle = handle
        self.done = done
        """Ids of the instances that were already in the file."""

    def write(self, generation: Generation) -> None:
        """Append one line; durable on return."""
        self._handle.write(generation.model_dump_json().encode() + b"\n")
        self._handle.flush()
        os.fsync(self._handle.fileno())


def check_continues(out: Path, identity: dict[str, Any]) -> None:
    """Raise InputError unless `out` is absent, empty, or a file of this very run. Writes nothing."""
    if not out.parent.is_dir():
        raise InputError(f"{out}: folder {out.parent} does not exist; make it or name another --out")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; --out must name a file")
    meta = read_meta(out)
    if meta is None:
        if out.is_file() and out.stat().st_size > 0:
            raise InputError(
                f"{out}: exists without {meta_path(out).name}, so it was made elsewhere; name another --out"
            )
        return
    differing = [key for key in IDENTITY if key != "run_id" and meta.get(key) != identity[key]]
    if differing:
        key = differing[0]
        raise InputError(
            f"{out}: belongs to another run: {key} was {meta.get(key)!r} and is {identity[key]!r} now; "
            "repeat the first command to continue it, or name another --out"
        )


@contextmanager
def opened(
    out: Path, *, identity: dict[str, Any], session: dict[str, Any], known: Collection[str]
) -> Iterator[Journal]:
    """Open `out` for this run alone: lock, cut off a torn last line, read what is done, write the meta.

    `identity` has the keys of `IDENTITY`; `session` describes this start (device, batch, versions) and is
    appended to the meta's `sessions`; `known` are the instance ids of the benchmark. Raises InputError if
    the file is held by another process, belongs to another run, or holds lines that are not of this run.
    """
    check_continues(out, identity)
    with out.open("a+b") as handle:
        _lock(handle, out)
        check_continues(out, identity)
        _cut_torn_line(handle)
        done = _done(out, str(identity["run_id"]), known)
        earlier = (read_meta(out) or {}).get("sessions", [])
        write_meta(out, identity | {"sessions": [*earlier, session]})
        yield Journal(handle, done)


def _lock(handle: BinaryIO, out: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InputError(
            f"{out}: another process is writing it; wait for it to end, or name another --out"
        ) from error


def _cut_torn_line(handle: BinaryIO) -> None:
    """Drop what follows the last newline."""
    end = handle.seek(0, os.SEEK_END)
    keep = end
    while keep > 0:
        start = max(0, keep - 65_536)
        handle.seek(start)
        newline = handle.read(keep - start).rfind(b"\n")
        if newline >= 0:
            keep = start + newline + 1
            break
        keep = start
    if keep < end:
        handle.truncate(keep)
    handle.seek(0, os.SEEK_END)


def _done(out: Path, run_id: str, known: Collection[str]) -> frozenset[str]:
    done: set[str] = set()
    for number, generation in enumerate(read_jsonl(out, Generation), start=1):
        problem = None
        if generation.run_id != run_id:
            problem = f"a generation of run {generation.run_id}, expected {run_id}"
        elif generation.instance_id not in known:
            problem = f"instance {generation.instance_id} is not in the benchmark"
        elif generation.instance_id in done:
            problem = f"instance {generation.instance_id} a second time"
        if problem:
            raise InputError(
                f"{out}:{number}: {problem}; the file was changed: restore it or name another --out"
            )
        done.add(generation.instance_id)
    return frozenset(done)
