"""The hashes of a bundle, listed twice, so that a changed byte can be traced to its file.

`manifest.json` is for programs; `SHA256SUMS` is checked by `sha256sum -c` where clinicnum is not installed.
If a file and one of the lists disagree, the other list shows which of the two was changed.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from clinicnum.annotations.bundle.bundle_file_paths import MANIFEST, SUMS
from clinicnum.errors import InputError
from clinicnum.io.strict_json import plain_json
from clinicnum.types import Frozen

FORMAT = 1


class Fault(Frozen):
    """A fault in one file of a bundle."""

    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


def sha256(content: bytes) -> str:
    """SHA-256 as hexadecimal text."""
    return hashlib.sha256(content).hexdigest()


def with_hashes(files: Mapping[str, bytes], about: Mapping[str, Any]) -> dict[str, bytes]:
    """The files with both lists of hashes added; `about` is the manifest's description of the bundle."""
    whole = dict(files) | {MANIFEST: manifest_bytes(files, about)}
    return whole | {SUMS: sums_bytes(whole)}


def manifest_bytes(files: Mapping[str, bytes], about: Mapping[str, Any]) -> bytes:
    """The manifest of these files, without entries for itself and for the list of hashes."""
    listed = {
        name: {"bytes": len(files[name]), "sha256": sha256(files[name])}
        for name in sorted(files)
        if name not in (MANIFEST, SUMS)
    }
    whole = {"format": FORMAT, **about, "files": listed}
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()


def sums_bytes(files: Mapping[str, bytes]) -> bytes:
    """The content of `SHA256SUMS`: one line per file, `HASH  NAME`, without the list itself."""
    return "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files) if name != SUMS).encode()


def changed_files(files: Mapping[str, bytes]) -> tuple[Fault, ...]:
    """Every file that differs from its hashes in the two lists, or the list that has a wrong hash; sorted by
    name.

    Everything in the lists except the hashes is checked by `changed_lists`. Raises InputError if a list is
    missing: the files are then not a bundle.
    """
    for name in (MANIFEST, SUMS):
        if name not in files:
            raise InputError(f"no {name} in it, so it is no bundle; clinicnum export --bundle F makes one")
    listed, summed = _of_manifest(files[MANIFEST]), _of_sums(files[SUMS])
    if listed is None:
        return (Fault(file=MANIFEST, what="was changed: it is no list of files any more"),)
    if summed is None:
        return (Fault(file=SUMS, what="was changed: it is no list of hashes any more"),)
    names = sorted({*files, *listed, *summed} - {MANIFEST, SUMS})
    faults = {fault.file: fault for name in names for fault in _judge(name, files, listed, summed)}
    return tuple(faults[name] for name in sorted(faults))


def changed_lists(files: Mapping[str, bytes], about: Mapping[str, Any]) -> tuple[Fault, ...]:
    """The list of hashes, if any, that differs from one made anew; only for files that `changed_files` found
    unchanged.
    """
    if files[MANIFEST] != manifest_bytes(files, about):
        return (Fault(file=MANIFEST, what="was changed: made anew from the other files it reads otherwise"),)
    if files[SUMS] != sums_bytes(files):
        return (Fault(file=SUMS, what="was changed: made anew from the other files it reads otherwise"),)
    return ()


def _judge(
    name: str, files: Mapping[str, bytes], listed: Mapping[str, str], summed: Mapping[str, str]
) -> Iterator[Fault]:
    first, second = listed.get(name), summed.get(name)
    if name not in files:
        if first == second:
            yield Fault(file=name, what="is missing")
        elif first is None:
            yield Fault(file=SUMS, what=f"was changed: it lists {name!r}, which the bundle never had")
        else:
            yield Fault(file=MANIFEST, what=f"was changed: it lists {name!r}, which the bundle never had")
        return
    actual = sha256(files[name])
    if first is None and second is None:
        yield Fault(file=name, what="is no part of the bundle: it was added")
    elif actual == first == second:
        return
    elif actual == first:
        yield Fault(file=SUMS, what=f"was changed: its line on {name} is wrong")
    elif actual == second:
        yield Fault(file=MANIFEST, what=f"was changed: its entry on {name} is wrong")
    else:
        yield Fault(
            file=name, what=f"was changed: sha256 {actual[:12]}, expected {str(first or second)[:12]}"
        )


def _of_manifest(content: bytes) -> dict[str, str] | None:
    try:
        entries = plain_json(content)["files"]
        return {str(name): str(entry["sha256"]) for name, entry in entries.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _of_sums(content: bytes) -> dict[str, str] | None:
    try:
        lines = content.decode().splitlines()
    except UnicodeDecodeError:
        return None
    pairs = [line.split("  ", 1) for line in lines]
    if any(len(pair) != 2 for pair in pairs):
        return None
    return {name: digest for digest, name in pairs}
