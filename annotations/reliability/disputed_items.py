"""The items on which annotators differ most."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class DisputedItem:
    """The labels of one item on one question."""

    item: str
    labels: Mapping[str, str]
    """Annotator -> label."""
    differing: int
    """Pairs of annotators who gave different labels."""

    @property
    def pairs(self) -> int:
        """Number of pairs of its annotators."""
        return len(self.labels) * (len(self.labels) - 1) // 2


def most_disputed(labels: Mapping[str, Mapping[str, str]], count: int) -> tuple[DisputedItem, ...]:
    """The `count` items (item -> annotator -> label) with the largest share of differing pairs.

    Among equal shares the item with more differing pairs comes first. Items on which all agree are left out.
    """
    found = [
        DisputedItem(item, given, sum(a != b for a, b in combinations(given.values(), 2)))
        for item, given in labels.items()
    ]
    disputed = [one for one in found if one.differing]
    return tuple(
        sorted(disputed, key=lambda one: (-one.differing / one.pairs, -one.differing, one.item))[:count]
    )
