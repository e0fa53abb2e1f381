"""Labels as unique patterns: items with the same labels from the same annotators are computed once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.labels_by_item import Ballots

Triple = tuple[str, str, str]
"""Item, annotator, label."""
_Pattern = tuple[tuple[int, int], ...]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Patterns:
    """Unique patterns of labels; `row`, `annotator` and `label` have one element for each label of a
    pattern.
    """

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
    """The distinct patterns of labels, and which item has which; one pattern is the labels that an item got,
    each with its annotator.

    `labels` are triples, in which an annotator may label an item several times, or ballots; `categories` are
    all labels, which the result names by their index here. Items and annotators are sorted; an item without
    labels is left out. Raises KeyError for a label that is no category.
    """
    at = {category: place for place, category in enumerate(categories)}
    items, annotators, place, patterns = (
        _of_ballots(labels.in_order, at) if isinstance(labels, Ballots) else _of_triples(sorted(labels), at)
    )
    # Patterns are numbered by first appearance, so that sums do not depend on the form of `labels`.
    _, first, rank = np.unique(place, return_index=True, return_inverse=True)
    order = np.argsort(first)
    used = [patterns[at] for at in place[np.sort(first)].tolist()]
    of_item = np.argsort(order)[rank]
    lengths = np.array([len(pattern) for pattern in used], dtype=np.int64)
    flat = np.array([label for pattern in used for label in pattern], dtype=np.int64).reshape(-1, 2)
    return Patterns(
        items=items,
        annotators=annotators,
        n_categories=len(categories),
        pattern_of_item=of_item,
        weight=np.bincount(of_item, minlength=len(used)).astype(float),
        row=np.repeat(np.arange(len(used)), lengths),
        start=np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
        annotator=flat[:, 0],
        label=flat[:, 1],
        longest=int(lengths.max(initial=0)),
    )


_Given = tuple[tuple[str, ...], tuple[str, ...], Ints, Sequence[_Pattern]]
"""Items, annotators, the pattern index of each item, and the patterns."""


def _of_ballots(ballots: Ballots[str], at: Mapping[str, int]) -> _Given:
    annotators = sorted({annotator for given in ballots.distinct for annotator in given})
    who = {annotator: place for place, annotator in enumerate(annotators)}
    patterns = [tuple((who[one], at[label]) for one, label in given.items()) for given in ballots.distinct]
    some = np.array([bool(pattern) for pattern in patterns], dtype=bool)[ballots.place]
    items = tuple(compress(ballots.names, some.tolist()))
    return items, tuple(annotators), ballots.place[some], patterns


def _of_triples(rows: Sequence[Triple], at: Mapping[str, int]) -> _Given:
    annotators = sorted({annotator for _, annotator, _ in rows})
    who = {annotator: place for place, annotator in enumerate(annotators)}
    given: dict[str, list[tuple[int, int]]] = {}
    for item, annotator, label in rows:
        given.setdefault(item, []).append((who[annotator], at[label]))
    seen: dict[_Pattern, int] = {}
    place = [seen.setdefault(tuple(sorted(pattern)), len(seen)) for pattern in given.values()]
    return tuple(given), tuple(annotators), np.array(place, dtype=np.int64), tuple(seen)
