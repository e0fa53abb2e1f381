"""Convert labels made in other tools to `labels.csv`: supported formats, and the meta data of an import."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from clinicnum import __version__
from clinicnum.errors import InputError
from clinicnum.imports import label_studio, long_format_labels, potato
from clinicnum.imports.label_record import ImportedLabel
from clinicnum.io.jsonl import sha256_file
from clinicnum.io.text_lines import Progress

Reader = Callable[..., Iterator[ImportedLabel]]


class LabelFormat(NamedTuple):
    """A format from which annotators' labels can be imported: how it is read, and its columns."""

    read: Reader
    defaults: dict[str, str | None]
    """Those of `item`, `annotator`, `label` and `cluster` that the format uses, with their default values."""
    folder: bool = False
    """Whether the path may be a folder."""


LABEL_FORMATS: dict[str, LabelFormat] = {
    "long": LabelFormat(
        long_format_labels.labels,
        {"item": "item", "annotator": "annotator", "label": "label", "cluster": None},
    ),
    "label-studio": LabelFormat(
        label_studio.labels, {"item": "id", "annotator": None, "label": None, "cluster": None}
    ),
    "potato": LabelFormat(potato.labels, {"label": None}, folder=True),
}
"""Name of a format -> how it is read. A new one is a file and a line here."""


class Labels:
    """The labels of one file or folder, as an iterator to be consumed once; the meta is complete after
    the last.
    """

    def __init__(self, path: Path, format_name: str, *, options: dict[str, str | None]) -> None:
        """`options` gives a value to each of `item`, `annotator`, `label` and `cluster`, None for the
        format's default.

        Raises InputError for a format that does not exist, an option it has no use for, or a missing file.
        """
        if format_name not in LABEL_FORMATS:
            names = ", ".join(LABEL_FORMATS)
            raise InputError(f"--format {format_name!r} does not exist; expected one of {names}")
        form = LABEL_FORMATS[format_name]
        given = {option: value for option, value in options.items() if value is not None}
        useless = [option for option in given if option not in form.defaults]
        if useless:
            raise InputError(f"--{useless[0]} has no use for --format {format_name}; leave it out")
        if not path.is_file() and not (path.is_dir() and form.folder):
            what = "is a folder" if path.is_dir() else "no such file"
            raise InputError(f"{path}: {what}; expected a file" + (" or a folder" if form.folder else ""))
        self._path, self._name, self._form = path, format_name, form
        self._options: dict[str, str | None] = {**form.defaults, **given}
        self._items: set[str] = set()
        self._annotators: set[str] = set()
        self._labels = self._blank = self._repeats = 0

    @property
    def has_clusters(self) -> bool:
        """Whether every label names the cluster of its item."""
        return self._options.get("cluster") is not None

    def read(self, progress: Progress) -> Iterator[ImportedLabel]:
        """Yield the labels. Raises InputError naming every faulty row, at the latest after the last."""
        for given in self._form.read(self._path, **self._options, progress=progress):
            self._items.add(given.item)
            self._annotators.add(given.annotator)
            self._labels += bool(given.label)
            self._blank += not given.label
            self._repeats += given.repeat > 0
            yield given
        if not self._labels:
            raise InputError(f"{self._path}: holds no label; expected at least one")

    def meta(self) -> dict[str, Any]:
        """The meta data of the whole file."""
        return {
            "kind": "labels",
            "clinicnum_version": __version__,
            "source": self._path.name,
            "source_format": self._name,
            "source_sha256": _sha256(self._path),
            "options": self._options,
            "n_items": len(self._items),
            "n_annotators": len(self._annotators),
            "n_labels": self._labels,
            "n_blank": self._blank,
            "n_repeats": self._repeats,
        }


def _sha256(path: Path) -> str:
    """Hash of a file; for a folder, of the sorted names and hashes of its files."""
    if path.is_file():
        return sha256_file(path)
    files = sorted(one for one in path.rglob("*") if one.is_file())
    lines = [f"{one.relative_to(path).as_posix()} {sha256_file(one)}\n" for one in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
