"""Items and annotators that a wanted half-width takes, by simulation on the labels so far (our own method).

A simulated study of g subjects draws g of the present ones with replacement, with all their items, and on
each item k of its labels without replacement. Its coefficient is recomputed; over many such studies the
standard deviation, times the quantile of t(g - 1), is the half-width of the 95 % interval to expect. The
wanted number of subjects is approached by the law that half-widths go with 1 / sqrt(g), and simulated anew;
above 1,000 subjects the law alone is used.

What it takes for granted: further items and subjects are like the present ones, and so are annotators. For
more annotators an item than the labels have, nothing can be drawn: that takes a pilot with as many.

Every item of a simulated study has k labels, so that the coefficients are short formulas of sums over items;
a test holds them to those of `agreement`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from annotations.reliability.alpha import nominal_alpha
from clinicnum.clusters import Floats, quotient
from clinicnum.errors import InputError
from clinicnum.statistics import MAX_UNDEFINED_SHARE, MIN_CLUSTERS, MIN_ITEMS

DRAWS = 1_000
SUBSETS = 20
"""Random choices of k labels an item that simulated studies of few subjects draw from."""
ENOUGH = 2_000
"""Subjects times subsets that are enough to draw from."""
ROUNDS = 4
CLOSE = 0.02
"""Relative distance to the wanted half-width that is near enough."""
MOST_SIMULATED = 1_000
MOST_SUBJECTS = 100_000
_AT_ONCE = 1_000_000
"""Cells drawn at once."""
_NO_SPREAD = 1e-12


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


def _agreement(sums: Floats, k: int) -> Floats:
    return quotient(sums[..., 0], sums[..., 1] * k * (k - 1))


def _corrected(observed: Floats, chance: Floats) -> Floats:
    """(observed - chance) / (1 - chance), nan where chance alone agrees."""
    return 1.0 - quotient(1.0 - observed, 1.0 - chance)


def _alpha(sums: Floats, k: int) -> Floats:
    return nominal_alpha(np.concatenate([sums[..., :1] / (k - 1), sums[..., 2:]], axis=-1))


def _fleiss(sums: Floats, k: int) -> Floats:
    share = quotient(sums[..., 2:], sums[..., 1:2] * k)
    return _corrected(_agreement(sums, k), (share**2).sum(axis=-1))


def _ac1(sums: Floats, k: int) -> Floats:
    share = quotient(sums[..., 2:], sums[..., 1:2] * k)
    chance = (share * (1 - share)).sum(axis=-1) / max(sums.shape[-1] - 3, 1)
    return _corrected(_agreement(sums, k), chance)


COEFFICIENTS: dict[str, Callable[[Floats, int], Floats]] = {
    "percent_agreement": _agreement,
    "krippendorff_alpha_nominal": _alpha,
    "fleiss_kappa": _fleiss,
    "gwet_ac1": _ac1,
}
"""From sums [..., 2 + categories] over items with k labels each: ordered pairs that agree, items, labels of
each category."""


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
    """One plan for each number of annotators an item and each wanted half-width (above 0).

    `labels` are item -> annotator -> label, `subjects` item -> subject. Raises InputError for an unknown
    coefficient, a label that is not a category, and a half-width or a number of annotators out of range.
    """
    if coefficient not in COEFFICIENTS:
        raise InputError(
            f"coefficient {coefficient!r} has no plan; expected one of {', '.join(COEFFICIENTS)}"
        )
    if not all(0 < one < 1 for one in wanted) or not all(one >= 2 for one in annotators):
        raise InputError(
            f"half-widths {list(wanted)}, annotators {list(annotators)}: expected half-widths between 0 and "
            "1, and at least 2 annotators an item"
        )
    given = _given(labels, categories, subjects)
    plans: list[Plan] = []
    for k in annotators:
        study, reason = _study(given, k, coefficient, seed)
        now = None if study is None else _half_width(study, study.present, draws)
        if study is not None and now is None:
            reason = "no variation in the simulated studies"
        if study is None or now is None:
            plans += [Plan(k, one, None, None, None, None, reason) for one in wanted]
        else:
            plans += [_plan(study, one, now, draws) for one in wanted]
    return tuple(plans)


@dataclass(frozen=True)
class _Given:
    label: NDArray[np.int64]
    """items x most labels on an item: place of the category, -1 for none."""
    subject: NDArray[np.int64]
    """Place of each item's subject."""
    categories: int


@dataclass(frozen=True)
class _Study:
    """The present labels, ready to be drawn from."""

    value: Callable[[Floats, int], Floats]
    k: int
    totals: Floats
    """subsets * subjects x sums: each subject's part."""
    present: int
    """Subjects."""
    items_a_subject: float
    seed: int


def _given(
    labels: Mapping[str, Mapping[str, str]], categories: Sequence[str], subjects: Mapping[str, str]
) -> _Given:
    at = {category: place for place, category in enumerate(categories)}
    items = sorted(labels)
    most = max((len(labels[item]) for item in items), default=0)
    cells = np.full((len(items), most), -1, dtype=np.int64)
    for row, item in enumerate(items):
        for column, (_, label) in enumerate(sorted(labels[item].items())):
            if label not in at:
                known = ", ".join(categories)
                raise InputError(f"item {item!r}: label {label!r} is not a category; expected {known}")
            cells[row, column] = at[label]
    names = np.array([subjects[item] for item in items], dtype=str)
    return _Given(cells, np.unique(names, return_inverse=True)[1], len(categories))


def _study(given: _Given, k: int, coefficient: str, seed: int) -> tuple[_Study | None, str | None]:
    count = (given.label >= 0).sum(axis=1)
    kept = count >= k
    if not kept.any():
        most = int(count.max(initial=0))
        return None, f"no item has {k} labels (at most {most}): a pilot with as many annotators would tell"
    label = given.label[kept]
    subject = np.unique(given.subject[kept], return_inverse=True)[1]
    subjects = int(subject.max()) + 1
    if subjects < MIN_CLUSTERS or len(label) < MIN_ITEMS:
        return None, (
            f"{len(label)} items from {subjects} subjects have {k} labels; a simulation needs at least "
            f"{MIN_ITEMS} from {MIN_CLUSTERS}"
        )
    rng = np.random.default_rng(seed)
    totals = []
    for _ in range(1 if count.max() == k else min(max(ENOUGH // subjects, 2), SUBSETS)):
        sums = np.zeros((subjects, 2 + given.categories))
        np.add.at(sums, subject, _item_sums(label, k, given.categories, rng))
        totals.append(sums)
    return (
        _Study(COEFFICIENTS[coefficient], k, np.concatenate(totals), subjects, len(label) / subjects, seed),
        None,
    )


def _item_sums(label: NDArray[np.int64], k: int, categories: int, rng: np.random.Generator) -> Floats:
    """What each item adds, with k of its labels drawn by chance."""
    order = np.argsort(np.where(label >= 0, rng.random(label.shape), 2.0), axis=1)[:, :k]
    drawn = np.take_along_axis(label, order, axis=1)
    flat = (np.arange(len(label))[:, None] * categories + drawn).ravel()
    counts = np.bincount(flat, minlength=len(label) * categories).reshape(len(label), categories)
    agreeing = (counts * (counts - 1)).sum(axis=1)
    return np.column_stack([agreeing, np.ones(len(label)), counts]).astype(float)


def _plan(study: _Study, wanted: float, now: float, draws: int) -> Plan:
    k, subjects, width = study.k, study.present, now
    least = max(MIN_CLUSTERS, ceil(MIN_ITEMS / study.items_a_subject))
    for _ in range(ROUNDS):
        subjects = max(ceil(subjects * (width / wanted) ** 2), least)
        if subjects > MOST_SUBJECTS:
            return Plan(k, wanted, now, None, None, None, f"over {MOST_SUBJECTS:,} subjects: out of reach")
        found = _half_width(study, subjects, draws)
        if found is None:
            return Plan(k, wanted, now, None, None, None, f"undefined with as few as {subjects} subjects")
        width = found
        if abs(width / wanted - 1.0) < CLOSE or (subjects == least and width < wanted):
            break
    return Plan(k, wanted, now, subjects, ceil(subjects * study.items_a_subject), width)


def _half_width(study: _Study, subjects: int, draws: int) -> float | None:
    """Quantile of t(subjects - 1) times the standard deviation over simulated studies; None if undefined."""
    from scipy.special import stdtrit  # costs a quarter of a second: not at import

    drawn = min(subjects, MOST_SIMULATED)
    rng = np.random.default_rng([study.seed, drawn])
    present, width = study.totals.shape
    step = max(1, _AT_ONCE // (drawn * width))
    sums = [
        study.totals[rng.integers(0, present, (min(step, draws - done), drawn))].sum(axis=1)
        for done in range(0, draws, step)
    ]
    values = study.value(np.concatenate(sums), study.k)
    defined = values[~np.isnan(values)]
    if draws - len(defined) > MAX_UNDEFINED_SHARE * draws or defined.std() < _NO_SPREAD:
        return None
    spread = float(defined.std(ddof=1)) * sqrt(drawn / subjects)
    return float(stdtrit(subjects - 1, 0.975)) * spread
