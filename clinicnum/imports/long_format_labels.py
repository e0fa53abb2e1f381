"""Import labels from a long CSV: one row per item and annotator, under any column names.

A blank label is missing, `none` the empty set, `|` joins a set, as in `labels.csv`. A column `repeat`, where
there is one, numbers the passes of an annotator over an item; without it a second label is an error.
"""

from collections.abc import Iterator
from pathlib import Path

from clinicnum.imports.label_record import ImportedLabel, name
from clinicnum.imports.read_rows import Cells, checked_rows, csv_rows
from clinicnum.imports.row_errors import UniqueKeys, wrong_value
from clinicnum.io.parse_int import whole_number
from clinicnum.io.text_lines import Progress

REPEAT = "repeat"


def labels(
    path: Path, *, item: str, annotator: str, label: str, cluster: str | None, progress: Progress
) -> Iterator[ImportedLabel]:
    """Yield the labels of a CSV, given the names of its columns. Raises InputError naming every faulty
    row.
    """
    once = UniqueKeys(
        "label of item and annotator", f"expected one, or a column {REPEAT} that numbers the passes"
    )

    def make(row: Cells) -> ImportedLabel:
        given = ImportedLabel(
            place=row.place,
            number=row.number,
            item=name(item, row.cells[item]),
            annotator=name(annotator, row.cells[annotator]),
            label=row.cells[label].strip(),
            cluster=None if cluster is None else name(cluster, row.cells[cluster]),
            repeat=_pass(row.cells.get(REPEAT, "").strip()),
        )
        once.check(f"{given.item} / {given.annotator} / {given.repeat}", row)
        return given

    columns = [item, annotator, label, *([] if cluster is None else [cluster])]
    return checked_rows(csv_rows(path, columns, progress), make)


def _pass(text: str) -> int:
    number = whole_number(text or "0")
    if number is None:
        raise wrong_value(REPEAT, text, "the number of the pass")
    return number
