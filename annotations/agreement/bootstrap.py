"""Cluster bootstrap intervals: subjects are drawn with replacement, and the middle 95 % of the values is
reported.

Each of the `DRAWS` draws has as many subjects as the study; the generator is seeded with `seed`. With fewer
than 20 subjects the percentile interval is known to be too narrow, and its method says so. It is always shown
beside the main interval, never in its place.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.agreement.coefficient import Coefficient
from clinicnum.annotations.agreement.intervals import Uncertainty, undefined_interval
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.rating_panel import Panel
from clinicnum.stats.jackknife import MIN_ITEMS, why_no_interval

DRAWS = 1000
Times = NDArray[np.uint32]
METHOD = f"cluster bootstrap, {DRAWS} draws of subjects, percentile"
_SHORT_BELOW = 20
_CHUNK = 4_000_000
"""Draws held at once: 32 MB."""


def cluster_bootstrap(
    panel: Panel, coefficients: Sequence[Coefficient], n_items: Sequence[int], *, seed: int
) -> list[Uncertainty]:
    """Bootstrap interval of each coefficient, all from the same draws; the panel must have clusters.

    `n_items` is the number of items behind each coefficient. The same `seed` gives the same intervals.
    """
    if not coefficients:
        return []
    sums = [coefficient.cluster_totals(panel) for coefficient in coefficients]
    drawn = _drawn_totals(np.hstack(sums), seed)
    ends = np.cumsum([part.shape[1] for part in sums])
    return [
        _interval(coefficient.value(panel, totals), coefficient, len(sums[0]), items)
        for coefficient, totals, items in zip(
            coefficients, np.split(drawn, ends[:-1], axis=1), n_items, strict=True
        )
    ]


def _drawn_totals(sums: Floats, seed: int) -> Floats:
    """Column sums of each bootstrap draw: draws x columns."""
    clusters = len(sums)
    draws = _kept_draws(clusters, seed) if clusters * DRAWS <= _CHUNK else _draws(clusters, seed)
    return np.concatenate([times.astype(float) @ sums for times in draws])


@lru_cache(maxsize=1)  # the layers of a study have the same clusters: drawn once, 16 MB at most
def _kept_draws(clusters: int, seed: int) -> tuple[Times, ...]:
    return tuple(_draws(clusters, seed))


def _draws(clusters: int, seed: int) -> Iterator[Times]:
    """Yield, in batches, how often each cluster is drawn: draws x clusters."""
    rng = np.random.default_rng(seed)
    at_once = max(1, _CHUNK // clusters)
    for start in range(0, DRAWS, at_once):
        draws = min(at_once, DRAWS - start)
        picked = rng.integers(0, clusters, size=(draws, clusters))
        picked += np.arange(draws)[:, None] * clusters
        times = np.bincount(picked.ravel(), minlength=draws * clusters)
        yield times.reshape(draws, clusters).astype(np.uint32)


def _interval(replicates: Floats, coefficient: Coefficient, clusters: int, n_items: int) -> Uncertainty:
    undefined = int(np.isnan(replicates).sum())
    # The limit of 5 % undefined replicates applies to the draws here, not to the subjects.
    reason = why_no_interval(clusters, 0, n_items) or why_no_interval(len(replicates), undefined, MIN_ITEMS)
    if reason is not None:
        return undefined_interval(reason)
    defined = replicates[~np.isnan(replicates)]
    if np.ptp(defined) == 0.0:
        return undefined_interval("every draw gives the same value")
    low, high = (float(end) for end in np.quantile(defined, (0.025, 0.975)))
    short = f"; short below {_SHORT_BELOW} subjects" if clusters < _SHORT_BELOW else ""
    ends = (max(low, coefficient.least), min(high, 1.0))
    return Uncertainty(float(defined.std(ddof=1)), ends, METHOD + short)
