"""Krippendorff's alpha, with missing labels: 1 - observed / expected disagreement.

Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability". With n the number of labels on items that
have a pair, n_c those of value c and D the distances: observed is the sum over items of n_ic n_ik D_ck / (r_i
- 1), expected the sum of n_c n_k D_ck / (n - 1). Distances: nominal 0 or 1; interval (c - k)^2; ordinal
(n_c/2 + labels strictly between + n_k/2)^2, hence a function of the margins. Sets: MASI after Passonneau
(2006), 1 - J x M with J Jaccard and M = 1 if equal, 2/3 if one contains the other, 1/3 if they overlap, else
0; two empty sets are at distance 0. (Another measure named MASI multiplies the Jaccard distance; it is not
used here.) Variance: Gwet's linearisation for fixed distances; the delete-one-item jackknife for ordinal.
"""

from collections.abc import Callable

import numpy as np

from clinicnum.annotations.agreement.coefficient import (
    Coefficient,
    StandardError,
    distance_weights,
    linearised,
    needs_numbers,
    needs_order,
    needs_sets,
    numbers,
    ratio,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.rating_panel import Panel

Distance = Callable[[Panel], Floats]
_LARGEST_TABLE = 50_000_000
"""Cells of patterns by pairs of levels that the ordinal alpha may take: 400 MB."""


def _nominal(panel: Panel) -> Floats:
    return nominal_distances(len(panel.values))


def _interval(panel: Panel) -> Floats:
    at = numbers(panel)
    difference: Floats = (at[:, None] - at[None, :]) ** 2
    return difference


def jaccard_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """1 - |both| / |either|; 0 between two empty sets."""
    return 1.0 - len(one & other) / len(one | other) if one | other else 0.0


def masi_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """MASI distance after Passonneau (2006), 1 - J x M as defined above; 0 between two empty sets."""
    if one == other:
        return 0.0
    if not one & other:
        return 1.0
    monotonicity = 2 / 3 if one < other or other < one else 1 / 3
    return 1.0 - (1.0 - jaccard_distance(one, other)) * monotonicity


def _between_sets(distance: Callable[[frozenset[str], frozenset[str]], float]) -> Distance:
    def matrix(panel: Panel) -> Floats:
        sets = [value for value in panel.values if isinstance(value, frozenset)]
        return np.array([[distance(one, other) for other in sets] for one in sets])

    return matrix


def _matrix(panel: Panel, distance: Distance) -> Floats:
    """Distances between all values, computed once, since distances between sets are slow."""
    found: Floats = panel.once(("distance", distance), lambda: distance(panel))
    return found


def _paired_counts(counts: Floats) -> Floats:
    """The counts, with 0 for items that have fewer than two labels."""
    paired: Floats = counts * (counts.sum(axis=1) >= 2)[:, None]
    return paired


def _others(counts: Floats) -> Floats:
    """For each item, the number of labels besides any one of them; at least 1, so that it can divide."""
    others: Floats = np.maximum(counts.sum(axis=1) - 1.0, 1.0)
    return others


def nominal_distances(values: int) -> Floats:
    """The nominal metric: distance 1 between different values."""
    return 1.0 - np.eye(values)


def alpha_columns(counts: Floats, distances: Floats) -> Floats:
    """What each item contributes to alpha, items x (1 + values), from its number of labels of each value."""
    paired = _paired_counts(counts)
    observed = ((paired @ distances) * paired).sum(axis=1) / _others(counts)
    return np.column_stack([observed, paired])


def alpha_of(totals: Floats, distances: Floats) -> Floats:
    """Alpha from sums (..., 1 + values) of the rows of `alpha_columns`; nan without a pair or without
    variation.
    """
    margins = totals[..., 1:]
    expected = ((margins @ distances) * margins).sum(axis=-1)
    alpha: Floats = 1.0 - (margins.sum(axis=-1) - 1.0) * ratio(totals[..., 0], expected)
    return alpha


def _contributions(distance: Distance) -> Callable[[Panel], Floats]:
    return lambda panel: alpha_columns(panel.counts, _matrix(panel, distance))


def _value(distance: Distance) -> Callable[[Panel, Floats], Floats]:
    return lambda panel, totals: alpha_of(totals, _matrix(panel, distance))


def _standard_error(distance: Distance) -> Callable[[Panel, float], StandardError]:
    def standard_error(panel: Panel, _: float) -> StandardError:
        """Gwet's linearised standard error on items with a pair, for alpha before its small-sample term."""
        weights = distance_weights(_matrix(panel, distance))
        keep = panel.raters >= 2
        counts, raters, weight = panel.counts[keep], panel.raters[keep], panel.weight[keep]
        items = weight.sum()
        mean_raters = (weight @ raters) / items
        share = (counts * (counts @ weights - 1.0)).sum(axis=1) / (mean_raters * (raters - 1.0))
        margins = (weight @ counts) / (weight @ raters)
        chance = float(margins @ weights @ margins)
        observed = float(weight @ share / items)
        excess = (raters - mean_raters) / mean_raters
        alpha = (observed - chance) / (1.0 - chance)
        # The correction for uneven raters takes the small-sample observed agreement, as irrCAC 0.4.4 does.
        corrected = observed + (1.0 - observed) / (weight @ raters)
        item_alpha = (share - corrected * excess - chance) / (1.0 - chance)
        item_chance = (counts @ (weights @ margins)) / mean_raters - chance * excess
        per_item = item_alpha - 2.0 * (1.0 - alpha) * (item_chance - chance) / (1.0 - chance)
        return linearised(per_item, weight, alpha)

    return standard_error


def _coincidences(panel: Panel) -> Floats:
    """Coincidences, patterns x (values squared): pairs of labels on an item, each divided by (raters - 1)."""
    counts = _paired_counts(panel.counts)
    pairs = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    pairs[:, diagonal, diagonal] -= counts
    flat: Floats = (pairs / _others(panel.counts)[:, None, None]).reshape(len(panel.rows), -1)
    return flat


def _ordinal_value(panel: Panel, totals: Floats) -> Floats:
    width = len(panel.values)
    table = totals.reshape(*totals.shape[:-1], width, width)
    margins = table.sum(axis=-1)
    rank = np.cumsum(margins, axis=-1) - margins / 2.0
    distance = (rank[..., :, None] - rank[..., None, :]) ** 2
    expected = (margins[..., :, None] * margins[..., None, :] * distance).sum(axis=(-2, -1))
    observed = (table * distance).sum(axis=(-2, -1))
    alpha: Floats = 1.0 - (margins.sum(axis=-1) - 1.0) * ratio(observed, expected)
    return alpha


def _few_levels(panel: Panel) -> str | None:
    levels = len(panel.values)
    if needs_order(panel) is None and levels**2 * len(panel.rows) > _LARGEST_TABLE:
        return f"{levels} levels are too many to rank on so many items; the interval alpha has no such limit"
    return needs_order(panel)


def _alpha(
    suffix: str,
    distance: Distance,
    inapplicable: Callable[[Panel], str | None] = lambda _: None,
    *,
    per_category: bool = False,
) -> Coefficient:
    return Coefficient(
        name=f"krippendorff_alpha_{suffix}",
        contributions=_contributions(distance),
        value=_value(distance),
        standard_error=_standard_error(distance),
        inapplicable=inapplicable,
        per_category=per_category,
    )


ALPHA_NOMINAL = _alpha("nominal", _nominal, per_category=True)
ALPHA_ORDINAL = Coefficient(
    name="krippendorff_alpha_ordinal",
    contributions=_coincidences,
    value=_ordinal_value,
    inapplicable=_few_levels,
)
ALPHA_INTERVAL = _alpha("interval", _interval, needs_numbers)
ALPHA_MASI = _alpha("masi", _between_sets(masi_distance), needs_sets)
ALPHA_JACCARD = _alpha("jaccard", _between_sets(jaccard_distance), needs_sets)
