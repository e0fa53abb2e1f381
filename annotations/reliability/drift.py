"""Drift: how an annotator changes from their first judgement to their last.

The order is that of the annotator's first saved judgements; x runs from 0 (first) to 1 (last). The figure is
the slope of the least-squares line on x, which is the change from first to last. It is computed from sums,
which add up over subjects, and its interval is the delete-one-subject jackknife. Each annotator has the items
in random order; that harder items came late by chance is in the slope nevertheless.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log

import numpy as np

from clinicnum.annotations.reliability.clustered_estimates import Estimate, from_totals
from clinicnum.annotations.types import Annotation
from clinicnum.stats.clustered_intervals import Floats, Subjects

MIN_POINTS = 10


@dataclass(frozen=True)
class Drift:
    """Changes of one annotator from the first judgement to the last."""

    annotator: str
    judgements: int
    failure: Estimate
    """Change in the share of responses called a failure."""
    agree: Estimate
    """Change in the share that agrees with the consensus of the others."""
    log_time: Estimate
    """Change in the natural logarithm of the active time: exp of it is a factor."""


def in_order(
    chosen: Iterable[Annotation], revisions: Iterable[Annotation]
) -> dict[str, tuple[Annotation, ...]]:
    """The chosen judgements by annotator, in the order of their first revisions."""
    by_annotator: dict[str, list[Annotation]] = {}
    for one in chosen:
        by_annotator.setdefault(one.annotator_id, []).append(one)
    revised = {
        (one.annotator_id, one.generation_id)
        for mine in by_annotator.values()
        for one in mine
        if one.revision > 1
    }
    first: dict[tuple[str, str], Annotation] = {}
    for one in revisions if revised else ():
        key = one.annotator_id, one.generation_id
        if key in revised and one.round == "main" and one.revision < first.setdefault(key, one).revision:
            first[key] = one

    def begin(one: Annotation) -> tuple[datetime, str]:
        begun = one if one.revision == 1 else first.get((one.annotator_id, one.generation_id), one)
        return begun.created_at, one.generation_id

    return {annotator: tuple(sorted(mine, key=begin)) for annotator, mine in sorted(by_annotator.items())}


def drift(
    ordered: Mapping[str, Sequence[Annotation]],
    subjects: Mapping[str, str],
    others: Mapping[str, Mapping[str, bool]],
) -> tuple[Drift, ...]:
    """Drift of every annotator, from their judgements in order.

    `others` maps generation -> annotator -> whether the annotator's response judgement agrees with the
    others'; it has no entry if the others have no consensus.
    """
    return tuple(_drift(annotator, mine, subjects, others) for annotator, mine in ordered.items())


def _drift(
    annotator: str,
    given: Sequence[Annotation],
    subjects: Mapping[str, str],
    others: Mapping[str, Mapping[str, bool]],
) -> Drift:
    at = np.arange(len(given)) / max(len(given) - 1, 1)
    whose = Subjects.of(subjects[one.generation_id] for one in given)

    def change(
        values: Sequence[float | None], what: str, bounds: tuple[float, float] | None = (-1.0, 1.0)
    ) -> Estimate:
        """The slope of `values` over those judgements that have a value."""
        y = np.array(values, dtype=float)  # None is nan
        kept = ~np.isnan(y) if np.count_nonzero(~np.isnan(y)) >= MIN_POINTS else np.zeros(len(y), dtype=bool)
        x, y = at[kept], y[kept]
        return from_totals(
            whose[kept],
            np.column_stack([np.ones(len(x)), x, y, x * x, x * y]),
            slope,
            without=f"under {MIN_POINTS} {what}",
            bounds=bounds,
        )

    agree = [others.get(one.generation_id, {}).get(annotator) for one in given]
    return Drift(
        annotator=annotator,
        judgements=len(given),
        failure=change([one.response_judgement == "failure" for one in given], "judgements"),
        agree=change(agree, "judgements on which the others agree"),
        log_time=change(
            [log(one.active_ms) if one.active_ms else None for one in given],
            "judgements with an active time",
            None,
        ),
    )


def slope(totals: Floats) -> Floats:
    """Least-squares slope from the sums [..., 5] of 1, x, y, x^2 and x y; nan where x does not vary."""
    n, x, y, xx, xy = np.moveaxis(totals, -1, 0)
    spread = n * xx - x * x
    some = spread > 1e-12
    return np.where(some, (n * xy - x * y) / np.where(some, spread, 1.0), np.nan)
