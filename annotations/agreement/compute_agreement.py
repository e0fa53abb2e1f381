"""The one function that computes agreement; pages, commands, reports and exports all call it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from clinicnum.annotations.agreement.brennan_prediger import BRENNAN_PREDIGER, PABAK, RANDOLPH_KAPPA_FREE
from clinicnum.annotations.agreement.coefficient import Coefficient
from clinicnum.annotations.agreement.cohen import COHEN_KAPPA, COHEN_KAPPA_LINEAR, COHEN_KAPPA_QUADRATIC
from clinicnum.annotations.agreement.conger import CONGER_KAPPA
from clinicnum.annotations.agreement.estimate_coefficient import compute_one
from clinicnum.annotations.agreement.fleiss import FLEISS_KAPPA, SCOTT_PI
from clinicnum.annotations.agreement.gwet import GWET_AC1, GWET_AC2_LINEAR, GWET_AC2_QUADRATIC
from clinicnum.annotations.agreement.icc import ICCS
from clinicnum.annotations.agreement.krippendorff import (
    ALPHA_INTERVAL,
    ALPHA_JACCARD,
    ALPHA_MASI,
    ALPHA_NOMINAL,
    ALPHA_ORDINAL,
)
from clinicnum.annotations.agreement.label_table import LabelTable
from clinicnum.annotations.agreement.parse_label_text import label_reader
from clinicnum.annotations.agreement.percent import PERCENT_AGREEMENT
from clinicnum.annotations.agreement.rating_panel import Panel
from clinicnum.annotations.agreement.rating_panel_builder import build_panel
from clinicnum.annotations.agreement.sampling_weighted import weighted
from clinicnum.annotations.agreement.supplementary_results import alternative_intervals, pairwise, strengths
from clinicnum.annotations.agreement.types import (
    NONE,
    AgreementResult,
    CoefficientValue,
    Exclusion,
    Population,
    Rating,
)
from clinicnum.errors import InputError

COEFFICIENTS: tuple[Coefficient, ...] = (
    PERCENT_AGREEMENT,
    COHEN_KAPPA,
    COHEN_KAPPA_LINEAR,
    COHEN_KAPPA_QUADRATIC,
    FLEISS_KAPPA,
    CONGER_KAPPA,
    SCOTT_PI,
    BRENNAN_PREDIGER,
    PABAK,
    RANDOLPH_KAPPA_FREE,
    GWET_AC1,
    GWET_AC2_LINEAR,
    GWET_AC2_QUADRATIC,
    ALPHA_NOMINAL,
    ALPHA_ORDINAL,
    ALPHA_INTERVAL,
    ALPHA_MASI,
    ALPHA_JACCARD,
    *ICCS,
)
"""Every coefficient, in printing order; to add one, write its file and enter it here."""


FIXED_ANNOTATORS = (
    "these annotators are taken as they are: intervals speak of other items (of other subjects, where "
    "items share "
    "them) judged by the same annotators, and not of other annotators"
)
"""The population to which intervals generalise; a note in every result."""


def agreement(
    table: Sequence[Rating] | LabelTable,
    *,
    scale: str,
    categories: Sequence[str] | None,
    clusters: Mapping[str, str] | None = None,
    rule: str = "every label given",
    left_out: Sequence[Exclusion] = (),
    only: Collection[str] | None = None,
    details: bool = False,
    other_clusters: Mapping[str, Mapping[str, str]] | None = None,
    weights: Mapping[str, float] | None = None,
    seed: int = 0,
) -> AgreementResult:
    """Agreement between annotators on a long table of labels.

    `scale` is nominal, ordinal, interval or set. `categories` are all declared categories in order; an
    interval scale needs none. `clusters` maps item to subject and overrides the cluster column of the table.
    `rule` and `left_out` describe how the caller chose the labels, and are copied into the population. `only`
    restricts the result to these coefficients, without those of single categories, for simulations. `details`
    adds every pair of annotators, verbal strength, the cluster bootstrap (seeded by `seed`), and one more
    interval for each of `other_clusters`, which maps the name of a clustering, such as template, to the
    cluster of each item. `weights` maps item to the inverse of its probability of selection, and adds
    weighted coefficients.

    Raises InputError for an unknown scale or name, an undeclared label, a duplicate, or a missing or
    inconsistent cluster.
    """
    reader = label_reader(scale, categories)
    panel, dropped, items = build_panel(LabelTable.of(table), reader=reader, clusters=clusters)
    wanted = _wanted(only)
    overall = [compute_one(panel, coefficient) for coefficient in wanted]
    rows = [*overall, *([] if only is not None else _by_category(panel, reader.categories))]
    return AgreementResult(
        population=_population(panel, reader.categories, rule, (*left_out, *dropped)),
        coefficients=tuple(rows),
        pairwise=pairwise(panel, wanted) if details else (),
        strength=strengths(wanted, overall) if details else (),
        beside=alternative_intervals(panel, items, wanted, overall, other_clusters or {}, seed=seed)
        if details
        else (),
        weighted=weighted(panel, items, wanted, overall, weights) if weights is not None else (),
    )


def _wanted(only: Collection[str] | None) -> Sequence[Coefficient]:
    unknown = sorted(set(only or ()) - {one.name for one in COEFFICIENTS})
    if unknown:
        raise InputError(
            f"no coefficient is called {', '.join(unknown)}; expected some of "
            f"{', '.join(one.name for one in COEFFICIENTS)}"
        )
    return [one for one in COEFFICIENTS if only is None or one.name in only]


def _by_category(panel: Panel, declared: tuple[str, ...]) -> list[CoefficientValue]:
    rows = []
    for category in _one_against_rest(panel, declared):
        against = panel.against_the_rest(category)
        rows += [
            compute_one(against, replace(coefficient, name=f"{coefficient.name}[{category}]"))
            for coefficient in COEFFICIENTS
            if coefficient.per_category
        ]
    return rows


def _one_against_rest(panel: Panel, declared: tuple[str, ...]) -> tuple[str, ...]:
    """The categories that are also compared one against the rest; none on an interval scale without declared
    levels.
    """
    if panel.scale == "set" and NONE not in declared:
        return (*declared, NONE)
    return declared


_AS_IRRCAC = (
    ", and as an item without agreement in the variance of these, of percent agreement and of Brennan and "
    "Prediger's and Randolph's coefficient (as irrCAC does)"
)


def _population(
    panel: Panel, categories: tuple[str, ...], rule: str, left_out: tuple[Exclusion, ...]
) -> Population:
    raters = panel.raters
    single = int(panel.weight @ (raters == 1))
    notes = [FIXED_ANNOTATORS]
    if single:
        # Where items share subjects, the interval is the jackknife, and such an item counts nowhere else.
        of_variance = "" if panel.n_clusters is not None else _AS_IRRCAC
        notes.append(
            f"{single} item{'s' if single > 1 else ''} with a single label: kept in the margins of Fleiss's "
            f"and Conger's kappa and of Gwet's AC{of_variance}, without a pair elsewhere"
        )
    notes += _constant(panel)
    return Population(
        items=panel.n_items,
        annotators=len(panel.annotators),
        labels=int(panel.weight @ raters),
        pairs=int(panel.weight @ (raters * (raters - 1) / 2)),
        clusters=panel.n_clusters,
        scale=panel.scale,
        categories=categories,
        rule=rule,
        left_out=left_out,
        notes=tuple(notes),
    )


def _constant(panel: Panel) -> list[str]:
    """Annotators who gave one value to every item although others did not."""
    if len(np.unique(panel.rows[panel.rows >= 0])) < 2:
        return []
    found = []
    for name, given in zip(panel.annotators, panel.rows.T, strict=True):
        seen = np.unique(given[given >= 0])
        if len(seen) == 1:
            found.append(
                f"annotator {name} gave {_text(panel, int(seen[0]))} throughout: Cohen's kappa with {name} "
                "is 0, or undefined where the other gave one label throughout as well"
            )
    return found


def _text(panel: Panel, index: int) -> str:
    value = panel.values[index]
    return repr("|".join(sorted(value)) or NONE) if isinstance(value, frozenset) else repr(value)
