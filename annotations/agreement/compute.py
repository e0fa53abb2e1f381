"""The one function that computes agreement; pages, commands, reports and exports all call it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from annotations.agreement.coefficient import Coefficient
from annotations.agreement.cohen import COHEN_KAPPA, COHEN_KAPPA_LINEAR, COHEN_KAPPA_QUADRATIC
from annotations.agreement.fleiss import FLEISS_KAPPA
from annotations.agreement.gwet import GWET_AC1
from annotations.agreement.intervals import agreement_bound, independent_units, uncertainty
from annotations.agreement.krippendorff import (
    ALPHA_INTERVAL,
    ALPHA_JACCARD,
    ALPHA_MASI,
    ALPHA_NOMINAL,
    ALPHA_ORDINAL,
)
from annotations.agreement.labels import label_reader
from annotations.agreement.panel import Panel, build_panel
from annotations.agreement.percent import PERCENT_AGREEMENT
from annotations.agreement.types import (
    NONE,
    AgreementResult,
    CoefficientValue,
    LeftOut,
    Population,
    Rating,
)

COEFFICIENTS: tuple[Coefficient, ...] = (
    PERCENT_AGREEMENT,
    COHEN_KAPPA,
    COHEN_KAPPA_LINEAR,
    COHEN_KAPPA_QUADRATIC,
    FLEISS_KAPPA,
    GWET_AC1,
    ALPHA_NOMINAL,
    ALPHA_ORDINAL,
    ALPHA_INTERVAL,
    ALPHA_MASI,
    ALPHA_JACCARD,
)
"""Every coefficient, in the order it is printed; a new one is one file and one line here."""


def agreement(
    table: Sequence[Rating],
    *,
    scale: str,
    categories: Sequence[str] | None,
    clusters: Mapping[str, str] | None = None,
    rule: str = "every label given",
    left_out: Sequence[LeftOut] = (),
) -> AgreementResult:
    """Agreement between annotators on a long table.

    `scale` is nominal, ordinal, interval or set; `categories` are all declared ones in order (an interval
    scale may do without). `clusters` maps item to subject and goes before the ratings' own. `rule` and
    `left_out` describe what the caller chose before, and are handed on in the population.

    Raises InputError for an unknown scale, an undeclared label, a duplicate or a cluster amiss.
    """
    reader = label_reader(scale, categories)
    panel, dropped = build_panel(table, scale=reader.scale, reader=reader, clusters=clusters)
    rows = [_compute(panel, coefficient) for coefficient in COEFFICIENTS]
    for category in _one_against_rest(panel, reader.categories):
        against = panel.against_the_rest(category)
        rows += [
            _compute(against, replace(coefficient, name=f"{coefficient.name}[{category}]"))
            for coefficient in COEFFICIENTS
            if coefficient.per_category
        ]
    return AgreementResult(
        population=_population(panel, reader.categories, rule, (*left_out, *dropped)),
        coefficients=tuple(rows),
    )


def _one_against_rest(panel: Panel, declared: tuple[str, ...]) -> tuple[str, ...]:
    """The categories that get their own rows; a number line without declared levels has none."""
    if panel.scale == "set" and NONE not in declared:
        return (*declared, NONE)
    return declared


def _compute(panel: Panel, coefficient: Coefficient) -> CoefficientValue:
    has_pair = panel.raters >= 2
    n_items = int(has_pair.sum())
    n_annotators = len(np.unique(panel.annotator[has_pair[panel.item]])) if n_items else 0

    def row(**figures: object) -> CoefficientValue:
        known = {"name": coefficient.name, "value": None, "n_items": n_items, "n_annotators": n_annotators}
        return CoefficientValue.model_validate(known | figures)

    reason = coefficient.inapplicable(panel)
    if reason is not None:
        return row(undefined=reason)
    if not n_items:
        return row(undefined="no item has labels by two annotators")
    totals = coefficient.contributions(panel).sum(axis=0)
    value = float(coefficient.value(panel, totals))
    if np.isnan(value):
        return row(undefined=_no_variation(panel, n_items))
    spread = uncertainty(panel, coefficient, value, n_items)
    return row(value=value, se=spread.se, ci95=spread.ci95, ci_method=spread.method)


def _no_variation(panel: Panel, n_items: int) -> str:
    """A chance-corrected coefficient is undefined only where one value was given throughout."""
    units, unit = independent_units(panel, n_items)
    where = "" if unit == "items" else f" from {units} subjects"
    bound = 100 * agreement_bound(units)
    return f"no variation: 100 % agreement on {n_items} items{where}, 95 % lower bound {bound:.0f} %"


def _population(
    panel: Panel, categories: tuple[str, ...], rule: str, left_out: tuple[LeftOut, ...]
) -> Population:
    single = int((panel.raters == 1).sum())
    notes = []
    if single:
        notes.append(
            f"{single} item{'s' if single > 1 else ''} with a single label: kept in the margins of Fleiss's "
            "kappa and in its variance (as irrCAC does), without a pair elsewhere"
        )
    return Population(
        items=len(panel.items),
        annotators=len(panel.annotators),
        labels=len(panel.item),
        pairs=int((panel.raters * (panel.raters - 1) / 2).sum()),
        clusters=panel.n_clusters,
        scale=panel.scale,
        categories=categories,
        rule=rule,
        left_out=left_out,
        notes=tuple(notes),
    )
