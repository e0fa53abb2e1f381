"""The parts of a coefficient: contributions summed over items, a value computed from the sums, a standard
error.

Because contributions are summed, leaving out a subject is a subtraction, and a bootstrap draw is a matrix
product. Either way, one call of `value` on a matrix of totals computes all replicates.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.rating_panel import Contributions, Flags, Marks, Panel

TINY = 1e-12
"""Values below this are rounding errors: such a denominator counts as zero."""
Weights = Callable[[Panel], Floats]
"""Agreement between two values, 0 to 1: values x values, 1 on the diagonal."""


@dataclass(frozen=True)
class StandardError:
    """A standard error for independent items, or an asymmetric interval where the method gives one."""

    se: float | None
    df: int | None
    """Degrees of freedom of t; None: the normal quantile is used."""
    method: str
    ends: tuple[float, float] | None = None
    """The 95 % interval itself, if it is not symmetric around the value."""


def has_pair(panel: Panel) -> Flags:
    """For each pattern of labels, whether it has at least two labels."""
    flags: Flags = panel.raters >= 2
    return flags


def adds_something(parts: Floats) -> Flags:
    """For each row of contributions, of an item or a subject, whether any is not zero."""
    flags: Flags = np.any(parts != 0.0, axis=1)
    return flags


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of agreement, as arithmetic on a panel of labels."""

    name: str
    contributions: Contributions
    """Contribution of one item of each pattern: patterns x m, to be summed over items. Coefficients with the
    same function share the sums.
    """
    value: Callable[[Panel, Floats], Floats]
    """Totals (..., m + marked columns) -> (...): nan where undefined (nan never leaves this package)."""
    marks: Marks | None = None
    """Further columns in which an item of each pattern counts 1: patterns x any number of column indices,
    `MISSING` for none.
    """
    marked_columns: Callable[[Panel], int] = lambda _: 0
    """How many columns there are to mark."""
    standard_error: Callable[[Panel, float], StandardError] | None = None
    """For independent items; without one the interval is the delete-one-item jackknife."""
    inapplicable: Callable[[Panel], str | None] = lambda _: None
    """Why the coefficient does not apply to this panel at all; None if it does."""
    carries: Callable[[Panel], Flags] = has_pair
    """Which patterns the coefficient depends on."""
    counted: Callable[[Floats], Flags] = adds_something
    """Which units the jackknife counts, from units x columns: those with a contribution that the coefficient
    uses.
    """
    undefined: str = "its denominator is 0 on these labels"
    """Why the coefficient has no value although the labels are not all the same."""
    per_category: bool = False
    """Also computed for each category against the rest, as `name[category]`."""
    chance_corrected: bool = True
    """Whether the scales of verbal strength apply to it."""
    least: float = -1.0
    """Lower limit of its intervals; -inf if there is none."""

    def totals(self, panel: Panel) -> Floats:
        """What each item adds to the coefficient's sums, summed over all items: array of shape (m + marked
        columns,), where m is the number of sums that `contributions` gives.
        """
        sums: Floats = panel.weight @ panel.parts(self.contributions)
        if self.marks is None:
            return sums
        return np.concatenate([sums, panel.marked(self.marks, self.marked_columns(panel))])

    def cluster_totals(self, panel: Panel) -> Floats:
        """The contributions summed over the items of each cluster: clusters x (m + marked columns)."""
        sums = panel.by_cluster(self.contributions)
        if self.marks is None:
            return sums
        return np.hstack([sums, panel.marked_by_cluster(self.marks, self.marked_columns(panel))])


def needs_order(panel: Panel) -> str | None:
    """Why a coefficient that uses the order of the categories does not apply; None if it does."""
    if panel.scale not in ("ordinal", "interval"):
        return f"the scale is {panel.scale}: the categories have no order"
    return None


def needs_numbers(panel: Panel) -> str | None:
    """Why a coefficient that uses distances between categories does not apply; None if it does."""
    return needs_order(panel) or (
        None if _numbers(panel) is not None else "the categories are not numbers: they have no distances"
    )


def needs_sets(panel: Panel) -> str | None:
    """Why a coefficient that compares sets of labels does not apply; None if it does."""
    return None if panel.scale == "set" else f"the scale is {panel.scale}: labels are not sets"


def needs_two_annotators(panel: Panel) -> str | None:
    """Why a coefficient that is defined for two annotators does not apply; None if it does."""
    count = len(panel.annotators)
    return (
        None if count == 2 else f"{count} annotator{'' if count == 1 else 's'}: it is defined for exactly 2"
    )


def needs_declared(panel: Panel) -> str | None:
    """Why a coefficient whose chance agreement depends on the number of categories does not apply; None if
    it does.
    """
    if panel.scale == "set":
        return "labels are sets: how many sets there could be is not declared"
    if not panel.declared:
        return "chance agreement depends on the number of categories: declare them"
    return None if len(panel.values) > 1 else "one declared category: nothing to choose between"


def positions(panel: Panel) -> Floats:
    """Positions of the values: their numbers on an interval scale, otherwise their rank in the declared
    order.
    """
    if panel.scale == "interval":
        return np.array([float(value) for value in panel.values if isinstance(value, float)])
    return np.arange(len(panel.values), dtype=float)


def numbers(panel: Panel) -> Floats:
    """The values as numbers. Raises ValueError if the categories are none; ask `needs_numbers` first."""
    found = _numbers(panel)
    if found is None:
        raise ValueError("the categories are not numbers")
    return found


def _numbers(panel: Panel) -> Floats | None:
    try:
        found = np.array([float(value) for value in panel.values if not isinstance(value, frozenset)])
    except ValueError:
        return None
    return found if len(found) == len(panel.values) and bool(np.isfinite(found).all()) else None


def identity(panel: Panel) -> Floats:
    """Weights that count two labels as agreeing only if they are the same."""
    return np.eye(len(panel.values))


def power_weights(power: int) -> Weights:
    """Agreement weights that fall with the distance between two values, raised to the given power.

    Declared levels that nobody used keep their position.
    """

    def weights(panel: Panel) -> Floats:
        at = positions(panel)
        return distance_weights(np.abs(at[:, None] - at[None, :]) ** power)

    return weights


LINEAR, QUADRATIC = power_weights(1), power_weights(2)


def distance_weights(distance: Floats) -> Floats:
    """Agreement weights 1 - distance / largest distance: 1 on the diagonal."""
    largest = distance.max(initial=0.0)
    return 1.0 - distance / largest if largest > 0 else np.ones_like(distance)


def ratio(above: Floats, below: Floats) -> Floats:
    """above / below; nan where `below` is zero."""
    safe = np.abs(below) > TINY
    return np.where(safe, above / np.where(safe, below, 1.0), np.nan)


def linearised(per_item: Floats, weight: Floats, value: float) -> StandardError:
    """Standard error from linearised item values: sum (x - value)^2 / (n (n - 1)), with t(n - 1) quantiles.

    `per_item` has one value per pattern, `weight` the number of items with that pattern.
    """
    n = float(weight.sum())
    variance = float(weight @ (per_item - value) ** 2) / (n * (n - 1)) if n > 1 else 0.0
    return StandardError(float(np.sqrt(variance)), int(n) - 1, "Gwet linearised variance, t(items - 1)")
