"""Which labels annotators confuse: every pair of labels that two annotators gave to the same item.

Two annotators of an item make one pair, three make three; a pair has no order, so a table of counts is
symmetric. Pairs are counted without weights for the number of annotators of an item (our own choice, so that
a cell can be counted by hand).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from clinicnum.annotations.labels_by_item import Ballots


@dataclass(frozen=True)
class Confusion:
    """The pairs of labels on one question."""

    pairs: Mapping[tuple[str, str], int]
    """(label, label) in sorted order -> pairs; both labels alike where two annotators agree."""

    @property
    def total(self) -> int:
        """Number of all pairs."""
        return sum(self.pairs.values())

    def between(self, one: str, other: str) -> int:
        """Pairs in which one annotator gave `one` and another gave `other`."""
        return self.pairs.get((min(one, other), max(one, other)), 0)

    def most_frequent(self, count: int) -> tuple[tuple[str, str, int], ...]:
        """The `count` most frequent pairs of different labels, with their numbers, in descending order."""
        apart = [(a, b, n) for (a, b), n in self.pairs.items() if a != b]
        return tuple(sorted(apart, key=lambda one: (-one[2], one[0], one[1]))[:count])


def confusion(labels: Mapping[str, Mapping[str, str]]) -> Confusion:
    """Count the pairs of labels in item -> annotator -> label."""
    ballots = Ballots.of(labels)
    pairs: Counter[tuple[str, str]] = Counter()
    for given, items in zip(ballots.distinct, ballots.weight.tolist(), strict=True):
        for one, other in combinations(sorted(given.values()), 2):
            pairs[one, other] += items
    return Confusion(pairs)
