"""Items and annotators that a wanted half-width takes, by simulation on the labels so far (our own method).

A simulated study of g subjects draws g of the present ones with replacement, with all their items, and on
each item k of its labels without replacement. Its coefficient is recomputed; over many such studies the
standard deviation, times the quantile of t(g - 1), is the half-width of the 95 % interval to expect. The
wanted number of subjects is approached by the law that half-widths go with 1 / sqrt(g), and simulated anew.

What it takes for granted: further items and subjects are like the present ones, and so are annotators. For
more annotators an item than the labels have, nothing can be drawn: that takes a pilot with as many.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from annotations.agreement import Rating, Scale
from annotations.agreement.coefficient import Coefficient
from annotations.agreement.compute import COEFFICIENTS
from annotations.agreement.labels import label_reader
from annotations.agreement.panel import Panel, build_panel
from clinicnum.clusters import Floats
from clinicnum.errors import InputError
from clinicnum.statistics import MAX_UNDEFINED_SHARE, MIN_CLUSTERS, MIN_ITEMS

DRAWS = 1_000
SUBSETS = 20
"""Random choices of k labels an item that simulated studies draw from."""
ROUNDS = 4
MOST_SUBJECTS = 100_000
_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Plan:
    """What one wanted half-width takes with k annotators an item."""

    annotators: int
    wanted: float
    present: float | None
    """Half-width to expect from the present subjects and items with k labels."""
    subjects: int | None
    items: int | None
    half_width: float | None
    """As simulated with that many subjects."""
    undefined: str | None = None
    """Why there is no plan."""


def plan(
    table: Sequence[Rating],
    *,
    coefficient: str,
    scale: Scale,
    categories: Sequence[str],
    wanted: Sequence[float],
    annotators: Sequence[int],
    clusters: Mapping[str, str] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[Plan, ...]:
    """One plan for each number of annotators an item and each wanted half-width (above 0).

    Raises InputError for an unknown coefficient, a half-width or a number of annotators out of range, and for
    a table that `agreement` refuses.
    """
    chosen = next((one for one in COEFFICIENTS if one.name == coefficient), None)
    if chosen is None:
        names = ", ".join(one.name for one in COEFFICIENTS)
        raise InputError(f"coefficient {coefficient!r} is unknown; expected one of {names}")
    if not all(0 < one < 1 for one in wanted) or not all(one >= 2 for one in annotators):
        raise InputError(
            f"half-widths {list(wanted)}, annotators {list(annotators)}: expected half-widths between 0 and "
            "1, and at least 2 annotators an item"
        )
    plans: list[Plan] = []
    for k in annotators:
        study, reason = _study(table, k, chosen, scale, categories, clusters, seed)
        if study is None:
            plans += [Plan(k, one, None, None, None, None, reason) for one in wanted]
        else:
            plans += [_plan(study, k, one, draws) for one in wanted]
    return tuple(plans)


@dataclass(frozen=True)
class _Study:
    """The present labels, ready to be drawn from."""

    coefficient: Coefficient
    panel: Panel
    totals: Floats
    """subsets x subjects x m: each subject's part in the coefficient's sums."""
    items_a_subject: float
    seed: int


def _study(
    table: Sequence[Rating],
    k: int,
    coefficient: Coefficient,
    scale: Scale,
    categories: Sequence[str],
    clusters: Mapping[str, str] | None,
    seed: int,
) -> tuple[_Study | None, str | None]:
    given = Counter(row.item for row in table if row.label is not None and row.repeat == 0)
    rows = sorted(
        (row for row in table if given[row.item] >= k and row.label is not None),
        key=lambda row: (row.item, row.annotator, row.repeat),
    )
    if not rows:
        most = max(given.values(), default=0)
        return None, f"no item has {k} labels (at most {most}): a pilot with as many annotators would tell"
    reader = label_reader(scale, categories)
    panel, _ = build_panel(rows, scale=scale, reader=reader, clusters=clusters)
    reason = coefficient.inapplicable(panel)
    if reason is not None:
        return None, reason
    cluster = np.arange(len(panel.items)) if panel.cluster is None else panel.cluster
    subjects = int(cluster.max()) + 1
    if subjects < MIN_CLUSTERS or len(panel.items) < MIN_ITEMS:
        return None, (
            f"{len(panel.items)} items from {subjects} subjects have {k} labels; a simulation needs at least "
            f"{MIN_ITEMS} from {MIN_CLUSTERS}"
        )
    rng = np.random.default_rng(seed)
    totals = []
    for _ in range(SUBSETS):
        parts = coefficient.contributions(_subset(panel, k, rng))
        sums = np.zeros((subjects, parts.shape[1]))
        np.add.at(sums, cluster, parts)
        totals.append(sums)
    return _Study(coefficient, panel, np.stack(totals), len(panel.items) / subjects, seed), None


def _subset(panel: Panel, k: int, rng: np.random.Generator) -> Panel:
    """The same items with k of their labels each."""
    order = np.lexsort((rng.random(len(panel.item)), panel.item))
    begins = np.searchsorted(panel.item[order], np.arange(len(panel.items)))
    rank = np.arange(len(order)) - begins[panel.item[order]]
    kept = np.sort(order[rank < k])
    return replace(panel, item=panel.item[kept], annotator=panel.annotator[kept], label=panel.label[kept])


def _plan(study: _Study, k: int, wanted: float, draws: int) -> Plan:
    present = study.totals.shape[1]
    now = _half_width(study, present, draws)
    if now is None:
        return Plan(k, wanted, None, None, None, None, "no variation in the simulated studies")
    subjects, width = present, now
    for _ in range(ROUNDS):
        least = max(MIN_CLUSTERS, ceil(MIN_ITEMS / study.items_a_subject))
        subjects = max(ceil(subjects * (width / wanted) ** 2), least)
        if subjects > MOST_SUBJECTS:
            reason = f"over {MOST_SUBJECTS:,} subjects: out of reach"
            return Plan(k, wanted, now, None, None, None, reason)
        found = _half_width(study, subjects, draws)
        if found is None:
            return Plan(k, wanted, now, None, None, None, f"undefined with as few as {subjects} subjects")
        width = found
        if abs(width / wanted - 1.0) < 0.02 or (subjects == least and width < wanted):
            break
    return Plan(k, wanted, now, subjects, ceil(subjects * study.items_a_subject), width)


def _half_width(study: _Study, subjects: int, draws: int) -> float | None:
    """Quantile of t(subjects - 1) times the standard deviation over simulated studies; None if undefined."""
    from scipy.special import stdtrit  # costs a quarter of a second: not at import

    rng = np.random.default_rng([study.seed, subjects])
    subsets, present, width = study.totals.shape
    flat = study.totals.reshape(subsets * present, width)
    step = max(1, _AT_ONCE // (subjects * width))
    sums = [
        flat[rng.integers(0, len(flat), (min(step, draws - done), subjects))].sum(axis=1)
        for done in range(0, draws, step)
    ]
    values = study.coefficient.value(study.panel, np.concatenate(sums))
    defined = values[~np.isnan(values)]
    if draws - len(defined) > MAX_UNDEFINED_SHARE * draws or defined.std() < 1e-12:
        return None
    return float(stdtrit(subjects - 1, 0.975) * defined.std(ddof=1))
