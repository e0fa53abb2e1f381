"""Each annotator against the consensus of the others.

A consensus that holds the annotator's own vote favours them: of three who guess between two labels, each
sides with the majority of all three 3 times in 4, and with an agreement of the other two 1 time in 2. So the
own vote is left out, and an item counts where more than half of at least two others agree.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from annotations.ballots import Ballots
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


def others_label(given: Mapping[str, str], annotator: str) -> str | None:
    """The label that the others come to on one item; None where they come to none."""
    return consensus([label for who, label in given.items() if who != annotator]).label


def others_labels(given: Mapping[str, str]) -> dict[str, str | None]:
    """Of each annotator on one item, the label that the others come to."""
    return {annotator: others_label(given, annotator) for annotator in given}


def against_others(
    labels: Mapping[str, Mapping[str, str]], subjects: Mapping[str, str]
) -> tuple[AgainstOthers, ...]:
    """Every annotator of item -> annotator -> label, in sorted order; `subjects` maps each item to its own.

    Raises KeyError for an item without a subject.
    """
    pairs: defaultdict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
    unsettled: Counter[str] = Counter()
    ballots = Ballots.of(labels)
    theirs_of = [others_labels(given) for given in ballots.distinct]
    items = Counter((subjects[item], place) for item, place in ballots.place.items())
    for (subject, place), n in items.items():
        for annotator, own in ballots.distinct[place].items():
            mine = pairs[annotator]
            theirs = theirs_of[place][annotator]
            if theirs is None:
                unsettled[annotator] += n
            else:
                mine[subject, theirs, own] += n
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
