"""Labels as ballots: items on which the same annotators said the same share one, and come to the same.

A large study has few distinct ballots, so whatever follows from the labels of an item alone is worked out
once for each and looked up by item.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

L = TypeVar("L")
M = TypeVar("M")


@dataclass(frozen=True, eq=False)
class Ballots(Mapping[str, Mapping[str, L]], Generic[L]):
    """Item -> annotator -> label. Labels are hashable."""

    distinct: tuple[Mapping[str, L], ...]
    """Annotator -> label, annotators in sorted order."""
    place: Mapping[str, int]
    """Item -> index into `distinct`."""

    @classmethod
    def of(cls, labels: Mapping[str, Mapping[str, L]]) -> "Ballots[L]":
        """The same labels as ballots; ballots as they are."""
        if isinstance(labels, Ballots):
            return labels
        seen: dict[tuple[tuple[str, L], ...], int] = {}
        place = {}
        for item, given in labels.items():
            ballot = tuple(sorted(given.items(), key=_annotator))
            place[item] = seen.setdefault(ballot, len(seen))
        return cls(tuple(dict(ballot) for ballot in seen), place)

    def __getitem__(self, item: str) -> Mapping[str, L]:
        return self.distinct[self.place[item]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.place)

    def __len__(self) -> int:
        return len(self.place)

    def map(self, label: Callable[[L], M]) -> "Ballots[M]":
        """The labels that these are turned into, as ballots."""
        fewer = Ballots.of(
            {
                str(at): {who: label(one) for who, one in given.items()}
                for at, given in enumerate(self.distinct)
            }
        )
        now = list(fewer.place.values())
        return Ballots(fewer.distinct, {item: now[at] for item, at in self.place.items()})

    @cached_property
    def labels(self) -> Counter[L]:
        """How often each label was given."""
        given: Counter[L] = Counter()
        for at, items in Counter(self.place.values()).items():
            for label in self.distinct[at].values():
                given[label] += items
        return given

    def each(self, come_to: Callable[[Mapping[str, L]], M]) -> dict[str, M]:
        """What each item comes to, worked out once for each distinct ballot."""
        found = [come_to(given) for given in self.distinct]
        return {item: found[at] for item, at in self.place.items()}


def _annotator(entry: tuple[str, object]) -> str:
    return entry[0]
