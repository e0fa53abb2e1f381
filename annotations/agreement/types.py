"""Input and output types of agreement: ratings, the population, and coefficients or why they are missing."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import pandas as pd

from clinicnum.types import Frozen

Scale = Literal["nominal", "ordinal", "interval", "set"]
SCALES: tuple[Scale, ...] = get_args(Scale)
NONE = "none"
"""The label that says "no code": the empty set on the scale `set`. It is a label, never missing."""
SEPARATOR = "|"
"""Joins the codes of a set."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One annotator's label on one item: a row of the long table."""

    item: str
    annotator: str
    label: str | None
    """None is missing; `none` is a label. A set is joined by `|`."""
    cluster: str | None = None
    """What items share that makes them dependent, usually the subject."""
    repeat: int = 0
    """Number of the pass: of an annotator's passes over an item the lowest is used, the others are repeats.
    """


class Exclusion(Frozen):
    """What was left out of the figures, how much of it, and why."""

    what: str
    n: int
    why: str


class Population(Frozen):
    """The labels that figures are computed from: how many items, annotators, labels and pairs, their scale,
    how they were chosen, what was left out.
    """

    items: int
    """Items with at least one label."""
    annotators: int
    labels: int
    pairs: int
    """Pairs of labels on the same item."""
    clusters: int | None
    """Subjects, where items share them; None where items are independent."""
    scale: Scale
    categories: tuple[str, ...]
    """The declared categories, in order."""
    rule: str
    """How the labels were chosen."""
    left_out: tuple[Exclusion, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader must know to reproduce the figures."""


class CoefficientValue(Frozen):
    """One coefficient: a value, or the reason why there is none."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "name",
        "value",
        "undefined",
        "se",
        "ci95_low",
        "ci95_high",
        "ci_method",
        "n_items",
        "n_annotators",
    )
    """The columns of `cells`, in every table of coefficients."""

    name: str
    value: float | None
    undefined: str | None = None
    """Why there is no value."""
    se: float | None = None
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    """How the interval was computed, or `none: ` and why there is none."""
    n_items: int
    """Items that carry at least one pair of labels for this coefficient."""
    n_annotators: int

    def cells(self) -> tuple[str | int | float | None, ...]:
        """The coefficient as one row of a table whose columns are `COLUMNS`."""
        low, high = self.ci95 or (None, None)
        return (
            self.name,
            self.value,
            self.undefined,
            self.se,
            low,
            high,
            self.ci_method,
            self.n_items,
            self.n_annotators,
        )


class PairAgreement(Frozen):
    """Agreement of two annotators on the items that both labelled."""

    annotators: tuple[str, str]
    coefficients: tuple[CoefficientValue, ...]
    """The coefficients that apply to the scale."""


class Strength(Frozen):
    """Verbal strength of a coefficient on two scales."""

    name: str
    """Name of the coefficient."""
    landis_koch: str
    """The level in which the value lies."""
    gwet: str | None = None
    """The best level that the coefficient reaches with a probability of 95 %, given its standard error."""
    probability: float | None = None
    """Probability of that level or a better one."""
    undefined: str | None = None
    """Why there is no such level."""


class AlternativeInterval(Frozen):
    """An alternative interval for the same value: a sensitivity analysis, not the main interval."""

    name: str
    """Name of the coefficient."""
    by: str
    """What served as the cluster: `subject`, `item` if items are independent, or the name of another
    clustering.
    """
    clusters: int | None
    """Number of clusters; None where every item is a cluster."""
    se: float | None
    ci95: tuple[float, float] | None
    ci_method: str
    """How the interval was computed, or `none: ` and why there is none."""


class AgreementResult(Frozen):
    """The population and every coefficient on it; those that do not apply have a reason instead."""

    population: Population
    coefficients: tuple[CoefficientValue, ...]
    pairwise: tuple[PairAgreement, ...] = ()
    """Every pair of annotators, in order; only with details."""
    strength: tuple[Strength, ...] = ()
    """Verbal strength of the overall coefficients corrected for chance; only with details."""
    beside: tuple[AlternativeInterval, ...] = ()
    """Alternative intervals of the overall coefficients: cluster bootstrap, ends on z, other clusters; only
    with details.
    """

    weighted: tuple[CoefficientValue, ...] = ()
    """The overall coefficients weighted by the inverse probability of selection; empty if all weights are
    equal.
    """

    def coefficient(self, name: str) -> CoefficientValue:
        """The coefficient of that name. Raises KeyError for a name that is not computed."""
        for coefficient in self.coefficients:
            if coefficient.name == name:
                return coefficient
        raise KeyError(name)

    def to_frame(self) -> pd.DataFrame:
        """A data frame with one row per coefficient, with the columns `CoefficientValue.COLUMNS`."""
        rows = [coefficient.cells() for coefficient in self.coefficients]
        return pd.DataFrame(rows, columns=list(CoefficientValue.COLUMNS))

    def to_json(self) -> dict[str, Any]:
        """The shape that `clinicnum agreement --json` prints."""
        return self.model_dump(mode="json")
