"""Random tables of labels, and what other packages say of them.

`python -m tests.annotations.oracles` asks the packages, in the environment of `scripts/oracles`, about the
tables that the suite looks at, and writes their answers to `oracle_answers.json`; `scripts/evidence agreement`
asks about a thousand.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotations.agreement import Rating

ROOT = Path(__file__).parents[2]
RECORDED = Path(__file__).with_name("oracle_answers.json")
RECORDED_TABLES = 30
SEED = 6


@dataclass(frozen=True)
class Table:
    """Labels of annotators on items: one string an annotator, one digit an item, `.` where missing."""

    labels: tuple[str, ...]
    categories: int

    @property
    def grid(self) -> Any:
        """annotators x items, -1 where missing."""
        return np.array([[-1 if one == "." else int(one) for one in row] for row in self.labels])

    @property
    def names(self) -> list[str]:
        return [str(one) for one in range(self.categories)]

    def ratings(self) -> list[Rating]:
        """The long table."""
        return [
            Rating(f"i{item:03}", f"a{who}", None if label == "." else label)
            for who, row in enumerate(self.labels)
            for item, label in enumerate(row)
        ]

    def only(self, items: Sequence[bool] | Any) -> "Table":
        """The table of those items."""
        rows = ("".join(one for one, kept in zip(row, items, strict=True) if kept) for row in self.labels)
        return Table(tuple(rows), self.categories)


def random_tables(n: int) -> Iterator[Table]:
    """Tables of 2 to 6 annotators, 4 to 60 items and 2 to 6 categories, up to half of the labels missing.

    Annotators find the true category with a chance of their own, or draw from the prevalence; some tables
    have a category that nobody uses, an annotator who labelled a few items only, or a single value.
    """
    for index in range(n):
        rng = np.random.default_rng([SEED, index])
        annotators, items, categories = (
            int(rng.choice(c)) for c in ((2, 2, 3, 4, 5, 6), range(4, 61), range(2, 7))
        )
        prevalence = rng.dirichlet(np.full(categories, rng.choice([0.2, 1.0, 5.0])))
        true = rng.choice(categories, items, p=prevalence)
        drawn = rng.choice(categories, (annotators, items), p=prevalence)
        labels = np.where(rng.random((annotators, items)) < rng.random((annotators, 1)), true, drawn)
        missing = rng.random((annotators, items)) < rng.choice([0.0, 0.1, 0.3, 0.5])
        if rng.random() < 0.1:
            missing[0] |= rng.random(items) < 0.8
        rows = (
            "".join("." if m else str(v) for v, m in zip(*row, strict=True))
            for row in zip(labels, missing, strict=True)
        )
        yield Table(tuple(rows), categories)


def ask(tables: Sequence[Table], **options: Any) -> dict[str, Any]:
    """The answers of all packages, as `scripts/oracle_agreement.py` gives them."""
    asked = [
        {
            "labels": [[None if one == "." else int(one) for one in row] for row in table.labels],
            "categories": table.categories,
        }
        for table in tables
    ]
    python = Path(os.environ.get("CLINICNUM_ORACLES", ".oracles")) / "bin" / "python"
    done = subprocess.run(
        [ROOT / python, "-I", ROOT / "scripts" / "oracle_agreement.py"],
        input=json.dumps({"tables": asked} | options),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers
