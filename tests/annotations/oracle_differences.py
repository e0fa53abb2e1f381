"""Where other packages say something else than we do, and why: each difference is known, or a fault.

A difference holds for the cases it names only, and, where what the package computes can be said, the
package's figure must be exactly that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from annotations.agreement import agreement
from tests.annotations.oracles import Case, Table

Figure = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """One reason why a package's figure is not ours."""

    package: str
    """`any` for all."""
    names: str
    """What the coefficient's name begins with."""
    why: str
    applies: Callable[[Case, Figure], bool]
    gives: Callable[[Case], float] | None = None
    """The figure the package then gives; None where it cannot be told, or is none."""


def _ours(case: Case, table: Table, name: str) -> float:
    names = list(map(str, range(table.categories)))
    value = agreement(table.ratings(), scale="ordinal", categories=names).coefficient(name).value
    return float("nan") if value is None else value


def _fleiss_on_pairs(case: Case) -> float:
    return _ours(case, case.table.only(case.table.on_item > 1), "fleiss_kappa")


def _one_value(case: Case, figure: Figure) -> bool:
    return case.ours[figure["name"]].value is None and len(case.table.seen(least=2)) == 1


def _one_number(case: Case, figure: Figure) -> bool:
    complete = case.table.only(case.table.on_item == len(case.table.labels))
    return case.ours[figure["name"]].value is None and len(complete.seen()) == 1


def _one_paired_item(case: Case, figure: Figure) -> bool:
    return bool((case.table.on_item > 1).sum() == 1) and "division by zero" in (figure["undefined"] or "")


def _uneven(case: Case, figure: Figure) -> bool:
    return len(set(case.table.on_item) - {0}) > 1 and figure["undefined"] == "AssertionError"


def _pyirr_diagonal(case: Case, _: Figure) -> bool:
    return len(case.table.seen()) not in (4, 5)


def _pyirr_complete(case: Case, _: Figure) -> bool:
    return bool((case.table.grid >= 0).all()) and len(case.table.labels) > 2


def _pyirr_pairs_not_shared_out(level: str) -> Callable[[Case], float]:
    """With r annotators and n labels: each pair counts 1, not 1 / (r - 1), so that n - 1 is n (r - 1) - 1."""

    def gives(case: Case) -> float:
        n, others = int((case.table.grid >= 0).sum()), len(case.table.labels) - 1
        alpha = _ours(case, case.table, f"krippendorff_alpha_{level}")
        return 1 - (1 - alpha) * (n * others - 1) / ((n - 1) * others)

    return gives


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "any",
        "",
        "one value throughout: 0 / 0, which has no value; the package prints 1",
        _one_value,
        gives=lambda _: 1.0,
    ),
    Difference(
        "statsmodels",
        "icc",
        "one number throughout: its mean squares are rounding, not 0, and so is their quotient",
        _one_number,
    ),
    *(
        Difference(
            package,
            "icc",
            "its denominator is not above 0, and the quotient rounding or no correlation; we give no value",
            lambda case, figure: "not above 0" in (case.ours[figure["name"]].undefined or ""),
        )
        for package in ("pyirr", "statsmodels")
    ),
    Difference(
        "irrCAC",
        "krippendorff_alpha",
        "one item with a pair: its variance divides by items - 1, and the value is lost with it",
        _one_paired_item,
    ),
    *(
        Difference(
            package,
            "conger_kappa",
            "an annotator without a label has shares 0 / 0 and makes it nan; we leave the annotator out",
            lambda case, figure: (
                figure["undefined"] == "nan" and bool((case.table.grid < 0).all(axis=1).any())
            ),
        )
        for package in ("irrCAC", "agreement")
    ),
    Difference(
        "agreement",
        "fleiss_kappa",
        "items with a single label are left out of the margins, where irrCAC and we keep them",
        lambda case, _: bool((case.table.on_item == 1).any()),
        gives=_fleiss_on_pairs,
    ),
    *(
        Difference("statsmodels", name, "refuses items with unequal numbers of labels", _uneven)
        for name in ("fleiss_kappa", "randolph_kappa_free")
    ),
    Difference(
        "pyirr",
        "krippendorff_alpha",
        "takes the values above the wrong diagonal unless there are 4 or 5 of them",
        _pyirr_diagonal,
    ),
    *(
        Difference(
            "pyirr",
            f"krippendorff_alpha_{level}",
            "of a complete table, pairs are not divided by annotators - 1",
            _pyirr_complete,
            gives=_pyirr_pairs_not_shared_out(level),
        )
        for level in ("nominal", "ordinal", "interval")
    ),
)


def explained(case: Case, figure: Figure) -> str | None:
    """Why the figure is not ours; None if nothing explains it."""
    for one in DIFFERENCES:
        if one.package not in ("any", figure["package"]) or not figure["name"].startswith(one.names):
            continue
        if one.applies(case, figure) and (
            one.gives is None or figure["value"] == pytest.approx(one.gives(case), abs=1e-9)
        ):
            return one.why
    return None
