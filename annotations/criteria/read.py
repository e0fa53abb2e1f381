"""Read criteria from HealthBench's JSONL, LiveMedBench's JSON or a CSV; the content decides which it is.

HealthBench (Arora et al. 2025, arXiv:2505.08775): a line has `prompt_id` and `rubrics`, each with
`criterion`, `points` and `tags`. LiveMedBench (arXiv:2602.10367): a JSON list of cases with `case_id` and
`rubric_items`, each with `criterion` and `points`. Neither numbers its criteria: they get 1, 2, ... in the
order of the file, and belong to the item whose id is `prompt_id` or `case_id`.

A CSV has the column `text` and, optionally, `item_id` (empty: every item), `criterion_id`, `weight` (1 if
empty), `must_have` (yes or no) and `source`; cells are separated by commas, semicolons or tabs.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.annotations.criteria.criterion import Criterion, check_criteria
from clinicnum.errors import InputError
from clinicnum.imports.healthbench import Rubric
from clinicnum.imports.healthbench import Rubrics as HealthBench
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import (
    Cells,
    check_file,
    checked_rows,
    csv_rows,
    delimiter_of,
    header_of,
    json_lines,
)
from clinicnum.imports.row_errors import Row, RowError, UniqueKeys, shortened, wrong_value
from clinicnum.io.strict_json import plain_json
from clinicnum.io.text_lines import no_progress, text_lines
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

EXPECTED = Translatable("a CSV with a column text, HealthBench's JSONL, or LiveMedBench's JSON")
COLUMNS = ("item_id", "criterion_id", "text", "weight", "must_have", "source")
LARGEST = 128 * 1024 * 1024
"""Largest file in bytes; a file is read whole."""
_YES_NO = {"": False, "yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
Rubrics = Iterable[tuple[Criterion, ...]]


class _LiveMedBench(BaseModel):
    model_config = ConfigDict(extra="ignore")

    case_id: str | int
    rubric_items: tuple[Rubric, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case(Row):
    case: Any


def read_criteria(path: Path) -> tuple[Criterion, ...]:
    """The criteria of a file. Raises InputError, on one line, that names the faulty rows."""
    check_file(path, EXPECTED)
    size = path.stat().st_size
    if size > LARGEST:
        raise InputError(
            "{path}: {size:,} bytes; at most {most:,} are read; leave out other items",
            path=str(path),
            size=size,
            most=LARGEST,
        )
    first = next((line.lstrip("\ufeff \t") for line in text_lines(path) if line.strip()), "")
    reader = {"{": _healthbench, "[": _livemedbench}.get(first[:1], _csv)
    criteria = tuple(one for some in reader(path) for one in some)
    check_criteria(criteria)
    return criteria


def criteria_of_lines(text: str) -> tuple[Criterion, ...]:
    """Criteria of every item, one a line as a person writes them: w1, w2, ... with a weight of 1 each.

    Raises InputError for a line that is too long, or too many.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    try:
        found = tuple(_criterion(id=f"w{n}", text=line) for n, line in enumerate(lines, start=1))
    except RowError as error:
        raise InputError(error.text) from error
    check_criteria(found)
    return found


def criteria_of_points(instances: Iterable[Instance]) -> tuple[Criterion, ...]:
    """The answer points of items, each as a criterion with a weight of 1: p1, p2, ... of its item.

    Raises InputError if no item has any.
    """
    found = tuple(
        Criterion(
            item=one.instance_id, id=f"p{place}", text=point.text, source=f"answer point {point.id}"[:500]
        )
        for one in instances
        for place, point in enumerate(one.points, start=1)
    )
    if not found:
        raise InputError("no item of this study has answer points; give the criteria in a file")
    check_criteria(found)
    return found


def _healthbench(path: Path) -> Rubrics:
    ids = UniqueKeys("prompt_id")

    def made(row: Any) -> tuple[Criterion, ...]:
        line = parse_model(row.text, HealthBench)
        ids.check(line.prompt_id, row)
        return _numbered(line.prompt_id, line.rubrics, "HealthBench")

    return checked_rows(json_lines(path, no_progress), made)


def _livemedbench(path: Path) -> Rubrics:
    try:
        cases = plain_json(path.read_bytes())
    except ValueError as error:
        raise InputError(
            "{path}: not JSON ({error}); expected {expected}",
            path=str(path),
            error=str(error),
            expected=EXPECTED,
        ) from error
    ids = UniqueKeys("case_id")

    def made(row: _Case) -> tuple[Criterion, ...]:
        if not isinstance(row.case, dict):
            raise RowError(
                Translatable(
                    "is {got}; expected an object with case_id and rubric_items", got=shortened(row.case)
                )
            )
        case = parse_model(row.case, _LiveMedBench)
        ids.check(str(case.case_id), row)
        return _numbered(str(case.case_id), case.rubric_items, "LiveMedBench")

    return checked_rows(
        (_Case(place=str(path), number=number, case=one) for number, one in enumerate(cases, start=1)), made
    )


def _numbered(item: str, rubrics: Iterable[Rubric], source: str) -> tuple[Criterion, ...]:
    return tuple(
        _criterion(
            item=item,
            id=str(place),
            text=one.criterion,
            weight=one.points,
            source=": ".join(filter(None, (source, ", ".join(one.tags))))[:500],
        )
        for place, one in enumerate(rubrics, start=1)
    )


def _csv(path: Path) -> Rubrics:
    other = [name for name in header_of(path) if name not in COLUMNS]
    if other:
        raise InputError(
            "{place}: column {column} is not known; expected {expected}; of the columns {columns} only text "
            "is needed",
            place=f"{path}:1",
            column=shortened(other[0]),
            expected=EXPECTED,
            columns=", ".join(COLUMNS),
        )
    given: Counter[str] = Counter()

    def made(row: Cells) -> tuple[Criterion, ...]:
        cells = {name: row.cells.get(name, "").strip() for name in COLUMNS}
        given[cells["item_id"]] += 1
        return (
            _criterion(
                item=cells["item_id"],
                id=cells["criterion_id"] or f"{'' if cells['item_id'] else 'c'}{given[cells['item_id']]}",
                text=cells["text"],
                weight=_weight(cells["weight"]),
                must_have=_must_have(cells["must_have"]),
                source=cells["source"],
            ),
        )

    return checked_rows(csv_rows(path, ["text"], no_progress, delimiter=delimiter_of(path)), made)


def _weight(cell: str) -> float:
    try:
        return float(cell or 1)
    except ValueError as error:
        raise wrong_value("weight", cell, Translatable("a number such as 5, 0.5 or -3")) from error


def _must_have(cell: str) -> bool:
    if cell.lower() not in _YES_NO:
        raise wrong_value("must_have", cell, Translatable('"yes" or "no"'))
    return _YES_NO[cell.lower()]


def _criterion(**fields: Any) -> Criterion:
    return parse_model(fields, Criterion)
