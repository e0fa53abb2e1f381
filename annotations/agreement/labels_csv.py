"""Reading `labels.csv`: long, one row per item and annotator.

Columns `item,annotator,label`, optionally `repeat` and a cluster column; others are ignored. A blank label is
missing, `none` is a label, `|` joins a set. `repeat` numbers the passes of one annotator over one item (blank
is 0): the lowest counts, later ones are left out; `true` and `yes` mark a repeat, `false` and `no` do not.
"""

import csv
from pathlib import Path

from annotations.agreement.types import Rating
from clinicnum.errors import InputError

NEEDED = ("item", "annotator", "label")
_REPEAT_WORDS = {"": 0, "false": 0, "no": 0, "true": 1, "yes": 1}


def read_labels(path: Path, *, cluster: str | None = None) -> list[Rating]:
    """The rows of a labels file; `cluster` names the column of what items share.

    Raises InputError naming the file, and the column, line or byte at fault.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected a CSV with the columns {', '.join(NEEDED)}")
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            rows = csv.DictReader(handle, strict=True)
            columns = [name.strip() for name in rows.fieldnames or ()]
            _check_columns(path, columns, cluster)
            rows.fieldnames = columns
            return [_rating(row, path, rows.line_num, cluster) for row in rows]
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected a CSV") from error
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV ({error}); expected comma-separated columns") from error


def _check_columns(path: Path, columns: list[str], cluster: str | None) -> None:
    wanted = (*NEEDED, cluster) if cluster else NEEDED
    lacking = [name for name in wanted if name not in columns]
    if lacking:
        found = ", ".join(columns) or "nothing"
        raise InputError(
            f"{path}: no column {', '.join(repr(name) for name in lacking)}; found {found}; "
            f"expected {', '.join(wanted)}: rename the columns"
        )


def _rating(row: dict[str, str | None], path: Path, line: int, cluster: str | None) -> Rating:
    if None in row or None in row.values():
        raise InputError(f"{path}:{line}: more or fewer cells than the header has; correct the line")
    cells = {name: (value or "").strip() for name, value in row.items()}
    for name in ("item", "annotator", *((cluster,) if cluster else ())):
        if not cells[name]:
            raise InputError(f"{path}:{line}: blank {name}; expected a name in every row")
    return Rating(
        item=cells["item"],
        annotator=cells["annotator"],
        label=cells["label"] or None,
        cluster=cells[cluster] if cluster else None,
        repeat=_repeat(cells.get("repeat", ""), path, line),
    )


def _repeat(text: str, path: Path, line: int) -> int:
    known = _REPEAT_WORDS.get(text.lower())
    if known is not None:
        return known
    if not text.isdecimal():
        raise InputError(
            f"{path}:{line}: repeat is {text!r}; expected a number of the pass, or true or false"
        )
    return int(text)
