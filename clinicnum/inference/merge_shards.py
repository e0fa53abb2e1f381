"""Merge the shards of a run's ranks into its generations file.

Killed at any moment it loses nothing: the meta is replaced first, then the file as a whole, and a shard goes
only when the joined file is on the disk. Merging again then finishes the work.
"""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from clinicnum.errors import InputError
from clinicnum.inference.generations_file_lock import LockHeld, file_lock
from clinicnum.inference.generations_journal import (
    check_continues,
    complete_lines,
    disk_errors,
    remove_leftovers,
)
from clinicnum.inference.shards import find_shards
from clinicnum.io.jsonl import meta_path, read_meta, write_meta


@dataclass(frozen=True)
class Merged:
    """The result of a merge."""

    shards: int
    """Number of shards joined."""
    added: int
    """Number of generations that the file did not have before."""
    total: int
    """Number of generations in the file now."""


def merge(out: Path) -> Merged:
    """Append the generations of all shards beside `out` to it, and delete the shards.

    Raises LockHeld while a process writes `out` or a shard, and InputError if there are no shards, if one
    belongs to another run, or if two files hold different generations of one instance.
    """
    merged = _merge(out)
    if merged is None:
        raise InputError(
            f"{out}: no shards beside it (expected {out.stem}.rank-0-of-2{out.suffix} and so on); "
            "there is nothing to merge"
        )
    return merged


def merge_if_last(out: Path) -> Merged | None:
    """Merge if there are shards and no other rank is running; None otherwise.

    Raises InputError as `merge` does, except that shards may be absent.
    """
    try:
        return _merge(out)
    except LockHeld:
        return None


def _merge(out: Path) -> Merged | None:
    if not find_shards(out):
        return None
    with ExitStack() as stack, disk_errors(out):
        stack.enter_context(file_lock(out, alone=True))
        # Looked up again: a rank that ended at the same moment may have joined them meanwhile.
        shards = [path for _, path in find_shards(out)]
        if not shards:
            return None
        for path in shards:
            stack.enter_context(file_lock(path, alone=True))
        remove_leftovers(out)
        meta = _joined_meta(out, shards)
        result = _join(out, shards, meta, stack)
        for path in shards:
            remove_leftovers(path)
            path.unlink()
            meta_path(path).unlink(missing_ok=True)
    return result


def _joined_meta(out: Path, shards: list[Path]) -> dict[str, Any] | None:
    """The meta of the run with each session of each process once; None if nothing was ever written."""
    metas = [meta for path in [out, *shards] if (meta := read_meta(path)) is not None]
    identity = metas[0] if metas else {}
    check_continues(out, identity)
    sessions: list[Any] = []
    for meta in metas:
        sessions += [session for session in meta.get("sessions", []) if session not in sessions]
    return identity | {"sessions": sessions} if metas else None


def _join(out: Path, shards: list[Path], meta: dict[str, Any] | None, stack: ExitStack) -> Merged:
    temporary = out.with_name(f".{out.name}.merging")
    temporary.unlink(missing_ok=True)
    try:
        # Locked too, so that nobody writes to it after it has become `out`, before the shards are deleted.
        stack.enter_context(file_lock(temporary, alone=True))
        with temporary.open("wb") as handle:
            total, before = _copy([out, *shards], handle)
            handle.flush()
            os.fsync(handle.fileno())
        if meta is not None:
            write_meta(out, meta)
        temporary.replace(out)
        _sync_folder(out.parent)
    finally:
        temporary.unlink(missing_ok=True)
    return Merged(shards=len(shards), added=total - before, total=total)


def _copy(paths: list[Path], handle: BinaryIO) -> tuple[int, int]:
    """Write the line of each instance once; returns how many there are, and how many the first file had."""
    seen: dict[str, tuple[bytes, Path]] = {}
    before, run_id = 0, None
    for path in paths:
        for number, raw, generation in complete_lines(path):
            run_id = run_id or generation.run_id
            is_new = generation.instance_id not in seen
            digest, where = seen.setdefault(generation.instance_id, (sha256(raw).digest(), path))
            problem = None
            if generation.run_id != run_id:
                problem = f"a generation of run {generation.run_id}, expected {run_id}"
            elif digest != sha256(raw).digest():
                problem = f"another generation of instance {generation.instance_id} than in {where.name}"
            if problem:
                raise InputError(f"{path}:{number}: {problem}; nothing was merged: remove one of the two")
            if is_new:
                handle.write(raw)
        if path == paths[0]:
            before = len(seen)
    return len(seen), before


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
