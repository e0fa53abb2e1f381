"""Where other packages say something else than we do, and why: each difference is known, or a fault.

A difference holds for the tables it names only, and the package must then give what its source says it
gives; only where that hangs on the last bits of its sums is nothing asked of the figure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from clinicnum.annotations.agreement import agreement
from tests.annotations.oracle_formulas import Given, exact_icc, pyirr_alpha
from tests.annotations.oracles import Case, Table

Figure = dict[str, Any]
Applies = Callable[[Table, str], bool]
"""Of the table and the coefficient's name."""
Gives = Callable[[Table, Figure], bool]
"""Whether the figure is what the package must then give."""
MOST_UNITS = 16
"""Of the last place, by which sums of at most 60 items may be off; 12 were seen."""
ROUNDING = "its denominator is 0; prints a quotient of rounding errors"
"""The one reason that says nothing of the figure."""


@dataclass(frozen=True)
class Difference:
    """One reason why a package's figure is not ours."""

    packages: tuple[str, ...]
    names: tuple[str, ...]
    """What the coefficient's name begins with."""
    why: str
    applies: Applies
    gives: Gives
    undefined: bool = False
    """Whether the coefficient has no value on such tables: ours then has none, and else has one."""


def _is(figure: Figure, given: Given) -> bool:
    if isinstance(given, str):
        return bool(figure["undefined"] == given)
    return figure["value"] is not None and bool(figure["value"] == pytest.approx(given, abs=1e-9))


def _always(given: Given) -> Gives:
    return lambda _, figure: _is(figure, given)


def _one_value(table: Table, name: str) -> bool:
    """On the items with a pair; Fleiss's margins are of all items."""
    return len(table.seen(least=1 if name == "fleiss_kappa" else 2)) == 1


def _quotient_of_roundings(_: Table, figure: Figure) -> bool:
    """Both of its terms are whole numbers of units of the last place, and few."""
    if figure["value"] is None:
        return False
    near = Fraction(figure["value"]).limit_denominator(MOST_UNITS)
    return abs(near) <= MOST_UNITS and _is(figure, float(near))


def _one_item(table: Table, name: str) -> bool:
    """What irrCAC counts: items with a pair for alphas, and for Scott, who is asked about those alone."""
    pairs_only = name.startswith(("krippendorff", "scott"))
    return bool((table.on_item > (1 if pairs_only else 0)).sum() == 1)


def _without_labels(table: Table, _: str) -> bool:
    """Whether an annotator labelled nothing."""
    return bool((table.grid < 0).all(axis=1).any())


def _fleiss_on_pairs(table: Table, figure: Figure) -> bool:
    pairs = table.only(table.on_item > 1)
    names = list(map(str, range(table.categories)))
    ours = agreement(pairs.ratings(), scale="nominal", categories=names, only=["fleiss_kappa"])
    value = ours.coefficient("fleiss_kappa").value
    return _is(figure, "nan" if value is None else value)


def _below(table: Table, name: str) -> Fraction:
    """The exact denominator of an intraclass correlation; 1 where there are not two complete items."""
    exact = exact_icc(table, name)
    return Fraction(1) if exact is None else exact[1]


def _negative_quotient(table: Table, figure: Figure) -> bool:
    exact = exact_icc(table, figure["name"])
    return exact is not None and _is(figure, float(exact[0] / exact[1]))


def _pyirr(table: Table, figure: Figure) -> bool:
    return _is(figure, pyirr_alpha(table, figure["name"].removeprefix("krippendorff_alpha_")))


def _complete(table: Table, _: str) -> bool:
    return bool((table.grid >= 0).all()) and len(table.labels) > 2


ALPHA = ("krippendorff_alpha",)
DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        ("nltk",),
        ("cohen_kappa", "scott_pi", *ALPHA),
        "one value throughout: 0 / 0, which has no value; prints 1",
        _one_value,
        _always(1.0),
        undefined=True,
    ),
    Difference(
        ("irrCAC",),
        ("fleiss_kappa", "scott_pi"),
        "one value throughout: 0 / 0, which has no value; prints 1 where its margins are off by rounding",
        _one_value,
        _always(1.0),
        undefined=True,
    ),
    Difference(
        ("irrCAC",),
        ALPHA,
        "one value throughout: 0 / 0, which has no value; prints the quotient of two rounding errors",
        _one_value,
        _quotient_of_roundings,
        undefined=True,
    ),
    Difference(
        ("nltk",),
        ALPHA,
        "no item with a pair, which leaves nothing to compare; prints 1 if one value was ever given",
        lambda table, _: bool((table.on_item < 2).all()) and len(table.seen()) == 1,
        _always(1.0),
        undefined=True,
    ),
    Difference(
        ("irrCAC",),
        ("",),
        "one item: its variance divides by items - 1, and the value is lost with it",
        _one_item,
        _always("ZeroDivisionError: float division by zero"),
    ),
    Difference(
        ("irrCAC", "agreement"),
        ("conger_kappa",),
        "an annotator without a label has shares 0 / 0 and makes it nan; we leave the annotator out",
        _without_labels,
        _always("nan"),
    ),
    *(
        Difference(
            (package,),
            ("icc",),
            "an annotator without a label leaves no complete item; we leave the annotator out",
            _without_labels,
            _always(error),
        )
        for package, error in (
            ("pyirr", "ValueError: Cannot apply_along_axis when any iteration dimensions are 0"),
            ("statsmodels", "ValueError: negative dimensions are not allowed"),
        )
    ),
    Difference(
        ("pyirr", "statsmodels"),
        ("icc",),
        ROUNDING,
        lambda table, name: _below(table, name) == 0,
        lambda _, figure: True,
        undefined=True,
    ),
    Difference(
        ("pyirr", "statsmodels"),
        ("icc",),
        "its denominator is below 0, and the quotient no correlation; prints it",
        lambda table, name: _below(table, name) < 0,
        _negative_quotient,
        undefined=True,
    ),
    Difference(
        ("agreement",),
        ("fleiss_kappa",),
        "items with a single label are left out of the margins, where irrCAC and we keep them",
        lambda table, _: bool((table.on_item == 1).any()),
        _fleiss_on_pairs,
    ),
    Difference(
        ("statsmodels",),
        ("fleiss_kappa", "randolph_kappa_free"),
        "refuses items with unequal numbers of labels",
        lambda table, _: len(set(table.on_item) - {0}) > 1,
        _always("AssertionError"),
    ),
    Difference(
        ("pyirr",),
        ALPHA,
        "one value throughout, or none: no variation to compare with; prints 1",
        lambda table, _: len(table.seen()) < 2,
        _pyirr,
        undefined=True,
    ),
    Difference(
        ("pyirr",),
        ALPHA,
        "takes the values above the wrong diagonal unless there are 4 or 5 of them",
        lambda table, _: len(table.seen()) not in (4, 5),
        _pyirr,
    ),
    Difference(
        ("pyirr",), ALPHA, "of a complete table, pairs are not divided by annotators - 1", _complete, _pyirr
    ),
)


def explained(case: Case, figure: Figure) -> str | None:
    """Why the figure is not ours; None if nothing explains it."""
    for one in DIFFERENCES:
        if figure["package"] not in one.packages or not figure["name"].startswith(one.names):
            continue
        if one.undefined != (case.ours[figure["name"]].value is None):
            continue
        if one.applies(case.table, figure["name"]) and one.gives(case.table, figure):
            return one.why
    return None
