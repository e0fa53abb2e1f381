"""What a coefficient is: sums over items, a value of the sums, and a standard error.

Because the contributions add up over items, leaving out a subject is a subtraction, and all the
delete-one replicates are one call of `value` on a matrix of totals.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotations.agreement.panel import Floats, Panel

TINY = 1e-12
"""Below this, what remains to be explained is rounding: a denominator counts as zero."""


@dataclass(frozen=True)
class StandardError:
    """A standard error for independent items."""

    se: float
    df: int | None
    """Degrees of freedom of t; None takes the normal quantile."""
    method: str


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of agreement, as arithmetic on a panel."""

    name: str
    contributions: Callable[[Panel], Floats]
    """items x m, to be summed over items."""
    value: Callable[[Panel, Floats], Floats]
    """Totals (..., m) -> (...): the coefficient, nan where undefined (nan never leaves this package)."""
    standard_error: Callable[[Panel, float], StandardError] | None = None
    """For independent items; without one the interval is the delete-one-item jackknife."""
    inapplicable: Callable[[Panel], str | None] = lambda _: None
    """Why the coefficient does not apply to this panel at all; None if it does."""
    per_category: bool = False
    """Also computed for each category against the rest, as `name[category]`."""


def needs_order(panel: Panel) -> str | None:
    """Reason of coefficients that use the order of the categories."""
    if panel.scale not in ("ordinal", "interval"):
        return f"the scale is {panel.scale}: the categories have no order"
    return None


def needs_numbers(panel: Panel) -> str | None:
    """Reason of coefficients that use distances between the categories."""
    return needs_order(panel) or (
        None if _numbers(panel) is not None else "the categories are not numbers: they have no distances"
    )


def needs_sets(panel: Panel) -> str | None:
    """Reason of coefficients that compare label sets."""
    return None if panel.scale == "set" else f"the scale is {panel.scale}: labels are not sets"


def needs_two_annotators(panel: Panel) -> str | None:
    """Reason of coefficients defined for a pair."""
    count = len(panel.annotators)
    return (
        None if count == 2 else f"{count} annotator{'' if count == 1 else 's'}: it is defined for exactly 2"
    )


def positions(panel: Panel) -> Floats:
    """Where the values stand: their numbers on an interval scale, else their place in the declared order."""
    if panel.scale == "interval":
        return np.array([float(value) for value in panel.values if isinstance(value, float)])
    return np.arange(len(panel.values), dtype=float)


def numbers(panel: Panel) -> Floats:
    """The values as numbers; to be called only where `needs_numbers` gave no reason."""
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


def distance_weights(distance: Floats) -> Floats:
    """Agreement weights 1 - distance / largest distance: 1 on the diagonal."""
    largest = distance.max(initial=0.0)
    return 1.0 - distance / largest if largest > 0 else np.ones_like(distance)


def ratio(above: Floats, below: Floats) -> Floats:
    """above / below, nan where nothing is below the line."""
    safe = np.abs(below) > TINY
    return np.where(safe, above / np.where(safe, below, 1.0), np.nan)


def linearised(per_item: Floats, value: float) -> StandardError:
    """Standard error from linearised item values: sum (x - value)^2 / (n (n - 1)), t(n - 1)."""
    n = len(per_item)
    variance = float(((per_item - value) ** 2).sum()) / (n * (n - 1))
    return StandardError(float(np.sqrt(variance)), n - 1, "Gwet linearised variance, t(items - 1)")
