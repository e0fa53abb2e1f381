"""The generations file of a run as an append-only journal: every line in it is finished work, even after a
crash.

Lines are written and synced before they are acknowledged. A process killed while writing leaves at most a
last line without an end, which is cut off at the next start. One process writes a file at a time; several
ranks write one shard each beside the generations file, and `clinicnum.inference.merge_shards` joins them.
"""

import errno
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic import ValidationError

from clinicnum.errors import InputError
from clinicnum.inference.generations_file_lock import check_free, file_lock
from clinicnum.inference.shards import Part, find_shards, shard_path
from clinicnum.io.jsonl import first_problem, meta_path, read_meta, write_meta
from clinicnum.types import Generation

IDENTITY = (
    "run_id",
    "model_fingerprint",
    "prompt_hash",
    "decoding",
    "benchmark_sha256",
    "dtype",
    "quantize",
    "template_date",
    "server_says",
)
"""Meta keys that must be equal for a file to be continued."""
_SINCE_LATER = {"server_says"}
"""Keys that files of earlier versions lack; then they are not compared."""
_MERGE_PATIENCE_S = 120
"""Seconds that a rank waits while another one merges the shards."""


class Line(NamedTuple):
    """A complete line of a generations file."""

    number: int
    """Line number, from 1."""
    raw: bytes
    generation: Generation


class Journal:
    """An open generations file; use `open_journal` to get one."""

    def __init__(self, path: Path, handle: BinaryIO, done: frozenset[str], meta: dict[str, Any]) -> None:
        self._path = path
        self._fd = handle.fileno()
        self._size = os.fstat(self._fd).st_size
        self._meta = meta
        self.done = done
        """Ids of the instances that need no generation any more."""

    def write(self, generation: Generation) -> None:
        """Append one line; it is durable when this returns. Raises InputError as `commit` does."""
        self.commit([generation])

    def commit(self, generations: Sequence[Generation]) -> None:
        """Append lines with one sync; they are durable when this returns.

        Raises InputError if the disk does not take them all: the file then ends with the last that it took.
        """
        lines = b"".join(generation.model_dump_json().encode() + b"\n" for generation in generations)
        taken = 0
        with disk_errors(self._path):
            try:
                while taken < len(lines):
                    taken += os.write(self._fd, lines[taken:])
            finally:
                whole = lines.rfind(b"\n", 0, taken) + 1
                if whole < taken:
                    os.ftruncate(self._fd, self._size + whole)
                self._size += whole
                os.fsync(self._fd)

    def note(self, **facts: Any) -> None:
        """Add facts to this session's entry in the run's meta file. Raises InputError if the disk is full or
        fails.
        """
        *earlier, session = self._meta["sessions"]
        self._meta = self._meta | {"sessions": [*earlier, session | facts]}
        with disk_errors(self._path):
            write_meta(self._path, self._meta)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Raise InputError, with one line, in place of the OSError of a full or failing disk."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise
        raise InputError(
            f"{path}: could not be written ({error.strerror}); the generations before are kept: "
            "make room and repeat the command to go on"
        ) from error


def check_continues(out: Path, identity: dict[str, Any]) -> None:
    """Raise InputError unless `out` is absent, empty, or a file of the same run.

    The same holds for its shards, which another rank may be writing. Writes nothing.
    """
    check_output_path(out)
    for path in [out, *(shard for _, shard in find_shards(out))]:
        _check_same_run(path, identity)


def check_output_path(out: Path) -> None:
    """Raise InputError if `out` cannot be the name of a file."""
    if not out.parent.is_dir():
        raise InputError(f"{out}: folder {out.parent} does not exist; make it or name another --out")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; --out must name a file")


def _check_same_run(path: Path, identity: dict[str, Any]) -> None:
    meta = read_meta(path)
    if meta is None:
        if path.is_file() and path.stat().st_size > 0:
            raise InputError(
                f"{path}: exists without {meta_path(path).name}, so it was made elsewhere; name another --out"
            )
        return
    compared = [key for key in IDENTITY if key != "run_id" and (key in meta or key not in _SINCE_LATER)]
    differing = [key for key in compared if meta.get(key) != identity.get(key)]
    if differing:
        key = differing[0]
        raise InputError(
            f"{path}: belongs to another run: {key} was {meta.get(key)!r} and is {identity.get(key)!r} now; "
            "repeat the first command to continue it, or name another --out"
        )


def done_before(out: Path, *, identity: dict[str, Any], known: Collection[str]) -> frozenset[str]:
    """Ids of the instances in `out` and its shards. Raises as `open_journal` does; writes nothing."""
    check_continues(out, identity)
    return _done([out, *(shard for _, shard in find_shards(out))], str(identity["run_id"]), known)


@contextmanager
def open_journal(
    out: Path,
    *,
    identity: dict[str, Any],
    session: dict[str, Any],
    known: Collection[str],
    part: Part | None = None,
) -> Iterator[Journal]:
    """Open `out` or this rank's shard: lock it, cut off an incomplete last line, read what is done, write
    the meta.

    `identity` has the keys of `IDENTITY`; `session` describes this start (device, batch, versions) and is
    appended to the meta's `sessions`; `known` are the instance ids of the benchmark. Raises InputError if
    the file is held by another process, belongs to another run, or holds lines that are not of this run.
    """
    check_continues(out, identity)
    path = out if part is None else shard_path(out, part)
    with ExitStack() as stack, disk_errors(path):
        whole = file_lock(out, alone=part is None, patience_s=0 if part is None else _MERGE_PATIENCE_S)
        handle = stack.enter_context(whole)
        if part is not None:
            handle = stack.enter_context(file_lock(path, alone=True))
            _refuse_other_worlds(out, part)
        check_continues(out, identity)
        remove_leftovers(path)
        _cut_torn_line(handle)
        done = _done([out, *(shard for _, shard in find_shards(out))], str(identity["run_id"]), known)
        earlier = (read_meta(path) or {}).get("sessions", [])
        meta = identity | {"sessions": [*earlier, session]}
        write_meta(path, meta)
        yield Journal(path, handle, done, meta)


def _refuse_other_worlds(out: Path, part: Part) -> None:
    """Raise LockHeld if a process is still writing a shard of another number of processes: instances would be
    divided differently, and some done twice. Shards that nobody writes any more are read as done.
    """
    for other, path in find_shards(out):
        if other.world != part.world:
            check_free(path)


def remove_leftovers(path: Path) -> None:
    """Delete what a killed process left of a meta file it was replacing; only the holder of the lock may."""
    for left in path.parent.glob(f".{escape(meta_path(path).name)}.*.part"):
        left.unlink()


def _cut_torn_line(handle: BinaryIO) -> None:
    """Remove an incomplete last line."""
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


def complete_lines(path: Path) -> Iterator[Line]:
    """Yield the complete lines of a generations file; none if there is no file.

    Raises InputError naming the first line that is no valid generation.
    """
    if not path.is_file():
        return
    with path.open("rb") as handle:
        for number, raw in enumerate(handle, start=1):
            if not raw.endswith(b"\n"):
                return
            try:
                yield Line(number, raw, Generation.model_validate_json(raw))
            except ValidationError as error:
                raise InputError(
                    f"{path}:{number}: not a valid generation: {first_problem(error)}; "
                    "the file was changed: restore it or name another --out"
                ) from error


def _done(paths: Iterable[Path], run_id: str, known: Collection[str]) -> frozenset[str]:
    done: set[str] = set()
    for path in paths:
        # A merge that was killed leaves lines both in the merged file and in a shard; once a file is enough.
        here: set[str] = set()
        for number, _, generation in complete_lines(path):
            problem = None
            if generation.run_id != run_id:
                problem = f"a generation of run {generation.run_id}, expected {run_id}"
            elif generation.instance_id not in known:
                problem = f"instance {generation.instance_id} is not in the benchmark"
            elif generation.instance_id in here:
                problem = f"instance {generation.instance_id} a second time"
            if problem:
                raise InputError(
                    f"{path}:{number}: {problem}; the file was changed: restore it or name another --out"
                )
            here.add(generation.instance_id)
        done |= here
    return frozenset(done)
