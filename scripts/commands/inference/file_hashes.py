"""Hashes of model files, read once: weights of 140 GB take minutes, and each rank of a run asks for them."""

import json
from contextlib import suppress
from pathlib import Path

from clinicnum.inference.generations_file_lock import LockHeld, file_lock
from clinicnum.io.jsonl import replacing, sha256_file
from clinicnum.io.strict_json import plain_json
from clinicnum.scripts.commands.common.install_small_model import cache_folder

LARGE = 64 * 2**20
"""Bytes from which a file's hash is cached."""
_PATIENCE_S = 3_600


def cached_sha256(path: Path) -> str:
    """SHA-256 of a file; cached if large, until its size, time or path changes.

    One process reads while the others wait. Without a writable cache folder each process reads.
    """
    known = path.resolve()
    stat = known.stat()
    if stat.st_size < LARGE:
        return sha256_file(path)
    key = f"{known} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"
    store = cache_folder() / "hashes.json"
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(store.with_name("hashes.lock"), alone=True, patience_s=_PATIENCE_S):
            hashes = _read(store)
            if key not in hashes:
                hashes[key] = sha256_file(path)
                with replacing(store) as handle:
                    json.dump(hashes, handle)
            return hashes[key]
    except (OSError, LockHeld):
        return sha256_file(path)


def _read(store: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        found = plain_json(store.read_bytes())
        if isinstance(found, dict):
            return {str(key): str(value) for key, value in found.items()}
    return {}
