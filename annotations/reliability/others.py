"""Each annotator against the consensus of the others.

A consensus that holds the annotator's own vote favours them: of three who guess between two labels, each
sides with the majority of all three 3 times in 4, and with an agreement of the other two 1 time in 2. So the
own vote is left out, and an item counts where more than half of at least two others agree.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotations.ballots import Ballots
from annotations.consensus import consensus
from annotations.reliability.figures import Estimate, share_of_items
from clinicnum.clusters import Subjects


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
    ballots = Ballots.of(labels)
    whose = Subjects.of(subjects[item] for item in ballots.names)
    theirs = [others_labels(given) for given in ballots.distinct]
    annotators = sorted({annotator for given in ballots.distinct for annotator in given})
    return tuple(_row(annotator, ballots, theirs, whose) for annotator in annotators)


def _row(
    annotator: str, ballots: Ballots[str], theirs: Sequence[Mapping[str, str | None]], subjects: Subjects
) -> AgainstOthers:
    """`theirs` holds, for each distinct ballot, of each annotator the others' label."""
    agree, settled = (np.zeros(len(theirs), dtype=bool) for _ in range(2))
    unsettled, confusion = 0, Counter[tuple[str, str]]()
    for place, items in enumerate(ballots.weight.tolist()):
        own = ballots.distinct[place].get(annotator)
        label = theirs[place].get(annotator)
        if own is not None and label is None:
            unsettled += items
        elif own is not None and label is not None:
            settled[place], agree[place] = True, label == own
            confusion[label, own] += items
    kept = settled[ballots.place]
    share = share_of_items(
        subjects[kept], agree[ballots.place[kept]], without="no item on which two others agree"
    )
    return AgainstOthers(annotator=annotator, agree=share, unsettled=unsettled, confusion=confusion)
