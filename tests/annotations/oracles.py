"""Random tables of labels, what we say of them, and what other packages say.

`python -m tests.annotations.oracles` asks the packages, in the environment of `scripts/dev/oracles`, about
the tables that the suite looks at, and writes their answers to `oracle_answers.json`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clinicnum.annotations.agreement import CoefficientValue, Rating, agreement
from clinicnum.scripts.dev.run_agreement_packages import run_reference_packages

RECORDED = Path(__file__).with_name("oracle_answers.json")
RECORDED_TABLES = 25
SEED = 6
CODES = 3
"""Of a set; a label is one of the sets they make, the empty one included."""


@dataclass(frozen=True)
class Table:
    """Labels of annotators on items: one string an annotator, one digit an item, `.` where missing."""

    labels: tuple[str, ...]
    categories: int
    sets: bool = False
    """Whether a digit is a set: code k is in it if its bit k is 1."""

    @property
    def grid(self) -> Any:
        """annotators x items, -1 where missing."""
        rows = [[-1 if one == "." else int(one) for one in row] for row in self.labels]
        return np.array(rows, dtype=int).reshape(len(rows), -1)

    @property
    def on_item(self) -> Any:
        """Labels on each item."""
        return (self.grid >= 0).sum(axis=0)

    def seen(self, least: int = 1) -> list[int]:
        """The distinct values on items with at least so many labels."""
        given = self.grid[:, self.on_item >= least]
        return sorted({int(one) for one in given[given >= 0]})

    def only(self, items: Any) -> "Table":
        """The table of those items."""
        return _table(self.grid[:, items], self.categories, sets=self.sets)

    def request(self) -> dict[str, Any]:
        """As the packages are asked."""
        labels = [[None if one < 0 else int(one) for one in row] for row in self.grid]
        return {"labels": labels, "categories": self.categories, "sets": self.sets}

    def ratings(self) -> list[Rating]:
        """As we are asked."""
        return [
            Rating(f"i{item:03}", f"a{who}", None if label == "." else self._text(int(label)))
            for who, row in enumerate(self.labels)
            for item, label in enumerate(row)
        ]

    def _text(self, label: int) -> str:
        if not self.sets:
            return str(label)
        return "|".join(f"c{code}" for code in range(CODES) if label >> code & 1) or "none"


def _table(grid: Any, categories: int, *, sets: bool = False) -> Table:
    rows = ("".join("." if one < 0 else str(one) for one in row) for row in grid.tolist())
    return Table(tuple(rows), categories, sets)


def random_tables(n: int) -> list[Table]:
    """Tables of 2 to 6 annotators, 4 to 60 items and 2 to 6 categories, up to half of the labels missing.

    Annotators find the true category with a chance of their own, or draw from the prevalence. Some tables
    have a category that nobody uses, an annotator who labelled few items, or one value throughout. Every
    fifth is of label sets.
    """
    tables = []
    for index in range(n):
        rng = np.random.default_rng([SEED, index])
        sets = index % 5 == 4
        tables.append(_random_table(rng, 2**CODES if sets else int(rng.integers(2, 7)), sets=sets))
    return tables


ODD_TABLES = (
    Table(("....", "0110", "0010", "0011"), 2),
    Table((".......", "...0.0."), 2),
    Table(("1.04.1..", "....14.."), 5),
    Table(("03..", "0..0"), 4),
    Table(("222222222222..2", "222222.22222222", "2222222222.22.2"), 3),
    Table(("1111111", "1111111"), 2),
    Table(("1", "2"), 3),
    Table(("1311", "3133", "3331", "311.", "1311", "1230"), 4),
    Table(
        (
            "00.......00.00.000000.0...00000..0....0..0.0..0...0.0",
            "00000000.0...00.00....0...0.0100.0.0.0..0001..0000..0",
        ),
        2,
    ),
)
"""Of many random ones, those on which packages fail in ways that the first two dozen do not show; and one
whose gaps bring Fleiss's kappa under -1."""


def suite_tables() -> list[Table]:
    """What the suite compares with recorded answers."""
    return [*random_tables(RECORDED_TABLES), *ODD_TABLES]


def _random_table(rng: np.random.Generator, categories: int, *, sets: bool) -> Table:
    annotators, items = int(rng.choice([2, 2, 3, 4, 5, 6])), int(rng.integers(4, 61))
    prevalence = rng.dirichlet(np.full(categories, rng.choice([0.2, 1.0, 5.0])))
    true = rng.choice(categories, items, p=prevalence)
    drawn = rng.choice(categories, (annotators, items), p=prevalence)
    labels = np.where(rng.random((annotators, items)) < rng.random((annotators, 1)), true, drawn)
    missing = rng.random((annotators, items)) < rng.choice([0.0, 0.1, 0.3, 0.5])
    if rng.random() < 0.1:
        missing[0] |= rng.random(items) < 0.8
    return _table(np.where(missing, -1, labels), categories, sets=sets)


@dataclass(frozen=True)
class Case:
    """What the packages are asked about, and our figures on the same."""

    what: str
    table: Table
    ours: dict[str, CoefficientValue]


def cases(tables: Sequence[Table]) -> Iterator[Case]:
    """Each table as a whole; of every sixth also a category against the rest, and a pair of annotators.

    Where an annotator labelled nothing, packages are asked once more without that annotator, and must then
    give what we give of the whole.
    """
    for index, table in enumerate(tables):
        names = (
            [f"c{code}" for code in range(CODES)] if table.sets else list(map(str, range(table.categories)))
        )
        scale = "set" if table.sets else "ordinal"
        more = not (table.sets or index % 6)
        result = agreement(table.ratings(), scale=scale, categories=names, details=more)
        whole = {row.name: row for row in result.coefficients}
        yield Case("whole", table, whole)
        labelled = (table.grid >= 0).any(axis=1)
        if 2 <= labelled.sum() < len(labelled):
            yield Case("labelled", _table(table.grid[labelled], table.categories, sets=table.sets), whole)
        if not more:
            continue
        which = index % table.categories
        against = _table(np.where(table.grid < 0, -1, (table.grid == which).astype(int)), 2)
        ending = f"[{which}]"
        rows = {
            row.name.removesuffix(ending): row for row in result.coefficients if row.name.endswith(ending)
        }
        yield Case("category", against, rows)
        pair = result.pairwise[0] if len(result.pairwise) > 1 else None
        if pair is not None:
            both = table.grid[[int(name.removeprefix("a")) for name in pair.annotators]]
            seen = _table(both[:, (both >= 0).all(axis=0)], table.categories)
            yield Case("pair", seen, {row.name: row for row in pair.coefficients})


def recorded() -> tuple[list[list[str]], dict[str, Any]]:
    """The labels of each recorded case, and the answers in the form that packages are asked in."""
    found = json.loads(RECORDED.read_text(encoding="utf-8"))
    tables = [[_figure(name, given) for name, given in table.items()] for table in found["tables"]]
    return found["asked"], {"versions": found["versions"], "tables": tables}


def _figure(name: str, given: list[Any]) -> dict[str, Any]:
    package, coefficient = name.split(" ")
    value, se, ci95, undefined = (
        (*given, None, None)[:4] if given[0] is not None else (None, None, None, given[1])
    )
    return {
        "package": package,
        "name": coefficient,
        "value": value,
        "se": se,
        "ci95": ci95,
        "undefined": undefined,
    }


def main() -> None:
    """Ask about the tables of the suite, and write what came: value, se and interval, or null and why."""
    asked = [case.table for case in cases(suite_tables())]
    answers = run_reference_packages([table.request() for table in asked])
    tables = [
        {f"{one['package']} {one['name']}": _written(one) for one in figures} for figures in answers["tables"]
    ]
    lines = ",\n".join(json.dumps(table, separators=(",", ":")) for table in tables)
    labels = ",\n".join(json.dumps(table.labels) for table in asked)
    versions = json.dumps(answers["versions"])
    RECORDED.write_text(
        f'{{"versions": {versions},\n"asked": [\n{labels}],\n"tables": [\n{lines}]}}\n', encoding="utf-8"
    )


def _written(figure: dict[str, Any]) -> list[Any]:
    if figure["value"] is None:
        return [None, figure["undefined"]]
    if figure["ci95"] is None:
        return [round(figure["value"], 12), None]
    se = None if figure["se"] is None else round(figure["se"], 12)
    return [round(figure["value"], 12), se, [round(end, 12) for end in figure["ci95"]]]


if __name__ == "__main__":
    main()
