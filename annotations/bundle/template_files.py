"""The templates from which a study's benchmark was made, found by the hash that the benchmark names."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clinicnum.annotations.bundle.bundle_file_paths import TEMPLATES
from clinicnum.annotations.report.bank_release_of_benchmark import named_release
from clinicnum.errors import InputError
from clinicnum.release import is_release
from clinicnum.templates.bank import bank_sha256, load_bank
from clinicnum.templates.packaged_banks import BANKS


def bank_files(
    benchmark: Mapping[str, Any], own: Path | None = None, released: Mapping[str, str] | None = None
) -> dict[str, bytes]:
    """The template files from which the benchmark was made, unchanged; none if it names no available bank.

    `own` is a folder of templates to use instead; `released` are the files of the release that the benchmark
    names. Raises InputError if `own` is not the benchmark's bank.
    """
    wanted = benchmark.get("bank_sha256")
    if own is not None:
        if _hash_of([own]) != wanted:
            raise InputError(
                f"{own}: not the templates that the benchmark was made from (it names the bank "
                f"{str(wanted)[:12]}); give that folder, or leave out --bank"
            )
        return _read([own])
    release = named_release(benchmark)
    if release is not None and released:
        return {f"{TEMPLATES}/{release.name}/{file}": text.encode() for file, text in released.items()}
    if wanted is None:
        return {}
    return next((_read(folders) for folders in BANKS.values() if _hash_of(folders) == wanted), {})


def bundled_bank_sha256(files: Mapping[str, bytes]) -> str | None:
    """The hash of the templates in a bundle; None if there are none. Raises InputError for a broken
    template.
    """
    names = [name for name in files if name.startswith(f"{TEMPLATES}/")]
    if not names:
        return None
    with tempfile.TemporaryDirectory() as made:
        paths = [Path(made) / name for name in names]
        for name, path in zip(names, paths, strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[name])
        return _hash_of(sorted({path.parent for path in paths}))


def _hash_of(folders: Sequence[Path]) -> str:
    return bank_sha256(template for folder in folders for template in load_bank(folder))


def _read(folders: Sequence[Path]) -> dict[str, bytes]:
    return {
        f"{TEMPLATES}/{folder.name}/{path.name}": path.read_bytes()
        for folder in folders
        for path in sorted([*folder.glob("*.yaml"), *_of_release(folder)])
    }


def _of_release(folder: Path) -> list[Path]:
    """The files of a release other than its templates."""
    if not is_release(folder):
        return []
    return [path for path in folder.iterdir() if path.is_file() and path.suffix != ".yaml"]
