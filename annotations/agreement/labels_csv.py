"""Read `labels.csv`, a long table with one row per item and annotator.

Columns `item,annotator,label`, optionally `repeat` and a cluster column; others are ignored. A blank label is
missing, `none` is a label, `|` joins a set. `repeat` numbers an annotator's passes over an item (blank is 0):
the lowest counts, later ones are left out; `true` and `yes` mark a repeat, `false` and `no` do not.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clinicnum.annotations.agreement.label_table import Column, Ints, LabelTable
from clinicnum.errors import InputError
from clinicnum.io.parse_int import whole_number

NEEDED = ("item", "annotator", "label")
REPEAT = "repeat"
_REPEAT_WORDS = {"": 0, "false": 0, "no": 0, "true": 1, "yes": 1}


@dataclass(frozen=True)
class _Sheet:
    """The used columns of a labels file."""

    path: Path
    columns: dict[str, list[str]]
    """Cells of each column, stripped, one a row."""
    lines: list[int]
    """Where each row ends in the file."""

    def fault(self, row: int, what: str) -> InputError:
        return InputError(f"{self.path}:{self.lines[row]}: {what}")


def read_label_columns(
    path: Path, *, cluster: str | None = None, others: Sequence[str] = ()
) -> tuple[LabelTable, dict[str, dict[str, str]]]:
    """Read a labels file as columns, and for each column in `others` the cluster of every item.

    `cluster` is the name of the column with the cluster of each item, such as its subject. Raises InputError
    naming the file, and the column, line or byte at fault.
    """
    named = (*((cluster,) if cluster else ()), *others)
    sheet = _read(path, (*NEEDED, *named))
    for name in ("item", "annotator", *named):
        if "" in sheet.columns[name]:
            raise sheet.fault(sheet.columns[name].index(""), f"blank {name}; expected a name in every row")
    table = LabelTable(
        item=Column.of(sheet.columns["item"]),
        annotator=Column.of(sheet.columns["annotator"]),
        label=Column.of(text or None for text in sheet.columns["label"]),
        cluster=Column.of(sheet.columns[cluster]) if cluster else None,
        repeat=_repeats(sheet) if REPEAT in sheet.columns else None,
    )
    return table, {name: _of_items(sheet, name) for name in others}


def _read(path: Path, wanted: Sequence[str]) -> _Sheet:
    """Read the wanted columns, and `repeat` if the file has it."""
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected a CSV with the columns {', '.join(wanted)}")
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            rows = csv.reader(handle, strict=True)
            header = [name.strip() for name in next(rows, [])]
            _check_columns(path, header, wanted)
            places = {name: header.index(name) for name in (*wanted, REPEAT) if name in header}
            sheet = _Sheet(path, {name: [] for name in places}, [])
            columns = [(place, sheet.columns[name]) for name, place in places.items()]
            for row in rows:
                if not row:
                    continue
                sheet.lines.append(rows.line_num)
                if len(row) != len(header):
                    raise sheet.fault(-1, "more or fewer cells than the header has; correct the line")
                for place, cells in columns:
                    cells.append(row[place].strip())
            return sheet
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected a CSV") from error
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV ({error}); expected comma-separated columns") from error


def _check_columns(path: Path, columns: list[str], wanted: Sequence[str]) -> None:
    lacking = [name for name in wanted if name not in columns]
    if lacking:
        found = ", ".join(columns) or "nothing"
        raise InputError(
            f"{path}: no column {', '.join(repr(name) for name in lacking)}; found {found}; "
            f"expected {', '.join(wanted)}: rename the columns"
        )


def _repeats(sheet: _Sheet) -> Ints:
    texts = sheet.columns[REPEAT]
    known = {text: _repeat(text) for text in set(texts)}
    passes = [known[text] for text in texts]
    if None in passes:
        row = passes.index(None)
        raise sheet.fault(row, f"repeat is {texts[row]!r}; expected a number of the pass, or true or false")
    return np.array(passes, dtype=np.int64)


def _repeat(text: str) -> int | None:
    """The number of the pass; None if the text is not a pass number."""
    word = _REPEAT_WORDS.get(text.lower())
    if word is not None:
        return word
    return whole_number(text)


def _of_items(sheet: _Sheet, name: str) -> dict[str, str]:
    """The value of a column for each item. Raises InputError if an item has two different ones."""
    said: dict[str, str] = {}
    for row, (item, cluster) in enumerate(zip(sheet.columns["item"], sheet.columns[name], strict=True)):
        if said.setdefault(item, cluster) != cluster:
            one, other = said[item], cluster
            raise sheet.fault(row, f"item {item!r} has two of {name}, {one!r} and {other!r}; expected one")
    return said
