"""Which annotations agreement is computed on: each annotator's last complete one of the main round.

Left out, and counted by reason: training and repeat rounds, incomplete revisions, revisions made with a
suggestion in sight. Of what remains the last revision counts, so an earlier one is superseded, not left out.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from annotations.agreement.types import LeftOut
from annotations.types import Annotation

RULE = (
    "each annotator's last complete revision of the main round, made without a suggestion in sight; gold and "
    "score were in sight from the annotator's first saved judgement on"
)


@dataclass(frozen=True)
class Chosen:
    """The annotations that count, by generation, and what was left out."""

    by_generation: dict[str, tuple[Annotation, ...]]
    """Generation ids sorted; annotators sorted within each."""
    left_out: tuple[LeftOut, ...]

    @cached_property
    def annotations(self) -> tuple[Annotation, ...]:
        """All of them, by generation and annotator."""
        return tuple(one for group in self.by_generation.values() for one in group)


def choose_annotations(annotations: Iterable[Annotation]) -> Chosen:
    """The population of a study, from all revisions."""
    last: dict[tuple[str, str], Annotation] = {}
    dropped: dict[tuple[str, str], str] = {}
    for one in annotations:
        key = (one.generation_id, one.annotator_id)
        reason = _why_out(one)
        if reason is not None:
            dropped[key] = reason
        elif key not in last or one.revision > last[key].revision:
            last[key] = one
    counted = Counter(reason for key, reason in sorted(dropped.items()) if key not in last)
    groups: dict[str, list[Annotation]] = {}
    for key in sorted(last):
        groups.setdefault(key[0], []).append(last[key])
    return Chosen(
        by_generation={key: tuple(group) for key, group in groups.items()},
        left_out=tuple(LeftOut(what="judgements", n=n, why=why) for why, n in sorted(counted.items())),
    )


def _why_out(annotation: Annotation) -> str | None:
    if annotation.round != "main":
        return f"{annotation.round} round"
    if annotation.missing() is not None:
        return "incomplete: never submitted whole"
    if annotation.suggestion_shown:
        return "a suggestion was shown: to be reported apart"
    return None
