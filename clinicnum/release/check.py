"""Check a release: every file is as published, none is missing, none was added."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.io.strict_json import plain_json
from clinicnum.release.manifest import (
    MANIFEST,
    VALIDATION,
    Evidence,
    Manifest,
    Release,
    ReleaseFault,
    content_sha256,
)
from clinicnum.templates.bank import bank_sha256, load_bank
from clinicnum.templates.template import ASKABLE, Template

MOST_NAMED = 5


def is_release(folder: Path) -> bool:
    """Whether a folder claims to be a release."""
    return (folder / MANIFEST).is_file()


def check_folder(folder: Path) -> tuple[ReleaseFault, ...]:
    """The faults of a release: changed, missing and additional files, by name.

    If the manifest itself was changed, that is the only fault reported, as nothing else can be judged by it.
    Raises InputError for a folder that is not a release.
    """
    return _examined(folder)[0]


def read_release(folder: Path) -> Release:
    """Read and check a release. Raises InputError naming its faults, or if the folder is not a release."""
    faults, manifest, templates, files = _examined(folder)
    if faults or manifest is None:
        named = "; ".join(str(one) for one in faults[:MOST_NAMED])
        raise InputError(
            f"{folder}: not the release that was published: {named}; copy it anew from its source"
        )
    return Release(
        manifest=manifest,
        templates=templates,
        evidence=read_evidence(files[VALIDATION]),
        files={name: content.decode() for name, content in files.items()},
    )


_Examined = tuple[tuple[ReleaseFault, ...], Manifest | None, tuple[Template, ...], dict[str, bytes]]


def _examined(folder: Path) -> _Examined:
    if not folder.is_dir() or not is_release(folder):
        raise InputError(
            f"{folder}: no {MANIFEST} in it, so it is no release; clinicnum templates publish makes one"
        )
    files = _files(folder)
    manifest = _manifest(files[MANIFEST])
    if manifest is None:
        what = "was changed: it is not what was published, so nothing else can be judged by it"
        return (ReleaseFault(file=MANIFEST, what=what),), None, (), files
    faults = tuple(_changed(files, manifest))
    if faults:
        return faults, manifest, (), files
    templates = load_bank(folder)
    return tuple(_otherwise(manifest, templates, files)), manifest, templates, files


def _files(folder: Path) -> dict[str, bytes]:
    """All files except git's own, since a release may lie in a repository."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    named = ((path.relative_to(folder), path) for path in paths)
    return {name.as_posix(): path.read_bytes() for name, path in named if name.parts[0] != ".git"}


def _manifest(content: bytes) -> Manifest | None:
    """The manifest; None unless it is, byte for byte, what writing and sealing its content gives."""
    try:
        manifest = Manifest.model_validate(plain_json(content))
    except ValueError:
        return None
    return manifest if manifest.sealed().text().encode() == content else None


def _changed(files: Mapping[str, bytes], manifest: Manifest) -> Iterator[ReleaseFault]:
    from hashlib import sha256

    for name in sorted({*files, *manifest.files} - {MANIFEST}):
        listed = manifest.files.get(name)
        if listed is None:
            yield ReleaseFault(file=name, what="is no part of the release: it was added")
        elif name not in files:
            yield ReleaseFault(file=name, what="is missing")
        elif (found := sha256(files[name]).hexdigest()) != listed.sha256:
            what = f"was changed: sha256 {found[:12]}, expected {listed.sha256[:12]}"
            yield ReleaseFault(file=name, what=what)
        elif not _is_text(files[name]):
            yield ReleaseFault(file=name, what="is no UTF-8 text, and a release holds nothing else")


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _otherwise(
    manifest: Manifest, templates: tuple[Template, ...], files: Mapping[str, bytes]
) -> Iterator[ReleaseFault]:
    """Yield contradictions between files and manifest whose hashes hold, as in a release assembled by
    hand.
    """
    listed = {one.id: (one.version, one.status, one.sha256) for one in manifest.templates}
    held = {one.id: (one.version, one.status, content_sha256(one)) for one in templates}
    odd = sorted(name for name in {*listed, *held} if listed.get(name) != held.get(name))
    if odd:
        yield ReleaseFault(file=MANIFEST, what=f"lists other templates than the files hold: {', '.join(odd)}")
    elif manifest.bank_sha256 != bank_sha256(templates):
        yield ReleaseFault(file=MANIFEST, what="names another bank_sha256 than the files have")
    unfit = sorted(one.id for one in templates if one.status not in ASKABLE)
    if unfit:
        yield ReleaseFault(file=MANIFEST, what=f"holds what is not released: {', '.join(unfit)}")
    try:
        evidence = read_evidence(files.get(VALIDATION, b""))
    except InputError as error:
        yield ReleaseFault(file=VALIDATION, what=str(error))
        return
    bare = [one.id for one in templates if one.status == "validated" and one.id not in evidence]
    if bare:
        yield ReleaseFault(file=VALIDATION, what=f"has no evidence for {', '.join(bare)}, called validated")


def read_evidence(content: bytes) -> dict[str, Evidence]:
    """The contents of `validation.json`, by template id. Raises InputError for any other content."""
    try:
        loaded: dict[str, Any] = plain_json(content)
        told = {name: one["evidence"] for name, one in loaded.items()}
        return {name: Evidence.model_validate(one) for name, one in told.items() if one is not None}
    except ValidationError as error:
        raise InputError(f"not the evidence of a release: {first_problem(error)}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not the evidence of a release: {error}") from error
