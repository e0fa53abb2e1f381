"""Each annotator against the consensus of the others.

A consensus that includes the annotator's own vote favours them: of three who guess between two labels, each
agrees with the majority of all three 3 times in 4, but with an agreement of the other two 1 time in 2. So the
own vote is left out, and an item counts if more than half of at least two others agree.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clinicnum.annotations.consensus import consensus
from clinicnum.annotations.labels_by_item import Ballots
from clinicnum.annotations.reliability.clustered_estimates import Estimate, share_of_items
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class AgainstOthers:
    """One annotator against the others, on items where the others reach a consensus."""

    annotator: str
    agree: Estimate
    """Share of items on which the annotator gives the others' label."""
    unsettled: int
    """Number of the annotator's items on which the others have no consensus."""
    confusion: Mapping[tuple[str, str], int]
    """(the others' label, the annotator's) -> items."""


def others_label(given: Mapping[str, str], annotator: str) -> str | None:
    """The consensus of the other annotators on one item; None if they have none."""
    return consensus([label for who, label in given.items() if who != annotator]).label


def others_labels(given: Mapping[str, str]) -> dict[str, str | None]:
    """For each annotator of one item, the consensus of the others; None if they have none."""
    return {annotator: others_label(given, annotator) for annotator in given}


def against_others(
    labels: Mapping[str, Mapping[str, str]], subjects: Mapping[str, str]
) -> tuple[AgainstOthers, ...]:
    """Every annotator in item -> annotator -> label, sorted; `subjects` maps each item to its subject.

    Raises KeyError for an item without a subject.
    """
    ballots = Ballots.of(labels)
    whose = Subjects.of(subjects[item] for item in ballots.names)
    annotators = sorted({annotator for given in ballots.distinct for annotator in given})
    row = {annotator: place for place, annotator in enumerate(annotators)}
    agree, settled = (np.zeros((len(annotators), len(ballots.distinct)), dtype=bool) for _ in range(2))
    unsettled: Counter[str] = Counter()
    confusion: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for place, items in enumerate(ballots.weight.tolist()):
        theirs = others_labels(ballots.distinct[place])
        for annotator, own in ballots.distinct[place].items():
            label = theirs[annotator]
            if label is None:
                unsettled[annotator] += items
            else:
                settled[row[annotator], place], agree[row[annotator], place] = True, label == own
                confusion[annotator][label, own] += items

    def share(annotator: str) -> Estimate:
        kept = settled[row[annotator]][ballots.place]
        return share_of_items(
            whose[kept],
            agree[row[annotator]][ballots.place[kept]],
            without=Translatable("no item on which two others agree"),
        )

    return tuple(AgainstOthers(who, share(who), unsettled[who], confusion[who]) for who in annotators)
