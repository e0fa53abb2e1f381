"""Agreement over time: the items of a study in order of completion, split into equal parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from clinicnum.annotations.agreement import AgreementResult, Rating, agreement

PARTS = 5
FEWEST_ITEMS = 10
"""Minimum number of items per part; fewer would show chance."""


@dataclass(frozen=True)
class StudyPart:
    """Agreement on the items of one part of a study."""

    first: datetime
    """Completion of its first item; `last`: of its last."""
    last: datetime
    here: AgreementResult
    """Agreement on this part's items."""
    so_far: AgreementResult
    """Agreement on the items up to this part."""


def course(
    labels: Mapping[str, Mapping[str, str]],
    completed: Mapping[str, datetime],
    *,
    categories: Sequence[str],
    subjects: Mapping[str, str],
) -> tuple[StudyPart, ...]:
    """Agreement on a nominal question in each part of a study.

    `labels` is item -> annotator -> label; `completed` is item -> time of its last label. Items with one
    label do not count. There are at most PARTS parts of at least FEWEST_ITEMS items each; none where
    there are fewer items than that.
    """
    items = sorted((one for one in labels if len(labels[one]) > 1), key=lambda one: (completed[one], one))
    parts = min(PARTS, len(items) // FEWEST_ITEMS)
    ends = [len(items) * part // parts for part in range(parts + 1)] if parts else [0]

    def result(start: int, stop: int) -> AgreementResult:
        ratings = [
            Rating(item=item, annotator=who, label=label)
            for item in items[start:stop]
            for who, label in labels[item].items()
        ]
        return agreement(
            ratings,
            scale="nominal",
            categories=categories,
            clusters={item: subjects[item] for item in items[start:stop]},
            only=("percent_agreement", "krippendorff_alpha_nominal"),
        )

    return tuple(
        StudyPart(completed[items[start]], completed[items[stop - 1]], result(start, stop), result(0, stop))
        for start, stop in pairwise(ends)
    )
