"""The labels of items, grouped so that items with the same labels by the same annotators share one ballot.

A large study has few distinct ballots, so whatever depends only on an item's labels is computed once per
ballot and looked up by item.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

L = TypeVar("L")
M = TypeVar("M")


@dataclass(frozen=True, eq=False)
class Ballots(Mapping[str, Mapping[str, L]], Generic[L]):
    """Item -> annotator -> label. Labels are hashable."""

    distinct: tuple[Mapping[str, L], ...]
    """Annotator -> label, annotators in sorted order."""
    names: tuple[str, ...]
    """The ids of the items."""
    place: NDArray[np.int64]
    """Index into `distinct`, one per item."""

    @classmethod
    def of(cls, labels: Mapping[str, Mapping[str, L]]) -> "Ballots[L]":
        """Group labels into ballots; ballots are returned as they are."""
        if isinstance(labels, Ballots):
            return labels
        seen: dict[tuple[tuple[str, L], ...], int] = {}
        ballots = (tuple(sorted(given.items(), key=_annotator)) for given in labels.values())
        place = [seen.setdefault(ballot, len(seen)) for ballot in ballots]
        return cls(tuple(dict(ballot) for ballot in seen), tuple(labels), np.array(place, dtype=np.int64))

    @cached_property
    def _at(self) -> Mapping[str, int]:
        return dict(zip(self.names, self.place.tolist(), strict=True))

    def __getitem__(self, item: str) -> Mapping[str, L]:
        return self.distinct[self._at[item]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def map(self, label: Callable[[L], M]) -> "Ballots[M]":
        """The ballots with each label replaced by what the function `label` makes of it."""
        fewer = Ballots.of(
            {
                str(at): {who: label(one) for who, one in given.items()}
                for at, given in enumerate(self.distinct)
            }
        )
        return Ballots(fewer.distinct, self.names, fewer.place[self.place])

    @cached_property
    def weight(self) -> NDArray[np.int64]:
        """Number of items that have each distinct ballot."""
        return np.bincount(self.place, minlength=len(self.distinct))

    @cached_property
    def labels(self) -> Counter[L]:
        """How often each label was given."""
        given: Counter[L] = Counter()
        for ballot, items in zip(self.distinct, self.weight.tolist(), strict=True):
            for label in ballot.values():
                given[label] += items
        return given

    @cached_property
    def one_with(self) -> NDArray[np.int64]:
        """For each distinct ballot, the index of one item that has it."""
        places = np.zeros(len(self.distinct), dtype=np.int64)
        places[self.place] = np.arange(len(self.place))
        return places

    @cached_property
    def in_order(self) -> "Ballots[L]":
        """These ballots with the items in sorted order."""
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        names = tuple(self.names[at] for at in order)
        return Ballots(self.distinct, names, self.place[np.array(order, dtype=np.int64)])

    def spread(self, found: Sequence[M]) -> dict[str, M]:
        """Item -> the result for its ballot, from one result per distinct ballot."""
        return dict(zip(self.names, map(found.__getitem__, self.place.tolist()), strict=True))

    def each(self, come_to: Callable[[Mapping[str, L]], M]) -> dict[str, M]:
        """Item -> the result of `come_to` for its labels, computed once per distinct ballot."""
        return self.spread([come_to(given) for given in self.distinct])


def _annotator(entry: tuple[str, object]) -> str:
    return entry[0]
