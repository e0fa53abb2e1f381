"""Labels as unique patterns: items on which the same annotators said the same are computed once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotations.ballots import Ballots

Triple = tuple[str, str, str]
"""Item, annotator, label."""
_Pattern = tuple[tuple[int, int], ...]
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


def unique_patterns(labels: Iterable[Triple] | Ballots[str], categories: Sequence[str]) -> Patterns:
    """From triples, several of an annotator on an item allowed, or ballots; items sorted.

    Raises KeyError for an unknown label.
    """
    at = {category: place for place, category in enumerate(categories)}
    if isinstance(labels, Ballots):
        annotators = sorted({annotator for given in labels.distinct for annotator in given})
        given = _from_ballots(labels, annotators, at)
    else:
        rows = sorted(labels)
        annotators = sorted({annotator for _, annotator, _ in rows})
        given = _from_triples(rows, annotators, at)
    place: dict[_Pattern, int] = {}
    of_item = [place.setdefault(pattern, len(place)) for pattern in given.values()]
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


def _from_ballots(
    ballots: Ballots[str], annotators: Sequence[str], at: Mapping[str, int]
) -> dict[str, _Pattern]:
    who = {annotator: place for place, annotator in enumerate(annotators)}
    patterns = [tuple((who[one], at[label]) for one, label in given.items()) for given in ballots.distinct]
    return {item: patterns[place] for item, place in sorted(ballots.place.items()) if patterns[place]}


def _from_triples(
    rows: Iterable[Triple], annotators: Sequence[str], at: Mapping[str, int]
) -> dict[str, _Pattern]:
    who = {annotator: place for place, annotator in enumerate(annotators)}
    given: dict[str, list[tuple[int, int]]] = {}
    for item, annotator, label in rows:
        given.setdefault(item, []).append((who[annotator], at[label]))
    return {item: tuple(sorted(pattern)) for item, pattern in given.items()}
