"""Import the items of another benchmark: table of formats, and meta data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clinicnum import __version__
from clinicnum.errors import InputError
from clinicnum.imports import healthbench, medcalc, medec, question_csv, question_jsonl, robbench
from clinicnum.imports.question_csv import checked_columns
from clinicnum.imports.read_rows import check_is_file
from clinicnum.imports.row_errors import unknown_format
from clinicnum.io.jsonl import content_id, sha256_file
from clinicnum.io.text_lines import Progress
from clinicnum.prompt import EXTERNAL, EXTERNAL_WORDINGS, WORDINGS
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance
from clinicnum.variants import VariantSpec
from clinicnum.variants.imported import ImportedVariants

Reader = Callable[..., Iterator[Instance]]


READ_AS = 2
"""Import version, raised if a file then gives other instances and benchmark id; 2: has dimensions."""


class ItemFormat(NamedTuple):
    """One file format of items."""

    read: Reader
    prompt_id: str
    """The prompt that asks these items by default."""
    has_columns: bool = False
    """Whether the user maps its columns to fields."""


ITEM_FORMATS: dict[str, ItemFormat] = {
    "medcalc": ItemFormat(medcalc.instances, EXTERNAL["medcalc"]),
    "medec": ItemFormat(medec.instances, EXTERNAL["medec"]),
    "choice": ItemFormat(question_jsonl.choices, EXTERNAL["choice"]),
    "text": ItemFormat(question_jsonl.texts, EXTERNAL["points"]),
    "healthbench": ItemFormat(healthbench.conversations, EXTERNAL["points"]),
    "clinicnumrobbench": ItemFormat(robbench.instances, EXTERNAL["numeric"]),
    "csv-number": ItemFormat(question_csv.number_items, EXTERNAL["numeric"], has_columns=True),
    "csv-choice": ItemFormat(question_csv.choice_items, EXTERNAL["choice"], has_columns=True),
    "csv-text": ItemFormat(question_csv.text_items, EXTERNAL["points"], has_columns=True),
}
"""Name of a format -> how it is read. A new one is a file and a line here."""


class Items:
    """The items of one file, as an iterator to be consumed once; the meta is complete after the last."""

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        prompt_id: str | None,
        open_data: bool,
        columns: Mapping[str, str] | None = None,
        file_name: str | None = None,
        variants: Sequence[VariantSpec] = (),
        seed: int = 0,
    ) -> None:
        """`columns` maps our fields to the columns of a CSV; `file_name` replaces the path's name in the
        meta; `variants` are made of each item, with random choices seeded by `seed`.

        Raises InputError for an unknown format or prompt, wrong columns, a file that cannot be read, and a
        kind of variant that imported items cannot have.
        """
        if name not in ITEM_FORMATS:
            raise unknown_format(name, ITEM_FORMATS)
        prompts = WORDINGS | EXTERNAL_WORDINGS
        if prompt_id is not None and prompt_id not in prompts:
            raise InputError(
                Translatable(
                    "the prompt {name!r} does not exist; expected one of {known}",
                    name=prompt_id,
                    known=", ".join(prompts),
                ),
                on_command_line="--prompt",
            )
        check_is_file(path, Translatable("a file"))
        if columns and not ITEM_FORMATS[name].has_columns:
            raise InputError(
                Translatable("the format {format} has columns of its own; choose none", format=name),
                on_command_line="--columns",
            )
        self._path = path
        self._file_name = file_name or path.name
        self._name = name
        self._columns = checked_columns(path, name, columns or {}) if ITEM_FORMATS[name].has_columns else {}
        self._open_data = open_data
        self._sha256 = sha256_file(path)
        self._prompt_id = prompt_id or ITEM_FORMATS[name].prompt_id
        self._seed = seed
        self._asked = [spec.name for spec in variants]
        self._variants = ImportedVariants(variants, seed)
        self._templates: dict[str, int] = {}
        self._instances = 0
        self._closed = 0

    def read(self, progress: Progress) -> Iterator[Instance]:
        """Yield the instances, each followed by its variants. Raises InputError naming every faulty row, at
        the latest after the last.
        """
        made_of: list[Any] = ["import", READ_AS, self._name, self._sha256, self._prompt_id]
        made_of += [self._columns] if self._columns else []
        made_of += [{"variants": self._asked, "seed": self._seed}] if self._asked else []
        self._benchmark_id = content_id(made_of)
        for instance in self._variants.with_variants(self._items(progress)):
            self._instances += 1
            yield instance

    def _items(self, progress: Progress) -> Iterator[Instance]:
        mapped = {"columns": self._columns} if self._columns else {}
        for item in ITEM_FORMATS[self._name].read(
            self._path,
            benchmark_id=self._benchmark_id,
            prompt_id=self._prompt_id,
            progress=progress,
            **mapped,
        ):
            self._templates[item.template_id] = self._templates.get(item.template_id, 0) + 1
            self._closed += not _is_open(self._name, item)
            yield item

    def meta(self) -> dict[str, Any]:
        """The meta data of the whole benchmark."""
        mapped = {"columns": self._columns} if self._columns else {}
        varied = {"variants": self._variants.meta(), "seed": self._seed} if self._asked else {}
        return (
            mapped
            | varied
            | {
                "kind": "benchmark",
                "benchmark_id": self._benchmark_id,
                "clinicnum_version": __version__,
                "source": self._file_name,
                "source_format": self._name,
                "source_sha256": self._sha256,
                "prompt_id": self._prompt_id,
                "credentialed": bool(self._closed) and not self._open_data,
                "counts": {
                    "instances": self._instances,
                    "templates": dict(sorted(self._templates.items())),
                },
            }
        )


def _is_open(name: str, instance: Instance) -> bool:
    """Whether the item is published under an open licence, so that it may be sent to any server."""
    if name == "medec":
        return instance.instance_id.startswith(medec.OPEN_COLLECTION)
    return name == "medcalc"
