"""Each annotator against the consensus of the others.

A consensus that holds the annotator's own vote favours them: of three who guess between two labels, each
sides with the majority of all three 3 times in 4, and with an agreement of the other two 1 time in 2. So the
own vote is left out, and an item counts where more than half of at least two others agree.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from annotations.consensus import consensus
from annotations.reliability.figures import Estimate, share_of_counts


@dataclass(frozen=True)
class AgainstOthers:
    """One annotator on the items where the others come to a label."""

    annotator: str
    agree: Estimate
    """Share of items on which the annotator gives the others' label."""
    unsettled: int
    """Items of the annotator on which the others come to none."""
    confusion: Mapping[tuple[str, str], int]
    """(the others' label, the annotator's) -> items."""


@lru_cache(maxsize=65_536)  # large studies have few distinct votes
def _without(labels: tuple[str, ...], own: str) -> str | None:
    """What the others come to, from all labels in sorted order and one's own."""
    place = labels.index(own)
    return consensus(labels[:place] + labels[place + 1 :]).label


def others_label(given: Mapping[str, str], annotator: str) -> str | None:
    """The label that the others come to on one item; None where they come to none."""
    return _without(tuple(sorted(given.values())), given[annotator])


def against_others(
    labels: Mapping[str, Mapping[str, str]], subjects: Mapping[str, str]
) -> tuple[AgainstOthers, ...]:
    """Every annotator of item -> annotator -> label, in sorted order; `subjects` maps each item to its own.

    Raises KeyError for an item without a subject.
    """
    pairs: dict[str, Counter[tuple[str, str, str]]] = {}
    unsettled: Counter[str] = Counter()
    for item, given in labels.items():
        votes = tuple(sorted(given.values()))
        for annotator, own in given.items():
            mine = pairs.setdefault(annotator, Counter())
            theirs = _without(votes, own)
            if theirs is None:
                unsettled[annotator] += 1
            else:
                mine[subjects[item], theirs, own] += 1
    return tuple(_row(annotator, pairs[annotator], unsettled[annotator]) for annotator in sorted(pairs))


def _row(annotator: str, pairs: Mapping[tuple[str, str, str], int], unsettled: int) -> AgainstOthers:
    confusion: Counter[tuple[str, str]] = Counter()
    for (_, theirs, own), n in pairs.items():
        confusion[theirs, own] += n
    agree = share_of_counts(
        [(subject, n * (theirs == own), n) for (subject, theirs, own), n in pairs.items()],
        without="no item on which two others agree",
    )
    return AgainstOthers(annotator=annotator, agree=agree, unsettled=unsettled, confusion=confusion)
