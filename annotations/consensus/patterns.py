"""Labels as unique patterns: items on which the same annotators said the same are computed once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Patterns:
    """Unique patterns of labels; `row`, `annotator` and `label` have one element a label of a pattern."""

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    n_categories: int
    pattern_of_item: Ints
    weight: NDArray[np.float64]
    """How many items have the pattern."""
    row: Ints
    """Pattern that the label belongs to, ascending."""
    start: Ints
    """Where each pattern's labels begin."""
    annotator: Ints
    label: Ints
    longest: int
    """Most labels on an item."""


def unique_patterns(rows: Sequence[tuple[str, str, str]], categories: Sequence[str]) -> Patterns:
    """From (item, annotator, label) triples in sorted order. Raises KeyError for an unknown label."""
    at = {category: place for place, category in enumerate(categories)}
    annotators = sorted({annotator for _, annotator, _ in rows})
    who = {annotator: place for place, annotator in enumerate(annotators)}
    given: dict[str, list[tuple[int, int]]] = {}
    for item, annotator, label in rows:
        given.setdefault(item, []).append((who[annotator], at[label]))
    place: dict[tuple[tuple[int, int], ...], int] = {}
    of_item = [place.setdefault(tuple(sorted(pattern)), len(place)) for pattern in given.values()]
    lengths = np.array([len(pattern) for pattern in place], dtype=np.int64)
    flat = np.array([label for pattern in place for label in pattern], dtype=np.int64).reshape(-1, 2)
    return Patterns(
        items=tuple(given),
        annotators=tuple(annotators),
        n_categories=len(categories),
        pattern_of_item=np.array(of_item, dtype=np.int64),
        weight=np.bincount(of_item, minlength=len(place)).astype(float),
        row=np.repeat(np.arange(len(place)), lengths),
        start=np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
        annotator=flat[:, 0],
        label=flat[:, 1],
        longest=int(lengths.max(initial=0)),
    )
