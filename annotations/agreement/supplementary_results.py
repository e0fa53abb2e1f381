"""Supplements to the coefficients: agreement of each pair of annotators, verbal strength, alternative
intervals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from clinicnum.annotations.agreement.bootstrap import cluster_bootstrap
from clinicnum.annotations.agreement.coefficient import Coefficient
from clinicnum.annotations.agreement.estimate_coefficient import compute_one
from clinicnum.annotations.agreement.intervals import Uncertainty, published_on_z, uncertainty
from clinicnum.annotations.agreement.rating_panel import Panel
from clinicnum.annotations.agreement.rating_panel_builder import cluster_codes
from clinicnum.annotations.agreement.types import (
    AlternativeInterval,
    CoefficientValue,
    PairAgreement,
    Strength,
)
from clinicnum.annotations.agreement.verbal_strength import strength

SUBJECT = "subject"
ITEM = "item"


def pairwise(panel: Panel, coefficients: Sequence[Coefficient]) -> tuple[PairAgreement, ...]:
    """Agreement of every pair of annotators on the items that both labelled, including pairs without such
    items.
    """
    pairs = []
    for one, other in combinations(range(len(panel.annotators)), 2):
        both = panel.of_pair(one, other)
        pairs.append(
            PairAgreement(
                annotators=(panel.annotators[one], panel.annotators[other]),
                coefficients=tuple(
                    compute_one(both, coefficient)
                    for coefficient in coefficients
                    if coefficient.inapplicable(both) is None
                ),
            )
        )
    return tuple(pairs)


def strengths(
    coefficients: Sequence[Coefficient], values: Sequence[CoefficientValue]
) -> tuple[Strength, ...]:
    """Verbal strength of every chance-corrected coefficient whose value is defined."""
    named = [
        strength(value)
        for coefficient, value in zip(coefficients, values, strict=True)
        if coefficient.chance_corrected
    ]
    return tuple(one for one in named if one is not None)


def alternative_intervals(
    panel: Panel,
    items: tuple[str, ...],
    coefficients: Sequence[Coefficient],
    values: Sequence[CoefficientValue],
    other_clusters: Mapping[str, Mapping[str, str]],
    *,
    seed: int,
) -> tuple[AlternativeInterval, ...]:
    """Alternative intervals: cluster bootstrap by subject, the published interval on Fisher's z for
    independent items, and the interval by each of the other clusterings.
    """
    defined = [
        (coefficient, value.value, value.n_items)
        for coefficient, value in zip(coefficients, values, strict=True)
        if value.value is not None
    ]
    rows: list[AlternativeInterval] = []
    if panel.cluster is not None:
        drawn = cluster_bootstrap(
            panel, [one for one, _, _ in defined], [n for _, _, n in defined], seed=seed
        )
        for (coefficient, _, _), spread in zip(defined, drawn, strict=True):
            rows.append(_row(coefficient, SUBJECT, panel, spread))
    else:
        for coefficient, value, n_items in defined:
            spread_on_z = published_on_z(panel, coefficient, value, n_items)
            if spread_on_z is not None:
                rows.append(_row(coefficient, ITEM, panel, spread_on_z))
    for name, clusters in other_clusters.items():
        other = panel.clustered_by(cluster_codes(items, clusters))
        for coefficient, value, n_items in defined:
            spread = uncertainty(other, coefficient, value, n_items)
            # The method is worded for subjects; here the clusters are something else.
            method = spread.method.replace("subject", name)
            rows.append(_row(coefficient, name, other, replace(spread, method=method)))
    return tuple(rows)


def _row(coefficient: Coefficient, by: str, panel: Panel, spread: Uncertainty) -> AlternativeInterval:
    return AlternativeInterval(
        name=coefficient.name,
        by=by,
        clusters=panel.n_clusters,
        se=spread.se,
        ci95=spread.ci95,
        ci_method=spread.method,
    )
