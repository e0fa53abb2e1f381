"""Each annotator against the consensus of the others.

A consensus that holds the annotator's own vote favours them: of three who guess between two labels, each
sides with the majority of all three 3 times in 4, and with an agreement of the other two 1 time in 2. So the
own vote is left out, and an item counts where more than half of at least two others agree.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotations.consensus import consensus
from annotations.reliability.figures import Estimate, share


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


def others_labels(labels: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str | None]:
    """(annotator, item) -> the label that the others come to, or None."""
    return {
        (annotator, item): consensus([label for other, label in given.items() if other != annotator]).label
        for item, given in labels.items()
        for annotator in given
    }


def against_others(
    labels: Mapping[str, Mapping[str, str]], subjects: Mapping[str, str]
) -> tuple[AgainstOthers, ...]:
    """Every annotator of item -> annotator -> label, in sorted order; `subjects` maps each item to its own.

    Raises KeyError for an item without a subject.
    """
    pairs: dict[str, list[tuple[str, str, str]]] = {}
    unsettled: Counter[str] = Counter()
    for (annotator, item), theirs in others_labels(labels).items():
        mine = pairs.setdefault(annotator, [])
        if theirs is None:
            unsettled[annotator] += 1
        else:
            mine.append((subjects[item], theirs, labels[item][annotator]))
    return tuple(
        AgainstOthers(
            annotator=annotator,
            agree=share(
                [(subject, theirs == own) for subject, theirs, own in pairs[annotator]],
                without="no item on which two others agree",
            ),
            unsettled=unsettled[annotator],
            confusion=Counter((theirs, own) for _, theirs, own in pairs[annotator]),
        )
        for annotator in sorted(pairs)
    )
