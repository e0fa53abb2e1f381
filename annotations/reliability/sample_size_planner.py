"""How many items and annotators a target half-width of an interval needs, simulated from the labels so far
(our own method).

A simulated study of g subjects draws g of the present ones with replacement, with all their items, and on
each item k of its labels without replacement. Its coefficient is recomputed; over many such studies the
standard deviation, times the quantile of t(g - 1), is the expected half-width of the 95 % interval. The
number of subjects is first extrapolated, as half-widths are proportional to 1 / sqrt(g), and then simulated
again; above 300 subjects it is only extrapolated.

Assumptions: further items and subjects are like the present ones, and so are annotators. More annotators per
item than the labels have cannot be simulated: that needs a pilot study with as many.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from math import ceil, sqrt

import numpy as np

from clinicnum.annotations.agreement.coefficient import Coefficient
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.annotations.agreement.label_table import MISSING, Column, Ints, LabelTable
from clinicnum.annotations.agreement.parse_label_text import label_reader
from clinicnum.annotations.agreement.rating_panel import Panel, Rows, distinct_rows
from clinicnum.annotations.agreement.rating_panel_builder import build_panel
from clinicnum.annotations.labels_by_item import Ballots
from clinicnum.errors import InputError
from clinicnum.stats.clustered_intervals import Floats
from clinicnum.stats.jackknife import MAX_UNDEFINED_SHARE, MIN_CLUSTERS, MIN_ITEMS
from clinicnum.stats.rounded_figures import percent

DRAWS = 10_000
SUBSETS = 2_000
"""Most random choices of k labels per item from which studies of few subjects are simulated. With 20, rare
labels made half-widths differ by half between seeds.
"""
ENOUGH = 100_000
"""Target number of subjects times subsets in the pool that simulated studies are drawn from."""
ROUNDS = 4
CLOSE = 0.01
"""Relative distance to the target half-width at which the search ends."""
MOST_SIMULATED = 300
MOST_SUBJECTS = 100_000
_AT_ONCE = 1_000_000
"""Cells drawn at once."""
_NO_SPREAD = 1e-12


@dataclass(frozen=True)
class Plan:
    """The sample size for one target half-width with k annotators per item."""

    annotators: int
    wanted: float
    present: float | None
    """Expected half-width with the present subjects and items, and k labels per item."""
    subjects: int | None
    items: int | None
    half_width: float | None
    """The simulated half-width with that many subjects."""
    undefined: str | None = None
    """Why there is no plan."""


def plan(
    labels: Mapping[str, Mapping[str, str]],
    *,
    coefficient: str,
    categories: Sequence[str],
    subjects: Mapping[str, str],
    wanted: Sequence[float],
    annotators: Sequence[int],
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[Plan, ...]:
    """One plan for each number of annotators per item and each target half-width (above 0), on nominal
    labels.

    `labels` are item -> annotator -> label, `subjects` item -> subject. Raises InputError for an unknown
    coefficient, a label that is not a category, and a half-width or a number of annotators out of range.
    """
    chosen = next((one for one in COEFFICIENTS if one.name == coefficient), None)
    if chosen is None:
        names = ", ".join(one.name for one in COEFFICIENTS)
        raise InputError(f"coefficient {coefficient!r} has no plan; expected one of {names}")
    if not all(0 < one < 1 for one in wanted) or not all(one >= 2 for one in annotators):
        raise InputError(
            f"half-widths {list(wanted)}, annotators {list(annotators)}: expected half-widths between 0 and "
            "1, and at least 2 annotators an item"
        )
    panel = _panel_of(labels, categories, subjects)
    plans: list[Plan] = []
    for k in annotators:
        study, reason = _study(panel, k, chosen, seed)
        if study is not None:
            now = _half_width(study, study.present, draws)
            if isinstance(now, float):
                plans += [_plan(study, k, one, now, draws) for one in wanted]
                continue
            reason = now
        plans += [Plan(k, one, None, None, None, None, reason) for one in wanted]
    return tuple(plans)


def _panel_of(
    labels: Mapping[str, Mapping[str, str]], categories: Sequence[str], subjects: Mapping[str, str]
) -> Panel | None:
    """The panel, in an order that does not depend on that of the labels; None if there are no labels."""
    table = _table_of(Ballots.of(labels))
    if not len(table):
        return None
    return build_panel(table, reader=label_reader("nominal", categories), clusters=subjects)[0]


def _table_of(ballots: Ballots[str]) -> LabelTable:
    """The labels as a table: items that have a label, sorted, and their annotators, sorted."""
    cells = [cell for given in ballots.distinct for cell in given.items()]
    lengths = np.array([len(given) for given in ballots.distinct], dtype=np.int64)
    some = lengths[ballots.in_order.place] > 0
    place = ballots.in_order.place[some]
    each = lengths[place]
    item = np.repeat(np.arange(len(place)), each)
    begin = np.cumsum(lengths) - lengths
    cell = begin[place][item] + np.arange(len(item)) - (np.cumsum(each) - each)[item]
    annotator, label = (Column.of(one[at] for one in cells) for at in (0, 1))
    return LabelTable(
        item=Column(item, tuple(compress(ballots.in_order.names, some.tolist()))),
        annotator=Column(annotator.codes[cell], annotator.names),
        label=Column(label.codes[cell], label.names),
    )


@dataclass(frozen=True)
class _Study:
    """The labels so far, prepared for drawing simulated studies."""

    coefficient: Coefficient
    panel: Panel
    totals: Floats
    """subsets * subjects x m: each subject's part in the coefficient's sums."""
    present: int
    """Number of subjects."""
    items_a_subject: float
    seed: int
    spreads: dict[int, float | str] = field(default_factory=dict)
    """Standard deviation of the coefficient over studies of so many subjects, once simulated, or the reason
    why there is none.
    """


def _study(
    whole: Panel | None, k: int, coefficient: Coefficient, seed: int
) -> tuple[_Study | None, str | None]:
    panel = None if whole is None else _with_labels(whole, k)
    if panel is None:
        most = 0 if whole is None else int(whole.raters.max())
        return None, f"no item has {k} labels (at most {most}): a pilot with as many annotators would tell"
    reason = coefficient.inapplicable(panel)
    if reason is not None:
        return None, reason
    subjects = panel.n_clusters or 0
    if subjects < MIN_CLUSTERS or panel.n_items < MIN_ITEMS:
        return None, (
            f"{panel.n_items} items from {subjects} subjects have {k} labels; a simulation needs at least "
            f"{MIN_ITEMS} from {MIN_CLUSTERS}"
        )
    rng = np.random.default_rng(seed)
    totals = []
    for _ in range(1 if panel.raters.max() == k else min(max(ENOUGH // subjects, 2), SUBSETS)):
        totals.append(coefficient.cluster_totals(_subset(panel, k, rng)))
    each = panel.n_items / subjects
    return _Study(coefficient, panel, np.concatenate(totals), subjects, each, seed), None


def _with_labels(panel: Panel, k: int) -> Panel | None:
    """The items with at least k labels (each its own subject if no subject has two); None if there are
    none.
    """
    kept = panel.raters[panel.pattern] >= k
    if not kept.any():
        return None
    used, pattern = np.unique(panel.pattern[kept], return_inverse=True)
    own = np.arange(panel.n_items) if panel.cluster is None else panel.cluster
    cluster = np.unique(own[kept], return_inverse=True)[1]
    return _panel(panel, panel.rows[used], pattern, cluster)


def _subset(panel: Panel, k: int, rng: np.random.Generator) -> Panel:
    """The same items, each with k of its labels drawn at random."""
    grid = panel.rows[panel.pattern]
    drawn = np.where(grid >= 0, rng.random(grid.shape), np.inf)
    rank = drawn.argsort(axis=1).argsort(axis=1)
    rows, pattern = distinct_rows(np.where(rank < k, grid, MISSING).astype(np.int32))
    return _panel(panel, rows, pattern, panel.cluster)


def _panel(like: Panel, rows: Rows, pattern: Ints, cluster: Ints | None) -> Panel:
    return Panel(like.scale, like.annotators, like.values, like.declared, rows, pattern, cluster)


def _plan(study: _Study, k: int, wanted: float, now: float, draws: int) -> Plan:
    subjects, width = study.present, now
    least = max(MIN_CLUSTERS, ceil(MIN_ITEMS / study.items_a_subject))
    for _ in range(ROUNDS):
        subjects = max(ceil(subjects * (width / wanted) ** 2), least)
        if subjects > MOST_SUBJECTS:
            return Plan(k, wanted, now, None, None, None, f"over {MOST_SUBJECTS:,} subjects: out of reach")
        found = _half_width(study, subjects, draws)
        if isinstance(found, str):
            return Plan(k, wanted, now, None, None, None, f"with {subjects} subjects {found}")
        width = found
        if abs(width / wanted - 1.0) < CLOSE or (subjects == least and width < wanted):
            break
    return Plan(k, wanted, now, subjects, ceil(subjects * study.items_a_subject), width)


def _half_width(study: _Study, subjects: int, draws: int) -> float | str:
    """Half-width: quantile of t(subjects - 1) times the standard deviation over simulated studies; or the
    reason why there is none.
    """
    from scipy.special import stdtrit  # costs a quarter of a second: not at import

    drawn = min(subjects, MOST_SIMULATED)
    if drawn not in study.spreads:
        study.spreads[drawn] = _spread(study, drawn, draws)
    spread = study.spreads[drawn]
    if isinstance(spread, str):
        return spread
    return float(stdtrit(subjects - 1, 0.975)) * (spread * sqrt(drawn / subjects))


def _spread(study: _Study, drawn: int, draws: int) -> float | str:
    """Standard deviation of the coefficient over simulated studies of so many subjects, or the reason why
    there is none.
    """
    rng = np.random.default_rng([study.seed, drawn])
    present, width = study.totals.shape
    step = max(1, _AT_ONCE // (drawn * width))
    sums = [
        _summed(study.totals, rng.integers(0, present, (min(step, draws - done), drawn)))
        for done in range(0, draws, step)
    ]
    values = study.coefficient.value(study.panel, np.concatenate(sums))
    defined = values[~np.isnan(values)]
    if not len(defined):
        return "the coefficient is undefined in all simulated studies"
    undefined = draws - len(defined)
    if undefined > MAX_UNDEFINED_SHARE * draws:
        return (
            f"the coefficient is undefined in {percent(undefined / draws)} % of the simulated studies, more "
            f"than {percent(MAX_UNDEFINED_SHARE, 0)} %"
        )
    if defined.std() < _NO_SPREAD:
        return "the coefficient is the same in all simulated studies"
    return float(defined.std(ddof=1))


def _summed(totals: Floats, drawn: Ints) -> Floats:
    """studies x m: the sums over each study's subjects; far faster than `totals[drawn].sum(axis=1)`."""
    from scipy.sparse import csr_array  # costs a tenth of a second: not at import

    studies, subjects = drawn.shape
    begins = np.arange(0, drawn.size + 1, subjects)
    summed: Floats = csr_array((np.ones(drawn.size), drawn.ravel(), begins), (studies, len(totals))) @ totals
    return summed
